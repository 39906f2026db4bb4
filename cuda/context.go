package cuda

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

// Limit is a limit of a context (CUlimit).
type Limit int32

// The limits of contexts. The driver takes a value as a request, and may round it.
const (
	LimitStackSize                    Limit = 0 // bytes of stack of a thread
	LimitPrintfFIFOSize               Limit = 1 // bytes that hold what kernels print
	LimitMallocHeapSize               Limit = 2 // bytes that kernels can allocate
	LimitDevRuntimeSyncDepth          Limit = 3
	LimitDevRuntimePendingLaunchCount Limit = 4
	LimitMaxL2FetchGranularity        Limit = 5 // bytes, a hint: 0 to 128
	LimitPersistingL2CacheSize        Limit = 6 // bytes of L2 set aside for accesses that persist
	LimitSharedMemorySize             Limit = 7
	LimitCIGEnabled                   Limit = 8
	LimitCIGSharedFallbackEnabled     Limit = 9
)

var limitNames = [...]string{
	"STACK_SIZE", "PRINTF_FIFO_SIZE", "MALLOC_HEAP_SIZE", "DEV_RUNTIME_SYNC_DEPTH", "DEV_RUNTIME_PENDING_LAUNCH_COUNT",
	"MAX_L2_FETCH_GRANULARITY", "PERSISTING_L2_CACHE_SIZE", "SHMEM_SIZE", "CIG_ENABLED", "CIG_SHMEM_FALLBACK_ENABLED",
}

// String is the driver's name for the limit: CU_LIMIT_….
func (l Limit) String() string {
	if l < 0 || int(l) >= len(limitNames) {
		return fmt.Sprintf("CU_LIMIT(%d)", int32(l))
	}
	return "CU_LIMIT_" + limitNames[l]
}

// Limit is the value of one of the context's limits (cuCtxGetLimit). ErrUnsupported
// for one that the device or the driver doesn't have.
func (d *Device) Limit(l Limit) (uint64, error) {
	const op = "cuCtxGetLimit"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	v, code := rawContextLimit(d.raw, int(l))
	return v, d.failure(op, code, "%v of %s", l, d.info.Name)
}

// SetLimit asks for another value of one of the context's limits, for all who use
// the context (cuCtxSetLimit); Limit then tells what it has become.
func (d *Device) SetLimit(l Limit, value uint64) error {
	const op = "cuCtxSetLimit"
	if err := d.use(op); err != nil {
		return err
	}
	defer d.life.Release()
	return d.failure(op, rawContextSetLimit(d.raw, int(l), value), "%v of %s to %d", l, d.info.Name, value)
}

// LimitValue is a limit of a context, with its value.
type LimitValue struct {
	Limit Limit
	Value uint64
}

// Limits are all limits that the context has.
func (d *Device) Limits() ([]LimitValue, error) {
	if err := d.use("cuCtxGetLimit"); err != nil {
		return nil, err
	}
	defer d.life.Release()
	var list []LimitValue
	for i := range limitNames {
		if v, code := rawContextLimit(d.raw, i); code == 0 {
			list = append(list, LimitValue{Limit(i), v})
		}
	}
	return list, nil
}

// CacheConfig says how L1 cache and shared memory, which are one memory on many
// devices, are divided (CUfunc_cache). It is a wish: a kernel that needs more shared
// memory gets it.
type CacheConfig int32

// The divisions of L1 cache and shared memory.
const (
	CachePreferNone   CacheConfig = 0
	CachePreferShared CacheConfig = 1
	CachePreferL1     CacheConfig = 2
	CachePreferEqual  CacheConfig = 3
)

func (c CacheConfig) check(op string) error {
	if c < CachePreferNone || c > CachePreferEqual {
		return refused(op, driver.ErrInvalidValue, "there is no preference %d for L1 or shared memory", c)
	}
	return nil
}

// CacheConfig is the context's preference (cuCtxGetCacheConfig).
func (d *Device) CacheConfig() (CacheConfig, error) {
	const op = "cuCtxGetCacheConfig"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	v, code := rawContextCache(d.raw)
	return CacheConfig(v), d.failure(op, code, "")
}

