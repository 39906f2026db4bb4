package hip

import (
	"sync"
	"unsafe"

	"github.com/triad-gpu/triad/driver"
)

// smallParams is how many bytes of arguments lie on the stack; more come from a pool
// of blocks that hold all that a kernel can have.
const smallParams = 512

var paramBlocks = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// LaunchParams launches with an array of pointers to the arguments, one for each
// parameter, as hipModuleLaunchKernel itself takes them: for code that has such an array
// already. Each pointer is to as many bytes as the module says that the parameter has, in Go's memory or C's; they are copied during the call, so Go
// memory that they point into may hold Go pointers, though kernels have no use for
// those. The call is one crossing and allocates nothing.
//
// ErrSignature for another number of pointers than the kernel has parameters,
// ErrInvalidValue for a nil one, ErrUnsupported for a kernel whose
// parameters aren't known. Dynamic shared memory is cfg.SharedBytes: parameters of kind Local,
// which HIP doesn't know, are refused with ErrSignature.
func (k *Kernel) LaunchParams(s driver.Stream, cfg driver.LaunchConfig, params []unsafe.Pointer) error {
	const op = "hipModuleLaunchKernel"
	if k == nil {
		return nilKernel(op)
	}
	if err := k.checkParams(op, params); err != nil {
		return err
	}
	if k.argSize <= smallParams {
		var block [smallParams]byte
		return k.launchBlock(s, cfg, params, block[:k.argSize])
	}
	block := paramBlocks.Get().(*[32 << 10]byte)
	err := k.launchBlock(s, cfg, params, block[:k.argSize])
	paramBlocks.Put(block)
	return err
}

func (k *Kernel) checkParams(op string, params []unsafe.Pointer) error {
	switch {
	case k.sig == nil: // never bound
		return driver.ClosedError(backendName, op, "kernel")
	case k.unverified != "":
		return refused(op, driver.ErrUnsupported, "kernel %q: %s", k.name, k.unverified)
	case len(params) != len(k.sig.Params):
		return refused(op, driver.ErrSignature, "kernel %q has %d parameters %s, and there are %d pointers", k.name, len(k.sig.Params), k.sig, len(params))
	}
	for i := range k.sig.Params {
		if k.sig.Params[i].Kind == driver.ParamLocal {
			return refused(op, driver.ErrSignature, "kernel %q, field %d (%s) of its signature is no parameter of HIP's; bind it without a signature", k.name, i, k.sig.Params[i].Field)
		}
		if params[i] == nil {
			return refused(op, driver.ErrInvalidValue, "kernel %q, parameter %d: the pointer is nil", k.name, i)
		}
	}
	return nil
}

// launchBlock launches with the arguments copied to where the signature has them.
func (k *Kernel) launchBlock(s driver.Stream, cfg driver.LaunchConfig, params []unsafe.Pointer, block []byte) error {
	for i := range k.sig.Params {
		p := &k.sig.Params[i]
		copy(block[p.Offset:p.Offset+p.Size], unsafe.Slice((*byte)(params[i]), p.Size))
	}
	ours, err := streamOf("hipModuleLaunchKernel", s, k.dev)
	if err != nil {
		return err
	}
	g, b := cfg.Grid.Normal(), cfg.Block.Normal()
	if g.X == 0 || b.X == 0 {
		return k.emptyShape(cfg)
	}
	if err := k.begin(ours, k.argSize); err != nil {
		return err
	}
	args := unsafe.Pointer(unsafe.SliceData(block))
	code, arg := rawLaunch(ours.raw, k.raw, g, b, cfg.SharedBytes, args)
	if code != 0 {
		err := k.refusedLaunch("hipModuleLaunchKernel", code, arg, g, b, cfg.SharedBytes, args)
		k.end(ours)
		return err
	}
	k.end(ours)
	return nil
}
