package opencl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Kernel is a kernel bound to a layout of its arguments. It implements
// driver.Kernel; all methods may be called from any goroutine.
//
// OpenCL keeps arguments in its kernel object, so that two threads can't launch
// one at once. A Kernel therefore owns as many kernel objects as launches have
// ever met (at most 64): each launch takes one, sets its arguments and enqueues
// it, all in one crossing.
type Kernel struct {
	life       lifetime.Shared
	dev        *Device
	raw        handle
	name       string
	sig        *driver.Signature
	argSize    uintptr
	unverified string
}

var kernelKind = lifetime.NewKind("opencl kernel")

// planParam is one parameter of a kernel's plan in C.
type planParam struct{ offset, size, kind uint32 }

// Kernel implements driver.Module (clCreateKernel).
func (m *Module) Kernel(ctx context.Context, name string, sig *driver.Signature) (driver.Kernel, error) {
	k, err := m.Bind(ctx, name, sig)
	if err != nil {
		return nil, err
	}
	return k, nil
}

// Bind is Kernel, with the concrete type.
func (m *Module) Bind(ctx context.Context, name string, sig *driver.Signature) (*Kernel, error) {
	const op = "clCreateKernel"
	if err := m.use(op); err != nil {
		return nil, err
	}
	k, err := m.bind(ctx, op, name, sig)
	if err != nil {
		m.life.Release()
		return nil, err
	}
	k.life.Init(kernelKind, func() {
		rawKernelFree(k.raw)
		m.life.Release()
	})
	return k, nil
}

func (m *Module) bind(ctx context.Context, op, name string, sig *driver.Signature) (*Kernel, error) {
	if len(m.names) > 0 && !slices.Contains(m.names, name) || strings.ContainsRune(name, 0) {
		return nil, refused(op, driver.ErrNotFound, "there is no kernel %q in %q; it has %s", name, m.name, strings.Join(m.names, ", "))
	}
	first, code := rawKernelProbe(m.raw, name)
	if err := failure(op, code, "kernel %q of %q", name, m.name); err != nil {
		return nil, err
	}
	if err := noPointersInMemory(op, name, sig); err != nil {
		rawKernelRelease(first)
		return nil, err
	}
	k := &Kernel{dev: m.dev, name: name, sig: sig}
	params, known := m.describe(name, first)
	var err error
	if sig == nil {
		k.sig, err = signatureOf(op, m, name, params, known)
	} else {
		k.unverified, err = m.verify(ctx, name, sig, params, known)
	}
	if err == nil && uint64(k.sig.Size) > uint64(m.dev.info.MaxParamBytes) && m.dev.info.MaxParamBytes > 0 {
		err = refused(op, driver.ErrSignature, "kernel %q takes %d bytes of arguments; %s allows %d", name, k.sig.Size, m.dev.info.Name, m.dev.info.MaxParamBytes)
	}
	if err != nil {
		rawKernelRelease(first)
		return nil, err
	}
	k.argSize = uintptr(k.sig.Size)
	if k.raw = rawKernelNew(m.raw, name, first, plan(k.sig)); k.raw == nil {
		return nil, refused(op, driver.ErrOutOfMemory, "no host memory for kernel %q", name)
	}
	return k, nil
}

// noPointersInMemory refuses kernels that find pointers in structs or buffers.
// Buffer objects have no addresses to put there, and of shared virtual memory
// that no parameter names OpenCL wants to be told before each launch.
func noPointersInMemory(op, name string, sig *driver.Signature) error {
	if sig == nil {
		return nil
	}
	for _, p := range sig.Params {
		if p.Type.Pointers {
			return refused(op, driver.ErrUnsupported, "kernel %q, field %s (%s) holds device pointers, which OpenCL kernels take as parameters only; make each pointer a field of the argument struct itself", name, p.Field, p.GoType())
		}
	}
	return nil
}

