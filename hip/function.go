package hip

// FuncAttribute is something that a kernel can be asked for (hipFunction_attribute).
type FuncAttribute int32

// The attributes of kernels.
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
)

// HIP sets attributes of kernels by the host's stub of one (hipFuncSetAttribute,
// hipFuncSetCacheConfig), which functions of modules don't have. AMD's devices need
// none of them: all shared memory of a block is there without being asked for.

// Attribute asks for one of the kernel's attributes (hipFuncGetAttribute).
func (k *Kernel) Attribute(a FuncAttribute) (int, error) {
	if err := k.use("hipFuncGetAttribute"); err != nil {
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
	return 0, k.dev.failure("hipFuncGetAttribute", code, "attribute %d of kernel %q", a, k.name)
}
