package cuda

import (
	"github.com/triad-gpu/triad/driver"
)

// SetCacheConfig sets how the kernel wants L1 cache and shared memory divided
// (cuFuncSetCacheConfig), for all launches of the function from now on.
func (k *Kernel) SetCacheConfig(c CacheConfig) error {
	const op = "cuFuncSetCacheConfig"
	if err := k.use(op); err != nil {
		return err
	}
	defer k.life.Release(0)
	if err := c.check(op); err != nil {
		return refused(op, driver.ErrInvalidValue, "kernel %q: there is no preference %d for L1 or shared memory", k.name, c)
	}
	return k.dev.failure(op, rawFunctionCache(k.dev.raw, k.fn, int(c)), "kernel %q to %d", k.name, c)
}

// Occupancy implements driver.Occupier
// (cuOccupancyMaxActiveBlocksPerMultiprocessor).
func (k *Kernel) Occupancy(block driver.Dim3, sharedBytes uint32) (int, error) {
	const op = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
	if err := k.use(op); err != nil {
		return 0, err
	}
	defer k.life.Release(0)
	fits, err := k.fits(op, block)
	if err != nil || !fits || !k.sharedFits(sharedBytes) {
		return 0, err
	}
	k.asLaunched(sharedBytes)
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

// SuggestBlock implements driver.BlockSuggester (cuOccupancyMaxPotentialBlockSize).
// ErrInvalidValue if no block fits with so much shared memory.
func (k *Kernel) SuggestBlock(sharedBytes uint32) (driver.Dim3, error) {
	const op = "cuOccupancyMaxPotentialBlockSize"
	if err := k.use(op); err != nil {
		return driver.Dim3{}, err
	}
	defer k.life.Release(0)
	var n int
	var code int32
	if k.sharedFits(sharedBytes) {
		k.asLaunched(sharedBytes)
		n, code = rawBlockSize(k.dev.raw, k.fn, uint64(sharedBytes))
	}
	switch {
	case code == 0 && n > 0:
		return driver.Dim3{X: uint32(n), Y: 1, Z: 1}, nil
	case code == 0 || code == codeInvalidValue:
		static, _ := k.attribute(FuncSharedSizeBytes)
		return driver.Dim3{}, refused(op, driver.ErrInvalidValue, "kernel %q: no block fits with %s of dynamic shared memory beside %s of its own; %s allows %s in all",
			k.name, driver.ByteSize(uint64(sharedBytes)), driver.ByteSize(uint64(static)), k.dev.info.Name, driver.ByteSize(k.dev.facts.sharedOptIn))
	}
	return driver.Dim3{}, k.dev.failure(op, code, "kernel %q", k.name)
}

// AvailableDynamicShared is how many bytes of dynamic shared memory each block can
// have when so many blocks of that shape are to run on one multiprocessor at once
// (cuOccupancyAvailableDynamicSMemPerBlock).
func (k *Kernel) AvailableDynamicShared(blocks int, block driver.Dim3) (uint64, error) {
	const op = "cuOccupancyAvailableDynamicSMemPerBlock"
	if err := k.use(op); err != nil {
		return 0, err
	}
	defer k.life.Release(0)
	fits, err := k.fits(op, block)
	if err != nil {
		return 0, err
	}
	if !fits || blocks < 1 {
		return 0, refused(op, driver.ErrInvalidValue, "kernel %q: %d blocks of %v", k.name, blocks, block)
	}
	n, code := rawSharedLeft(k.dev.raw, k.fn, blocks, int(block.Volume()))
	return n, k.dev.failure(op, code, "kernel %q, %d blocks of %v", k.name, blocks, block)
}

// MaxActiveClusters is how many clusters of that many blocks the device runs at once,
// given the launch's block and shared memory (cuOccupancyMaxActiveClusters, since
// CUDA 11.7). ErrUnsupported before compute capability 9.0.
func (k *Kernel) MaxActiveClusters(cfg driver.LaunchConfig, cluster driver.Dim3) (int, error) {
	const op = "cuOccupancyMaxActiveClusters"
	if err := k.useClusters(op, cfg); err != nil {
		return 0, err
	}
	defer k.life.Release(0)
	k.asLaunched(cfg.SharedBytes)
	c := cluster.Normal()
	n, code := rawClusters(k.raw, cfg.Grid.Normal(), cfg.Block.Normal(), cfg.SharedBytes, c)
	return n, k.dev.optional(op, code, "CUDA 11.7", "kernel %q, clusters of %v, %v blocks of %v", k.name, c, cfg.Grid, cfg.Block)
}

// MaxPotentialClusterSize is the largest number of blocks that a cluster can have,
// given the launch's block and shared memory (cuOccupancyMaxPotentialClusterSize,
// since CUDA 11.7). Up to 8 is portable; the kernel must be allowed more with
// FuncNonPortableClusterSizeAllowed. ErrUnsupported before compute capability 9.0.
func (k *Kernel) MaxPotentialClusterSize(cfg driver.LaunchConfig) (int, error) {
	const op = "cuOccupancyMaxPotentialClusterSize"
	if err := k.useClusters(op, cfg); err != nil {
		return 0, err
	}
	defer k.life.Release(0)
	k.asLaunched(cfg.SharedBytes)
	n, code := rawClusterSize(k.raw, cfg.Grid.Normal(), cfg.Block.Normal(), cfg.SharedBytes)
	return n, k.dev.optional(op, code, "CUDA 11.7", "kernel %q, %v blocks of %v", k.name, cfg.Grid, cfg.Block)
}

// useClusters begins a use of k, if there can be clusters.
func (k *Kernel) useClusters(op string, cfg driver.LaunchConfig) error {
	if err := k.use(op); err != nil {
		return err
	}
	var err error
	switch {
	case cfg.Grid.X == 0 || cfg.Block.X == 0:
		err = k.emptyShape(cfg)
	case !load().Has(op):
		err = unsupported(op, op, "CUDA 11.7")
	default:
		err = k.dev.noClusters(op)
	}
	if err != nil {
		k.life.Release(0)
	}
	return err
}

// noClusters says that the device has no clusters; nil if it has.
func (d *Device) noClusters(op string) error {
	v, code := rawDeviceAttribute(d.native, int(AttrClusterLaunch))
	if code != 0 || v != 0 {
		return d.failure("cuDeviceGetAttribute", code, "%v", AttrClusterLaunch)
	}
	return refused(op, driver.ErrUnsupported, "%s has compute capability %d.%d, and clusters came with 9.0", d.info.Name, d.facts.major, d.facts.minor)
}