// plan is what the launch needs of a signature; the kinds are TRIAD_CL_ARG_….
func plan(sig *driver.Signature) []planParam {
	list := make([]planParam, len(sig.Params))
	for i, p := range sig.Params {
		list[i] = planParam{offset: p.Offset, size: p.Size}
		switch p.Kind {
		case driver.ParamPointer:
			list[i].kind = 1
		case driver.ParamLocal:
			list[i].kind = 2
		}
	}
	return list
}

func nilKernel(op string) error {
	return refused(op, driver.ErrInvalidValue, "the kernel is nil; bind one with Module.Kernel")
}

// Name implements driver.Kernel.
func (k *Kernel) Name() string { return k.name }

// Device implements driver.Kernel.
func (k *Kernel) Device() driver.Device { return k.dev }

// Signature implements driver.Kernel.
func (k *Kernel) Signature() *driver.Signature { return k.sig }

// Verified implements driver.Kernel.
func (k *Kernel) Verified() bool { return k.unverified == "" }

// Unverified implements driver.Kernel.
func (k *Kernel) Unverified() string { return k.unverified }

// Native returns a cl_kernel as an integer, for a user's own C code. It is valid
// until Close, 0 afterwards, and none of those that Launch uses.
func (k *Kernel) Native() uintptr {
	if k == nil || !k.life.Acquire(0) {
		return 0
	}
	defer k.life.Release(0)
	return uintptr(rawKernelNative(k.raw))
}

// Attributes implements driver.Kernel (clGetKernelWorkGroupInfo).
func (k *Kernel) Attributes() (driver.KernelAttributes, error) {
	if k == nil {
		return driver.KernelAttributes{}, nilKernel("clGetKernelWorkGroupInfo")
	}
	if !k.life.Acquire(0) {
		return driver.KernelAttributes{}, driver.ClosedError(backendName, "clGetKernelWorkGroupInfo", "kernel")
	}
	defer k.life.Release(0)
	first := rawKernelNative(k.raw)
	num := func(param uint32) uint64 { return infoUint(ofWorkGroup, first, k.dev.native, param) }
	a := driver.KernelAttributes{
		MaxBlockVolume: num(kernelWorkGroupSize),
		BlockMultiple:  num(kernelPreferredMultiple),
		SharedBytes:    num(kernelLocalMemSize),
		LocalBytes:     num(kernelPrivateMemSize),
	}
	copy(a.RequiredBlock[:], infoSizes(ofWorkGroup, first, k.dev.native, kernelCompileWorkGroupSize))
	return a, nil
}

// SuggestBlock implements driver.BlockSuggester. OpenCL doesn't know how many
// work-groups fit on a compute unit, so this is a rule and no calculation: the
// required work-group, if the kernel has one; else the largest multiple of the
// preferred one that the kernel allows, up to 256.
func (k *Kernel) SuggestBlock(sharedBytes uint32) (driver.Dim3, error) {
	if sharedBytes != 0 {
		return driver.Dim3{}, k.badConfig(driver.LaunchConfig{SharedBytes: sharedBytes})
	}
	a, err := k.Attributes()
	if err != nil {
		return driver.Dim3{}, err
	}
	if r := a.RequiredBlock; r != [3]uint64{} {
		return driver.Dim3{X: uint32(r[0]), Y: uint32(r[1]), Z: uint32(r[2])}, nil
	}
	const usual = 256
	n := min(a.MaxBlockVolume, usual)
	if m := a.BlockMultiple; m > 0 && m <= n {
		n -= n % m
	}
	if limit := k.dev.info.MaxBlock[0]; limit > 0 {
		n = min(n, limit)
	}
	return driver.Dim3{X: uint32(max(n, 1)), Y: 1, Z: 1}, nil
}

// NDRange is a launch in OpenCL's own terms.
type NDRange struct {
	Global [3]uint64 // work-items in each dimension; zero Y and Z count as 1
	Local  [3]uint64 // of a work-group; all zero lets the driver choose
	Offset [3]uint64 // added to every global id
}

