package hip

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

func TestIPCMemoryIsOpened(t *testing.T) { memorytest.IPCMemoryIsOpened(t, rig) }
func TestIPCMemoryInChild(t *testing.T)  { memorytest.IPCMemoryInChild(t, rig) }
