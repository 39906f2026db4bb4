package cuda

import "github.com/triad-gpu/triad/driver"

// A kernel gets up to 48 KiB of dynamic shared memory unless it was told that it may
// have more (FuncMaxDynamicSharedSizeBytes). The driver's reason is that of portable
// code; a launch that names a size has decided that already, and code that knows
// only driver.Kernel could not tell the kernel. So the first launch that asks for
// more, and is refused, lets the kernel have all that the device has, and is made
// again. That costs nothing otherwise: launches that go well don't come here.

// allowShared lets the kernel have all the shared memory of the device, if that is
// what a refused launch lacked. The caller has a use of k. An error is of what was asked
// or set for that, and not the launch's.
func (k *Kernel) allowShared(shared uint32, args handle) (bool, error) {
	return k.allow(uint64(rawLaunchShared(k.raw, shared, args)))
}

// allow is allowShared, for that many bytes; false if the kernel may have them
// already, or never can.
func (k *Kernel) allow(need uint64) (bool, error) {
	allowed, err := k.attribute(FuncMaxDynamicSharedSizeBytes)
	if err != nil || need <= uint64(allowed) {
		return false, err
	}
	static, err := k.attribute(FuncSharedSizeBytes)
	most := int64(k.dev.facts.sharedOptIn) - int64(static)
	if err != nil || int64(need) > most {
		return false, err
	}
	code := rawFunctionSetAttribute(k.dev.raw, k.fn, int(FuncMaxDynamicSharedSizeBytes), int(most))
	return code == 0, k.dev.failure("cuFuncSetAttribute", code, "%s of dynamic shared memory for kernel %q", driver.ByteSize(uint64(most)), k.name)
}

// usualShared is what every kernel may have.
const usualShared = 48 << 10

// asLaunched lets the kernel have as much as the launch that is asked about would. Where
// that fails, the launch would as well.
func (k *Kernel) asLaunched(shared uint32) {
	if shared > usualShared {
		_, _ = k.allow(uint64(shared))
	}
}

// sharedFits tells whether a block can have so much dynamic shared memory at all.
func (k *Kernel) sharedFits(shared uint32) bool {
	static, err := k.attribute(FuncSharedSizeBytes)
	most := k.dev.facts.sharedOptIn
	return err != nil || most == 0 || uint64(static)+uint64(shared) <= most
}