// Launch implements driver.Kernel (clSetKernelArg, clEnqueueNDRangeKernel).
func (k *Kernel) Launch(s driver.Stream, cfg driver.LaunchConfig, args driver.ArgRef) error {
	if k == nil {
		return nilKernel("clEnqueueNDRangeKernel")
	}
	ours, ok := s.(*Stream)
	if !ok || ours == nil || ours.dev != k.dev {
		_, err := streamOf("clEnqueueNDRangeKernel", s, k.dev)
		return err
	}
	g, b := cfg.Grid.Normal(), cfg.Block.Normal()
	if g.X == 0 || b.X == 0 || cfg.SharedBytes != 0 {
		return k.badConfig(cfg)
	}
	if err := k.begin(ours, args); err != nil {
		return err
	}
	code, arg := rawLaunchGrid(ours.raw, k.raw, g, b, args.Pointer())
	k.end(ours)
	if code != 0 {
		return k.explain(code, arg, shape{
			global: [3]uint64{uint64(g.X) * uint64(b.X), uint64(g.Y) * uint64(b.Y), uint64(g.Z) * uint64(b.Z)},
			local:  [3]uint64{uint64(b.X), uint64(b.Y), uint64(b.Z)},
		})
	}
	return nil
}

// begin begins a launch's use of the stream and of k; end ends it.
func (k *Kernel) begin(s *Stream, args driver.ArgRef) error {
	if args.Size() != k.argSize {
		return refused("clEnqueueNDRangeKernel", driver.ErrSignature, "kernel %q was bound to %d bytes of arguments %s and was given %d", k.name, k.argSize, k.sig, args.Size())
	}
	if !s.life.Acquire() {
		return driver.ClosedError(backendName, "clEnqueueNDRangeKernel", "stream")
	}
	if !k.life.Acquire(s.stripe) {
		s.life.Release()
		return driver.ClosedError(backendName, "clEnqueueNDRangeKernel", "kernel")
	}
	return nil
}

func (k *Kernel) end(s *Stream) {
	k.life.Release(s.stripe)
	s.life.Release()
}

func (k *Kernel) badConfig(cfg driver.LaunchConfig) error {
	const op = "clEnqueueNDRangeKernel"
	switch {
	case cfg.SharedBytes != 0:
		return refused(op, driver.ErrUnsupported, "kernel %q: OpenCL has no dynamic shared memory (%d bytes asked for); use a driver.Local parameter", k.name, cfg.SharedBytes)
	case cfg.Grid.X == 0:
		return refused(op, driver.ErrInvalidValue, "kernel %q: the grid is empty: %v blocks of %v", k.name, cfg.Grid, cfg.Block)
	}
	return refused(op, driver.ErrInvalidValue, "kernel %q: the block is empty: %v blocks of %v", k.name, cfg.Grid, cfg.Block)
}

// Enqueue launches in OpenCL's own terms: global sizes that are no multiple of
// the work-group (OpenCL 2.0 and later), a global offset, events to wait for
// and, unless out is nil, one that comes to stand for the launch.
func (k *Kernel) Enqueue(s *Stream, r NDRange, args driver.ArgRef, after []*Event, out *Event) error {
	const op = "clEnqueueNDRangeKernel"
	if k == nil {
		return nilKernel(op)
	}
	if _, err := streamOf(op, s, k.dev); err != nil {
		return err
	}
	sh := shape{dims: 1, global: r.Global, local: r.Local, offset: r.Offset}
	for i := range 3 {
		if i > 0 && sh.global[i] == 0 {
			sh.global[i] = 1
		}
		if sh.local[0] != 0 && sh.local[i] == 0 {
			sh.local[i] = 1
		}
		if sh.global[i] > 1 || sh.offset[i] > 0 || sh.local[i] > 1 {
			sh.dims = uint32(i + 1)
		}
	}
	if sh.global[0] == 0 {
		return refused(op, driver.ErrInvalidValue, "kernel %q: the global size is empty: %v", k.name, r.Global)
	}
	waits, done, err := eventList(op, k.dev, after)
	if err != nil {
		return err
	}
	defer done()
	var raw handle
	if out != nil {
		if _, err := eventOf(op, out, k.dev); err != nil {
			return err
		}
		defer out.life.Release()
		raw = out.raw
	}
	if err := k.begin(s, args); err != nil {
		return err
	}
	code, arg := rawLaunch(s.raw, k.raw, raw, sh, args.Pointer(), waits)
	k.end(s)
	if code != 0 {
		return k.explain(code, arg, sh)
	}
	return nil
}

