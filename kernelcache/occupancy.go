package kernelcache

import (
	"context"

	"github.com/triad-gpu/triad/driver"
)

// Occupancy is how many blocks of that shape, each with so many bytes of dynamic
// shared memory, one compute unit of the device runs at once. It resolves the
// kernel if need be; see On. driver.ErrUnsupported where the backend cannot
// tell; OpenCL cannot.
func (k *Kernel[A]) Occupancy(ctx context.Context, dev driver.Device, block driver.Dim3, sharedBytes uint32) (int, error) {
	n := 0
	err := k.use(ctx, dev, func(kernel driver.Kernel) (err error) {
		o, ok := kernel.(driver.Occupier)
		if !ok {
			return driver.Errorf("kernelcache", "Kernel.Occupancy", driver.ErrUnsupported,
				"%s does not tell how many blocks of kernel %s fit on a compute unit", dev.Info().Backend, k.name)
		}
		n, err = o.Occupancy(block, sharedBytes)
		return err
	})
	return n, err
}

// SuggestBlock is a block size to launch the kernel with, given so many bytes of
// dynamic shared memory a block. It resolves the kernel if need be; see On.
// driver.ErrUnsupported where the backend has nothing to suggest.
//
// On CUDA and HIP the driver works out the block with the highest occupancy. On
// OpenCL, which doesn't know occupancy, it is a rule: the work-group that the
// kernel requires, else the largest multiple of the device's preferred one that
// the kernel allows, up to 256. A kernel that is launched often deserves a
// measurement.
func (k *Kernel[A]) SuggestBlock(ctx context.Context, dev driver.Device, sharedBytes uint32) (driver.Dim3, error) {
	var block driver.Dim3
	err := k.use(ctx, dev, func(kernel driver.Kernel) (err error) {
		b, ok := kernel.(driver.BlockSuggester)
		if !ok {
			return driver.Errorf("kernelcache", "Kernel.SuggestBlock", driver.ErrUnsupported,
				"%s has no block to suggest for kernel %s; its Attributes have the limits", dev.Info().Backend, k.name)
		}
		block, err = b.SuggestBlock(sharedBytes)
		return err
	})
	return block, err
}
