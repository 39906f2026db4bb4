package cuda

import (
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

var globalKind = lifetime.NewKind("cuda global")

// Global is a variable of the module, __device__, __constant__ or __managed__, as
// memory of the variable's size: Stream.Copy and the like read and write it
// (cuModuleGetGlobal). It keeps the module loaded until its Close, which frees
// nothing. C++ names are mangled unless the variable is extern "C". ErrNotFound if
// there is none of that name, which the compiler may have left out as unused.
func (m *Module) Global(name string) (*Memory, error) {
	const op = "cuModuleGetGlobal"
	if err := m.use(op); err != nil {
		return nil, err
	}
	var at, size uint64
	code := int32(codeNotFound)
	if name != "" && !strings.ContainsRune(name, 0) {
		at, size, code = rawModuleGlobal(m.dev.raw, m.raw, name)
	}
	if code != 0 {
		m.life.Release()
		if code == codeNotFound {
			return nil, refused(op, driver.ErrNotFound, "there is no variable %q in %q; C++ variables have mangled names unless they are extern \"C\", and unused ones may be left out", name, m.name)
		}
		return nil, m.dev.failure(op, code, "variable %q of %q", name, m.name)
	}
	g := &Memory{dev: m.dev, addr: at, size: size}
	g.root = g
	g.life.Init(globalKind, m.life.Release)
	return g, nil
}

// LoadingMode says when the driver loads code (CUmoduleLoadingMode).
type LoadingMode int32

// The modes, which the environment variable CUDA_MODULE_LOADING chooses.
const (
	EagerLoading LoadingMode = 1 // all of a module's kernels with the module
	LazyLoading  LoadingMode = 2 // each kernel when it is first used
)

// ModuleLoading is the driver's mode for this process (cuModuleGetLoadingMode, since
// CUDA 11.7).
func ModuleLoading() (LoadingMode, error) {
	const op = "cuModuleGetLoadingMode"
	lib := load()
	if lib.Err != nil {
		return 0, lib.Err
	}
	mode, code := rawLoadingMode()
	if code == codeNotSupported && !lib.Has(op) {
		return 0, unsupported(op, op, "CUDA 11.7")
	}
	return LoadingMode(mode), failure(op, code, "")
}

// Loaded tells whether the kernel's code is on the device (cuFuncIsLoaded, since CUDA
// 12.4). Binding has put it there.
func (k *Kernel) Loaded() (bool, error) {
	const op = "cuFuncIsLoaded"
	if err := k.use(op); err != nil {
		return false, err
	}
	defer k.life.Release(0)
	yes, code := rawFunctionLoaded(k.dev.raw, k.fn)
	return yes, k.dev.optional(op, code, "CUDA 12.4", "kernel %q", k.name)
}
