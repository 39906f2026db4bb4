package cuda

import (
	"context"
	"fmt"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Kernel is a CUDA function bound to a layout of its arguments. It implements
// driver.Kernel; all methods may be called from any goroutine, and any number of
// them may launch at once.
type Kernel struct {
	life       lifetime.Shared
	dev        *Device
	raw        handle
	fn         handle // the CUfunction
	name       string
	sig        *driver.Signature
	argSize    uintptr
	places     []int // of the plan's entries in sig.Params
	unverified string
}

var kernelKind = lifetime.NewKind("cuda kernel")

// Bind is Kernel, with the concrete type. It puts the kernel's code on the device,
// which may wait for what runs there (cuFuncLoad; before CUDA 12.4 cuFuncGetAttribute,
// which has the same effect).
func (m *Module) Bind(ctx context.Context, name string, sig *driver.Signature) (*Kernel, error) {
	const op = "cuModuleGetFunction"
	if err := m.use(op); err != nil {
		return nil, err
	}
	if ctx != nil && ctx.Err() != nil {
		m.life.Release()
		return nil, ctx.Err()
	}
	k, err := m.bind(op, name, sig)
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

func (m *Module) bind(op, name string, sig *driver.Signature) (*Kernel, error) {
	d := m.dev
	notFound := func() error {
		if m.names == nil {
			_, why := m.KernelNames()
			return refused(op, driver.ErrNotFound, "there is no kernel %q in %q; C++ kernels have mangled names unless they are extern \"C\"; which there are is not known: %v", name, m.name, why)
		}
		return refused(op, driver.ErrNotFound, "there is no kernel %q in %q; it has %s%s", name, m.name, strings.Join(m.names, ", "), mangledHint(name, m.names))
	}
	if name == "" || strings.ContainsRune(name, 0) {
		return nil, notFound()
	}
	fn, code := rawModuleFunction(d.raw, m.raw, name)
	if code == codeNotFound {
		return nil, notFound()
	}
	if err := d.failure(op, code, "kernel %q of %q", name, m.name); err != nil {
		return nil, err
	}
	// A driver that loads code when it is first used would have the first launch wait
	// for what runs on the device.
	if err := d.failure("cuFuncLoad", rawFunctionLoad(d.raw, fn), "kernel %q of %q", name, m.name); err != nil {
		return nil, err
	}
	k := &Kernel{dev: d, name: name, sig: sig, fn: fn}
	sizes, known, err := d.paramSizes(name, fn)
	if err != nil {
		return nil, err
	}
	if sig == nil {
		k.sig, err = signatureOf(name, sizes, known)
	} else {
		k.unverified, err = verify(name, sig, sizes, known)
	}
	if err != nil {
		return nil, err
	}
	if limit := d.info.MaxParamBytes; uint64(k.sig.Size) > uint64(limit) && limit > 0 {
		return nil, refused(op, driver.ErrSignature, "kernel %q takes %d bytes of arguments; %s allows %d", name, k.sig.Size, d.info.Name, limit)
	}
	params, locals := k.plan()
	if len(params) > maxParams {
		return nil, refused(op, driver.ErrSignature, "kernel %q has %d parameters; at most %d are possible", name, len(params), maxParams)
	}
	k.argSize = uintptr(k.sig.Size)
	if k.raw = rawKernelNew(d.raw, fn, params, locals, packed(params, locals, sizes)); k.raw == nil {
		return nil, refused(op, driver.ErrOutOfMemory, "no host memory for kernel %q", name)
	}
	return k, nil
}

// mangledHint helps who asks for a C++ kernel by its plain name.
func mangledHint(name string, names []string) string {
	for _, n := range names {
		if strings.HasPrefix(n, "_Z") && strings.Contains(n, fmt.Sprintf("%d%s", len(name), name)) {
			return fmt.Sprintf("; %q is %q unless it is extern \"C\"", name, n)
		}
	}
	return ""
}

// maxParams is TRIAD_CU_MAX_PARAMS.
const maxParams = 4096

// plan is what the launch needs of the signature: the parameters, and the sizes of
// dynamic shared memory, which are none of CUDA's parameters.
func (k *Kernel) plan() (params, locals []planParam) {
	var local []int
	for i, p := range k.sig.Params {
		q := planParam{offset: p.Offset, size: p.Size, kind: argValue}
		switch p.Kind {
		case driver.ParamLocal:
			q.kind = argLocal
			locals = append(locals, q)
			local = append(local, i)
			continue
		case driver.ParamPointer:
			q.kind = argPointer
		}
		params = append(params, q)
		k.places = append(k.places, i)
	}
	k.places = append(k.places, local...)
	return params, locals
}

// packed is how many bytes of a launch's arguments the driver can be given as they are,
// which it takes at once: those that lie where it wants its parameters, as it tells. 0
// where they don't, or where it doesn't tell; then it is given a pointer to each.
func packed(params, locals []planParam, places []paramPlace) uint32 {
	if len(locals) > 0 || len(params) == 0 || len(params) != len(places) {
		return 0
	}
	for i, p := range params {
		if uint64(p.offset) != places[i].offset {
			return 0
		}
	}
	last := params[len(params)-1]
	return last.offset + last.size
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

// Verified implements driver.Kernel: CUDA tells the number, places and sizes of
// parameters, and not their types.
func (k *Kernel) Verified() bool { return k.unverified == "" }

// Unverified implements driver.Kernel.
func (k *Kernel) Unverified() string { return k.unverified }

// Native returns the CUfunction as an integer, for a user's own C code. It is valid
// until Close; 0 afterwards.
func (k *Kernel) Native() uintptr {
	if k == nil || !k.life.Acquire(0) {
		return 0
	}
	defer k.life.Release(0)
	return native(k.fn)
}

// use brackets a call on k other than a launch.
func (k *Kernel) use(op string) error {
	if k == nil {
		return nilKernel(op)
	}
	if !k.life.Acquire(0) {
		return driver.ClosedError(backendName, op, "kernel")
	}
	return nil
}

// Attributes implements driver.Kernel (cuFuncGetAttribute).
func (k *Kernel) Attributes() (driver.KernelAttributes, error) {
	var a driver.KernelAttributes
	if err := k.use("cuFuncGetAttribute"); err != nil {
		return a, err
	}
	defer k.life.Release(0)
	var values [5]int
	for i, want := range [5]FuncAttribute{FuncMaxThreadsPerBlock, FuncSharedSizeBytes, FuncLocalSizeBytes, FuncConstSizeBytes, FuncNumRegs} {
		var err error
		if values[i], err = k.attribute(want); err != nil {
			return a, err
		}
	}
	a = driver.KernelAttributes{
		MaxBlockVolume: uint64(values[0]), SharedBytes: uint64(values[1]), LocalBytes: uint64(values[2]),
		ConstBytes: uint64(values[3]), Registers: uint32(values[4]), BlockMultiple: uint64(k.dev.info.WarpSize),
	}
	return a, nil
}

// Close implements driver.Kernel. Launches under way finish.
func (k *Kernel) Close() error {
	if k != nil {
		k.life.Close()
	}
	return nil
}