// explain finds out what a refused launch ran into.
func (k *Kernel) explain(code int32, arg int, sh shape) error {
	if arg >= 0 {
		p := k.sig.Params[arg]
		if p.Kind == driver.ParamPointer && code == -38 {
			return refused("clSetKernelArg", driver.ErrClosed, "kernel %q, parameter %d (%s): the %s is of memory that was closed", k.name, arg, p.Field, p.Describe())
		}
		return failure("clSetKernelArg", code, "kernel %q, parameter %d (%s): %s, %d bytes%s", k.name, arg, p.Field, p.Describe(), p.Size, k.argHint(p))
	}
	const op = "clEnqueueNDRangeKernel"
	group := sh.local[0] * sh.local[1] * sh.local[2]
	for i, n := range sh.local {
		if limit := k.dev.info.MaxBlock[i]; limit > 0 && n > limit {
			return k.limit(code, "a block of %v threads; in dimension %d %s allows %d", sh.local, i, k.dev.info.Name, limit)
		}
	}
	if limit := k.dev.info.MaxBlockVolume; limit > 0 && group > limit {
		return k.limit(code, "a block of %v, %d threads; %s allows %d", sh.local, group, k.dev.info.Name, limit)
	}
	a, err := k.Attributes()
	if err != nil {
		return failure(op, code, "kernel %q", k.name)
	}
	switch {
	case a.RequiredBlock != [3]uint64{} && a.RequiredBlock != sh.local && sh.local[0] != 0:
		return k.limit(code, "a block of %v; the kernel was compiled for %v only", sh.local, a.RequiredBlock)
	case a.MaxBlockVolume > 0 && group > a.MaxBlockVolume:
		return k.limit(code, "a block of %v, %d threads; this kernel allows %d", sh.local, group, a.MaxBlockVolume)
	case a.SharedBytes > k.dev.info.LocalMemory:
		return k.limit(code, "%s of local memory; %s has %s", driver.ByteSize(a.SharedBytes), k.dev.info.Name, driver.ByteSize(k.dev.info.LocalMemory))
	}
	for i, n := range sh.local {
		if n > 0 && sh.global[i]%n != 0 {
			return k.limit(code, "a global size of %v is no multiple of the work-group's %v in dimension %d, which OpenCL 1.x never takes and later versions only where the device can and the module is built for them", sh.global, sh.local, i)
		}
	}
	return failure(op, code, "kernel %q, %v work-items in groups of %v, %s of local memory of %s", k.name, sh.global, sh.local,
		driver.ByteSize(a.SharedBytes), driver.ByteSize(k.dev.info.LocalMemory))
}

// limit is the error of a launch that broke a limit, whatever the driver called
// it.
func (k *Kernel) limit(code int32, format string, args ...any) error {
	e := failure("clEnqueueNDRangeKernel", code, "kernel %q: %s", k.name, fmt.Sprintf(format, args...)).(*driver.Error)
	e.Kind = driver.ErrInvalidValue
	return e
}

func (k *Kernel) argHint(p driver.Param) string {
	switch p.Kind {
	case driver.ParamLocal:
		return "; a local-memory parameter needs a size above 0, made with driver.LocalOf"
	case driver.ParamPointer:
		return "; a pointer must come from memory of this device"
	}
	return ""
}

// Close implements driver.Kernel (clReleaseKernel). Launches under way finish.
func (k *Kernel) Close() error {
	if k != nil {
		k.life.Close()
	}
	return nil
}
