package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

func TestRegisteredMemory(t *testing.T) {
	memorytest.RegisteredMemory(t, rig, pointerRig, memorytest.Registered{Pins: pins, Already: "ALREADY_REGISTERED"})
}

// pins is how many pieces of registered memory are kept where they are.
func pins() int {
	registered.Lock()
	defer registered.Unlock()
	return len(registered.pins)
}

func TestRegisteredMemoryOutlivesItsUses(t *testing.T) {
	memorytest.RegisteredMemoryOutlivesItsUses(t, rig, pointerRig)
}

func TestRegisterMisuse(t *testing.T) { memorytest.RegisterMisuse(t, rig, 1<<20) }
