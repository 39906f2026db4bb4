package hip

import (
	"fmt"
	"slices"

	"github.com/triad-gpu/triad/driver"
)

// Limit is a limit of a device (hipLimit_t).
type Limit int32

// The limits of devices. The runtime takes a value as a request, and may round it.
const (
	LimitStackSize      Limit = 0      // bytes of stack of a thread
	LimitPrintfFIFOSize Limit = 1      // bytes that hold what kernels print
	LimitMallocHeapSize Limit = 2      // bytes that kernels can allocate
	LimitScratchMin     Limit = 0x1000 // hipExtLimitScratchMin: bytes of scratch memory that are kept
	LimitScratchMax     Limit = 0x1001
	LimitScratchCurrent Limit = 0x1002
)

var limitNames = map[Limit]string{
	LimitStackSize: "hipLimitStackSize", LimitPrintfFIFOSize: "hipLimitPrintfFifoSize", LimitMallocHeapSize: "hipLimitMallocHeapSize",
	LimitScratchMin: "hipExtLimitScratchMin", LimitScratchMax: "hipExtLimitScratchMax", LimitScratchCurrent: "hipExtLimitScratchCurrent",
}

// String is the runtime's name for the limit.
func (l Limit) String() string {
	if s, ok := limitNames[l]; ok {
		return s
	}
	return fmt.Sprintf("hipLimit(%d)", int32(l))
}

// Limit is the value of one of the device's limits (hipDeviceGetLimit). ErrUnsupported
// for one that the device or the driver doesn't have.
func (d *Device) Limit(l Limit) (uint64, error) {
	const op = "hipDeviceGetLimit"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	v, code := rawDeviceLimit(d.raw, int(l))
	return v, d.failure(op, code, "%v of %s", l, d.info.Name)
}

// SetLimit asks for another value of one of the device's limits, for all who use the
// device in this process (hipDeviceSetLimit, since HIP 5.3); Limit then tells what it
// has become.
func (d *Device) SetLimit(l Limit, value uint64) error {
	const op = "hipDeviceSetLimit"
	if err := d.use(op); err != nil {
		return err
	}
	defer d.life.Release()
	return d.optional(op, rawDeviceSetLimit(d.raw, int(l), value), "HIP 5.3", "%v of %s to %d", l, d.info.Name, value)
}

// LimitValue is a limit of a device, with its value.
type LimitValue struct {
	Limit Limit
	Value uint64
}

// Limits are all limits that the device has.
func (d *Device) Limits() ([]LimitValue, error) {
	if err := d.use("hipDeviceGetLimit"); err != nil {
		return nil, err
	}
	defer d.life.Release()
	var list []LimitValue
	for l := range limitNames {
		if v, code := rawDeviceLimit(d.raw, int(l)); code == 0 {
			list = append(list, LimitValue{l, v})
		}
	}
	slices.SortFunc(list, func(a, b LimitValue) int { return int(a.Limit - b.Limit) })
	return list, nil
}

// CacheConfig says how L1 cache and shared memory, which are one memory on many
// devices, are divided (hipFuncCache_t). It is a wish: a kernel that needs more shared
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

// CacheConfig is the device's preference (hipDeviceGetCacheConfig).
func (d *Device) CacheConfig() (CacheConfig, error) {
	const op = "hipDeviceGetCacheConfig"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	v, code := rawDeviceCache(d.raw)
	return CacheConfig(v), d.failure(op, code, "")
}

// SetCacheConfig sets the device's preference for kernels; AMD's devices divide nothing, and
// ignore it (hipDeviceSetCacheConfig).
func (d *Device) SetCacheConfig(c CacheConfig) error {
	const op = "hipDeviceSetCacheConfig"
	if err := d.use(op); err != nil {
		return err
	}
	defer d.life.Release()
	if err := c.check(op); err != nil {
		return err
	}
	return d.failure(op, rawDeviceSetCache(d.raw, int(c)), "to %d", c)
}

// StreamPriorities is the range of priorities that make a difference, from the least
// urgent to the most, which is the lower number (hipDeviceGetStreamPriorityRange). Both
// are 0 where there are none. Values beyond count as the ends.
func (d *Device) StreamPriorities() (least, greatest int, err error) {
	const op = "hipDeviceGetStreamPriorityRange"
	if err := d.use(op); err != nil {
		return 0, 0, err
	}
	defer d.life.Release()
	least, greatest, code := rawDevicePriorities(d.raw)
	return least, greatest, d.failure(op, code, "")
}

// Flags are the flags that the device has (hipGetDeviceFlags).
func (d *Device) Flags() (DeviceFlags, error) {
	const op = "hipGetDeviceFlags"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	f, code := rawDeviceFlags(d.raw)
	return DeviceFlags(f), d.failure(op, code, "")
}

// SetFlags changes the flags of the device while it is in use (hipSetDeviceFlags), for
// all who use it in this process.
func (d *Device) SetFlags(f DeviceFlags) error {
	const op = "hipSetDeviceFlags"
	if err := d.use(op); err != nil {
		return err
	}
	defer d.life.Release()
	return d.failure(op, rawDeviceSetFlags(d.raw, uint32(f)), "to %#x", uint32(f))
}

// optional is d.failure for a call that only runtimes from a version on have; the
// symbol is op.
func (d *Device) optional(op string, code int32, need, detail string, args ...any) error {
	if code == codeNotSupported && !load().Has(op) {
		return unsupported(op, op, need)
	}
	return d.failure(op, code, detail, args...)
}
