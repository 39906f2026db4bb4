package cuda

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

// FuncAttribute is something that a kernel can be asked for, or told
// (CUfunction_attribute).
type FuncAttribute int32

// The attributes of kernels. The first seven can't be set.
const (
	FuncMaxThreadsPerBlock            FuncAttribute = 0
	FuncSharedSizeBytes               FuncAttribute = 1
	FuncConstSizeBytes                FuncAttribute = 2
	FuncLocalSizeBytes                FuncAttribute = 3
	FuncNumRegs                       FuncAttribute = 4
	FuncPTXVersion                    FuncAttribute = 5
	FuncBinaryVersion                 FuncAttribute = 6
	FuncCacheModeCA                   FuncAttribute = 7
	FuncMaxDynamicSharedSizeBytes     FuncAttribute = 8
	FuncPreferredSharedMemoryCarveout FuncAttribute = 9
	FuncClusterSizeMustBeSet          FuncAttribute = 10
	FuncRequiredClusterWidth          FuncAttribute = 11
	FuncRequiredClusterHeight         FuncAttribute = 12
	FuncRequiredClusterDepth          FuncAttribute = 13
	FuncNonPortableClusterSizeAllowed FuncAttribute = 14
	FuncClusterSchedulingPolicy       FuncAttribute = 15
)

// Attribute asks for one of the kernel's attributes (cuFuncGetAttribute).
func (k *Kernel) Attribute(a FuncAttribute) (int, error) {
	if err := k.use("cuFuncGetAttribute"); err != nil {
		return 0, err
	}
	defer k.life.Release(0)
	return k.attribute(a)
}

func (k *Kernel) attribute(a FuncAttribute) (int, error) {
	v, code := rawFunctionAttribute(k.dev.raw, k.fn, int(a))
	if code == 0 {
		return v, nil
	}
	return 0, k.dev.failure("cuFuncGetAttribute", code, "attribute %d of kernel %q", a, k.name)
}

// SetAttribute sets one of the kernel's attributes (cuFuncSetAttribute), for all
// launches of the function from now on. FuncMaxDynamicSharedSizeBytes, without which
// a kernel has no more than 48 KiB of dynamic shared memory, is set by the first
// launch that asks for more.
func (k *Kernel) SetAttribute(a FuncAttribute, value int) error {
	const op = "cuFuncSetAttribute"
	if err := k.use(op); err != nil {
		return err
	}
	defer k.life.Release(0)
	code := rawFunctionSetAttribute(k.dev.raw, k.fn, int(a), value)
	if code == 0 {
		return nil
	}
	detail := fmt.Sprintf("attribute %d of kernel %q to %d", a, k.name, value)
	if a == FuncMaxDynamicSharedSizeBytes {
		static, _ := k.attribute(FuncSharedSizeBytes)
		detail += fmt.Sprintf("; %s allows %s of shared memory to a block, of which the kernel itself has %s",
			k.dev.info.Name, driver.ByteSize(k.dev.facts.sharedOptIn), driver.ByteSize(uint64(static)))
	}
	return k.dev.failure(op, code, "%s", detail)
}
