//go:build linux

package hip

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

func TestPoolIsShared(t *testing.T)        { memorytest.PoolIsShared(t, rig) }
func TestPoolIsSharedInChild(t *testing.T) { memorytest.PoolIsSharedInChild(t, rig) }

func TestPhysicalIsSharedWithAnother(t *testing.T) {
	memorytest.PhysicalIsSharedWithAnother(t, rig, PhysicalOptions{Shareable: true})
}

func TestPhysicalIsSharedInChild(t *testing.T) { memorytest.PhysicalIsSharedInChild(t, rig) }
