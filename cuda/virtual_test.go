package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

var accesses = memorytest.Accesses[Access]{None: NoAccess, ReadOnly: ReadOnly, ReadWrite: ReadWrite}

func TestMappedMemory(t *testing.T)   { memorytest.MappedMemory(t, rig) }
func TestUnmappedPlaces(t *testing.T) { memorytest.UnmappedPlaces(t, rig) }

func TestMappedAccess(t *testing.T) {
	memorytest.MappedAccess(t, rig, accesses, Location{kind: locationDevice, id: 999})
}

func TestPhysicalIsShared(t *testing.T) {
	memorytest.PhysicalIsShared(t, rig, PhysicalOptions{Shareable: true})
}

func TestVirtualMisuse(t *testing.T) { memorytest.VirtualMisuse(t, rig, ReadOnly) }