// SetCacheConfig sets the context's preference, for kernels that have none of their
// own (cuCtxSetCacheConfig).
func (d *Device) SetCacheConfig(c CacheConfig) error {
	const op = "cuCtxSetCacheConfig"
	if err := d.use(op); err != nil {
		return err
	}
	defer d.life.Release()
	if err := c.check(op); err != nil {
		return err
	}
	return d.failure(op, rawContextSetCache(d.raw, int(c)), "to %d", c)
}

// StreamPriorities is the range of priorities that make a difference, from the least
// urgent to the most, which is the lower number (cuCtxGetStreamPriorityRange). Both
// are 0 where there are none. Values beyond count as the ends.
func (d *Device) StreamPriorities() (least, greatest int, err error) {
	const op = "cuCtxGetStreamPriorityRange"
	if err := d.use(op); err != nil {
		return 0, 0, err
	}
	defer d.life.Release()
	least, greatest, code := rawContextPriorities(d.raw)
	return least, greatest, d.failure(op, code, "")
}

// ContextFlags are the flags that the context has (cuCtxGetFlags).
func (d *Device) ContextFlags() (ContextFlags, error) {
	const op = "cuCtxGetFlags"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	f, code := rawContextFlags(d.raw)
	return ContextFlags(f), d.failure(op, code, "")
}

// SetContextFlags changes the flags of the context while it is in use
// (cuCtxSetFlags, since CUDA 12.1).
func (d *Device) SetContextFlags(f ContextFlags) error {
	const op = "cuCtxSetFlags"
	if err := d.use(op); err != nil {
		return err
	}
	defer d.life.Release()
	return d.optional(op, rawContextSetFlags(d.raw, uint32(f)), "CUDA 12.1", "to %#x", uint32(f))
}

// ContextID is the context's number, which no other one of this process has or has
// had (cuCtxGetId, since CUDA 12.0).
func (d *Device) ContextID() (uint64, error) {
	const op = "cuCtxGetId"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	id, code := rawContextID(d.raw)
	return id, d.optional(op, code, "CUDA 12.0", "")
}

// APIVersion is the version of the interface that the context was made with
// (cuCtxGetApiVersion): that of the interface, not of CUDA.
func (d *Device) APIVersion() (int, error) {
	const op = "cuCtxGetApiVersion"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	v, code := rawContextAPI(d.raw)
	return v, d.failure(op, code, "")
}

// ResetPersistingL2 makes all lines of the L2 cache ordinary ones
// (cuCtxResetPersistingL2Cache); see Stream.SetAccessWindow.
func (d *Device) ResetPersistingL2() error {
	const op = "cuCtxResetPersistingL2Cache"
	if err := d.use(op); err != nil {
		return err
	}
	defer d.life.Release()
	return d.failure(op, rawContextResetL2(d.raw), "")
}

// PrimaryState tells whether a device's primary context is active, in whose hands
// ever, and which flags it has or will get (cuDevicePrimaryCtxGetState). It opens
// nothing.
func PrimaryState(index int) (flags ContextFlags, active bool, err error) {
	f, err := find(index)
	if err != nil {
		return 0, false, err
	}
	bits, active, code := rawPrimaryState(f.id)
	return ContextFlags(bits), active, failure("cuDevicePrimaryCtxGetState", code, "of %s", f.info.Name)
}

// SetPrimaryFlags sets the flags of a device's primary context, for when it is
// activated (cuDevicePrimaryCtxSetFlags). Some drivers change those of an active one,
// and some refuse that with ErrInvalidContext.
func SetPrimaryFlags(index int, flags ContextFlags) error {
	f, err := find(index)
	if err != nil {
		return err
	}
	return failure("cuDevicePrimaryCtxSetFlags", rawPrimaryFlags(f.id, uint32(flags)), "of %s to %#x", f.info.Name, uint32(flags))
}

// optional is d.failure for a call that only drivers from a version on have; the
// symbol is op.
func (d *Device) optional(op string, code int32, need, detail string, args ...any) error {
	if code == codeNotSupported && !load().Has(op) {
		return unsupported(op, op, need)
	}
	return d.failure(op, code, detail, args...)
}
