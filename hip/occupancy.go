package hip

import (
	"github.com/triad-gpu/triad/driver"
)

// Occupancy implements driver.Occupier
// (hipModuleOccupancyMaxActiveBlocksPerMultiprocessor).
func (k *Kernel) Occupancy(block driver.Dim3, sharedBytes uint32) (int, error) {
	const op = "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor"
	if err := k.use(op); err != nil {
		return 0, err
	}
	defer k.life.Release(0)
	fits, err := k.fits(op, block)
	if err != nil || !fits || !k.sharedFits(sharedBytes) {
		return 0, err
	}
	n, code := rawOccupancy(k.dev.raw, k.fn, int(block.Volume()), uint64(sharedBytes))
	return n, k.dev.failure(op, code, "kernel %q, a block of %v, %s of dynamic shared memory", k.name, block, driver.ByteSize(uint64(sharedBytes)))
}

// fits tells whether the kernel can run with such a block at all: what doesn't fit is
// an error to the driver, and an answer here.
func (k *Kernel) fits(op string, block driver.Dim3) (bool, error) {
	if block.X == 0 {
		return false, refused(op, driver.ErrInvalidValue, "kernel %q: the block is empty: %v", k.name, block)
	}
	b := block.Normal()
	for i, n := range [3]uint32{b.X, b.Y, b.Z} {
		if limit := k.dev.info.MaxBlock[i]; limit > 0 && uint64(n) > limit {
			return false, nil
		}
	}
	most, err := k.attribute(FuncMaxThreadsPerBlock)
	return err == nil && b.Volume() <= uint64(most), err
}

// SuggestBlock implements driver.BlockSuggester (hipModuleOccupancyMaxPotentialBlockSize).
// ErrInvalidValue if no block fits with so much shared memory.
func (k *Kernel) SuggestBlock(sharedBytes uint32) (driver.Dim3, error) {
	const op = "hipModuleOccupancyMaxPotentialBlockSize"
	if err := k.use(op); err != nil {
		return driver.Dim3{}, err
	}
	defer k.life.Release(0)
	var n int
	var code int32
	if k.sharedFits(sharedBytes) {
		n, code = rawBlockSize(k.dev.raw, k.fn, uint64(sharedBytes))
	}
	switch {
	case code == 0 && n > 0:
		return driver.Dim3{X: uint32(n), Y: 1, Z: 1}, nil
	case code == 0:
		static, _ := k.attribute(FuncSharedSizeBytes)
		return driver.Dim3{}, refused(op, driver.ErrInvalidValue, "kernel %q: no block fits with %s of dynamic shared memory beside %s of its own; %s allows %s in all",
			k.name, driver.ByteSize(uint64(sharedBytes)), driver.ByteSize(uint64(static)), k.dev.info.Name, driver.ByteSize(k.dev.facts.shared))
	}
	return driver.Dim3{}, k.dev.failure(op, code, "kernel %q", k.name)
}

// sharedFits tells whether a block can have so much dynamic shared memory at all.
func (k *Kernel) sharedFits(shared uint32) bool {
	static, err := k.attribute(FuncSharedSizeBytes)
	most := k.dev.facts.shared
	return err != nil || most == 0 || uint64(static)+uint64(shared) <= most
}
