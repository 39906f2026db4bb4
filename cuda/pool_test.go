package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

var poolAttributes = memorytest.PoolAttributes[PoolAttribute]{
	ReuseFollowEvents: PoolReuseFollowEvents, ReuseIfFinished: PoolReuseIfFinished, ReuseByWaiting: PoolReuseByWaiting,
	ReleaseThreshold: PoolReleaseThreshold,
	ReservedCurrent:  PoolReservedCurrent, ReservedHigh: PoolReservedHigh, UsedCurrent: PoolUsedCurrent, UsedHigh: PoolUsedHigh,
}

func TestStreamOrderedMemory(t *testing.T) { memorytest.StreamOrderedMemory(t, rig) }

func TestStreamsKeepWhatTheyAllocated(t *testing.T) {
	memorytest.StreamsKeepWhatTheyAllocated(t, rig)
}

func TestStreamOrderedMemoryOutlivesItsUses(t *testing.T) {
	memorytest.StreamOrderedMemoryOutlivesItsUses(t, rig)
}

func TestPoolAttributes(t *testing.T) {
	memorytest.AttributesOfPools(t, rig, poolAttributes, accesses)
}

func TestPoolsOfTheDevice(t *testing.T) { memorytest.PoolsOfTheDevice(t, rig, PoolUsedCurrent) }

func TestPoolLimits(t *testing.T) {
	memorytest.PoolLimits(t, rig, func() bool { return load().version < 12020 }, "CUDA 12.2")
}

func TestPoolMisuse(t *testing.T)       { memorytest.PoolMisuse(t, rig) }
func TestPoolExportMisuse(t *testing.T) { memorytest.PoolExportMisuse(t, rig) }
