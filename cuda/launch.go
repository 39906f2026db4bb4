package cuda

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

// Launch implements driver.Kernel (cuLaunchKernel). The first launch with more than
// 48 KiB of dynamic shared memory, if the device has that, lets the kernel use it
// (cuFuncSetAttribute with FuncMaxDynamicSharedSizeBytes).
func (k *Kernel) Launch(s driver.Stream, cfg driver.LaunchConfig, args driver.ArgRef) error {
	if k == nil {
		return nilKernel("cuLaunchKernel")
	}
	ours, ok := s.(*Stream)
	if !ok || ours == nil || ours.dev != k.dev {
		_, err := streamOf("cuLaunchKernel", s, k.dev)
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
		return k.again(ours, code, arg, g, b, cfg.SharedBytes, args.Pointer())
	}
	k.end(ours)
	return nil
}

// again makes a refused launch again, if it lacked nothing but leave to use more
// shared memory. It ends what begin began.
func (k *Kernel) again(s *Stream, code int32, arg int, g, b driver.Dim3, shared uint32, args handle) error {
	defer k.end(s)
	if code == codeInvalidValue && arg < 0 {
		allowed, err := k.allowShared(shared, args)
		if err != nil {
			return err
		}
		if allowed {
			code, arg = rawLaunch(s.raw, k.raw, g, b, shared, args)
		}
	}
	if code == 0 {
		return nil
	}
	if arg < 0 {
		shared = rawLaunchShared(k.raw, shared, args)
	}
	return k.explain(code, arg, g, b, shared)
}

// begin begins a launch's use of the stream and of k; end ends it.
func (k *Kernel) begin(s *Stream, size uintptr) error {
	if size != k.argSize {
		return refused("cuLaunchKernel", driver.ErrSignature, "kernel %q was bound to %d bytes of arguments %s and was given %d", k.name, k.argSize, k.sig, size)
	}
	if !s.life.Acquire() {
		return driver.ClosedError(backendName, "cuLaunchKernel", "stream")
	}
	if !k.life.Acquire(s.stripe) {
		s.life.Release()
		return driver.ClosedError(backendName, "cuLaunchKernel", "kernel")
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
	return refused("cuLaunchKernel", driver.ErrInvalidValue, "kernel %q: the %s is empty: %v blocks of %v", k.name, what, cfg.Grid, cfg.Block)
}

// explain finds out what a refused launch ran into.
func (k *Kernel) explain(code int32, arg int, g, b driver.Dim3, shared uint32) error {
	const op = "cuLaunchKernel"
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
	if limit := d.info.MaxBlockVolume; limit > 0 && b.Volume() > limit {
		return k.limit(code, "a block of %v, %d threads; %s allows %d", block, b.Volume(), d.info.Name, limit)
	}
	a, err := k.Attributes()
	if err != nil {
		return d.failure(op, code, "kernel %q", k.name)
	}
	if a.MaxBlockVolume > 0 && b.Volume() > a.MaxBlockVolume {
		return k.limit(code, "a block of %v, %d threads, of %d registers each; this kernel allows %d", block, b.Volume(), a.Registers, a.MaxBlockVolume)
	}
	if most := d.facts.sharedOptIn; most > 0 && uint64(shared)+a.SharedBytes > most {
		return k.limit(code, "%s of dynamic shared memory, that of its Local parameters included, beside %s of its own; %s allows %s in all",
			driver.ByteSize(uint64(shared)), driver.ByteSize(a.SharedBytes), d.info.Name, driver.ByteSize(most))
	}
	return d.failure(op, code, "kernel %q, %v blocks of %v threads, %s of dynamic shared memory", k.name, grid, block, driver.ByteSize(uint64(shared)))
}

// badArgument is the error of an argument that was refused before CUDA was asked.
func (k *Kernel) badArgument(place int) error {
	i := k.places[place]
	p := k.sig.Params[i]
	if p.Kind == driver.ParamLocal {
		return refused("cuLaunchKernel", driver.ErrSignature, "kernel %q, parameter %d (%s): a size of dynamic shared memory must be above 0 and, with the others, below 4 GiB; make it with driver.LocalOf", k.name, i, p.Field)
	}
	return refused("cuLaunchKernel", driver.ErrClosed, "kernel %q, parameter %d (%s): the %s is of memory that was closed", k.name, i, p.Field, p.Describe())
}

// limit is the error of a launch that broke a limit, whatever the driver called it.
func (k *Kernel) limit(code int32, format string, args ...any) error {
	e := failure("cuLaunchKernel", code, "kernel %q: %s", k.name, fmt.Sprintf(format, args...)).(*driver.Error)
	e.Kind = driver.ErrInvalidValue
	return e
}
