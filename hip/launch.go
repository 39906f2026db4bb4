package hip

import (
	"fmt"
	"math"

	"github.com/triad-gpu/triad/driver"
)

// Launch implements driver.Kernel (hipModuleLaunchKernel).
func (k *Kernel) Launch(s driver.Stream, cfg driver.LaunchConfig, args driver.ArgRef) error {
	if k == nil {
		return nilKernel("hipModuleLaunchKernel")
	}
	ours, ok := s.(*Stream)
	if !ok || ours == nil || ours.dev != k.dev {
		_, err := streamOf("hipModuleLaunchKernel", s, k.dev)
		return err
	}
	g, b := cfg.Grid.Normal(), cfg.Block.Normal()
	if g.X == 0 || b.X == 0 {
		return k.emptyShape(cfg)
	}
	if err := k.begin(ours, args.Size()); err != nil {
		return err
	}
	code, arg := rawLaunch(ours.raw, k.raw, g, b, cfg.SharedBytes, args.Pointer())
	if code != 0 {
		err := k.refusedLaunch("hipModuleLaunchKernel", code, arg, g, b, cfg.SharedBytes, args.Pointer())
		k.end(ours)
		return err
	}
	k.end(ours)
	return nil
}

// refusedLaunch is the error of a launch, which explain finds out about.
func (k *Kernel) refusedLaunch(op string, code int32, arg int, g, b driver.Dim3, shared uint32, args handle) error {
	if arg < 0 {
		shared = rawLaunchShared(k.raw, shared, args)
	}
	return renamed(k.explain(code, arg, g, b, shared), op)
}

// begin begins a launch's use of the stream and of k; end ends it.
func (k *Kernel) begin(s *Stream, size uintptr) error {
	if size != k.argSize {
		return refused("hipModuleLaunchKernel", driver.ErrSignature, "kernel %q was bound to %d bytes of arguments %s and was given %d", k.name, k.argSize, k.sig, size)
	}
	if !s.life.Acquire() {
		return driver.ClosedError(backendName, "hipModuleLaunchKernel", "stream")
	}
	if !k.life.Acquire(s.stripe) {
		s.life.Release()
		return driver.ClosedError(backendName, "hipModuleLaunchKernel", "kernel")
	}
	return nil
}

func (k *Kernel) end(s *Stream) {
	k.life.Release(s.stripe)
	s.life.Release()
}

func (k *Kernel) emptyShape(cfg driver.LaunchConfig) error {
	what := "block"
	if cfg.Grid.X == 0 {
		what = "grid"
	}
	return refused("hipModuleLaunchKernel", driver.ErrInvalidValue, "kernel %q: the %s is empty: %v blocks of %v", k.name, what, cfg.Grid, cfg.Block)
}

// explain finds out what a refused launch ran into.
func (k *Kernel) explain(code int32, arg int, g, b driver.Dim3, shared uint32) error {
	const op = "hipModuleLaunchKernel"
	d := k.dev
	if arg >= 0 {
		return k.badArgument(arg)
	}
	if sticky(code) || code == codeCaptureUnsupported || codes[code].kind == driver.ErrInvalidContext {
		return d.failure(op, code, "kernel %q", k.name)
	}
	block, grid := [3]uint32{b.X, b.Y, b.Z}, [3]uint32{g.X, g.Y, g.Z}
	for i := range 3 {
		if limit := d.info.MaxBlock[i]; limit > 0 && uint64(block[i]) > limit {
			return k.limit(code, "a block of %v threads; in dimension %d %s allows %d", block, i, d.info.Name, limit)
		}
		if limit := d.info.MaxGrid[i]; limit > 0 && uint64(grid[i]) > limit {
			return k.limit(code, "a grid of %v blocks; in dimension %d %s allows %d", grid, i, d.info.Name, limit)
		}
	}
	// The runtime counts threads, in 32 bits, where others count blocks.
	for i := range 3 {
		if n := uint64(grid[i]) * uint64(block[i]); n > math.MaxUint32 {
			return k.limit(code, "%d blocks of %d threads in dimension %d, %d in all; AMD's devices count up to %d", grid[i], block[i], i, n, uint32(math.MaxUint32))
		}
	}
	if limit := d.info.MaxBlockVolume; limit > 0 && b.Volume() > limit {
		return k.limit(code, "a block of %v, %d threads; %s allows %d", block, b.Volume(), d.info.Name, limit)
	}
	a, err := k.Attributes()
	if err != nil {
		return d.failure(op, code, "kernel %q; what it allows is not known: %v", k.name, err)
	}
	if a.MaxBlockVolume > 0 && b.Volume() > a.MaxBlockVolume {
		return k.limit(code, "a block of %v, %d threads, of %d registers each; this kernel allows %d", block, b.Volume(), a.Registers, a.MaxBlockVolume)
	}
	if most := d.facts.shared; most > 0 && uint64(shared)+a.SharedBytes > most {
		return k.limit(code, "%s of dynamic shared memory, that of its Local parameters included, beside %s of its own; %s allows %s in all",
			driver.ByteSize(uint64(shared)), driver.ByteSize(a.SharedBytes), d.info.Name, driver.ByteSize(most))
	}
	return d.failure(op, code, "kernel %q, %v blocks of %v threads, %s of dynamic shared memory", k.name, grid, block, driver.ByteSize(uint64(shared)))
}

// badArgument is the error of an argument that was refused before HIP was asked.
func (k *Kernel) badArgument(place int) error {
	i := k.places[place]
	p := k.sig.Params[i]
	if p.Kind == driver.ParamLocal {
		return refused("hipModuleLaunchKernel", driver.ErrSignature, "kernel %q, parameter %d (%s): a size of dynamic shared memory must be above 0 and, with the others, below 4 GiB; make it with driver.LocalOf", k.name, i, p.Field)
	}
	return refused("hipModuleLaunchKernel", driver.ErrClosed, "kernel %q, parameter %d (%s): the %s is of memory that was closed", k.name, i, p.Field, p.Describe())
}

// limit is the error of a launch that broke a limit, whatever the driver called it.
func (k *Kernel) limit(code int32, format string, args ...any) error {
	e := failure("hipModuleLaunchKernel", code, "kernel %q: %s", k.name, fmt.Sprintf(format, args...)).(*driver.Error)
	e.Kind = driver.ErrInvalidValue
	return e
}
