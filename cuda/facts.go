package cuda

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

// found is a device as it was listed.
type found struct {
	info  *driver.DeviceInfo
	id    int32 // the CUdevice
	facts facts
}

// facts are what this package asks of a device beyond what DeviceInfo has.
type facts struct {
	major, minor int // compute capability
	uuid         [16]byte
	pci          string
	sharedOptIn  uint64 // dynamic shared memory of a block, for kernels that ask
	pitch        uint64 // largest distance of rows in copies
	cooperative  bool
	mapHost      bool
}

// listDevices lists the devices in the driver's order.
func listDevices() ([]found, error) {
	lib := load()
	if lib.Err != nil {
		return nil, lib.Err
	}
	n, code := rawDeviceCount()
	if err := failure("cuDeviceGetCount", code, ""); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, refused("cuDeviceGetCount", driver.ErrNoDevice, "the driver %s works and shows no device to this process%s", lib.Path, initHints[100])
	}
	list := make([]found, 0, n)
	for i := range n {
		id, code := rawDeviceGet(i)
		if err := failure("cuDeviceGet", code, "device %d of %d", i, n); err != nil {
			return nil, err
		}
		f, err := describe(id, i, lib.version)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// describe asks for a device's properties. An attribute that the driver doesn't know
// stays 0, and so do the identity and the place of a device that doesn't tell.
func describe(id int32, index, version int) (f found, err error) {
	failed := func(op string, code int32, detail string, args ...any) {
		if code != 0 && err == nil {
			err = failure(op, code, "device %d: "+detail, append([]any{index}, args...)...)
		}
	}
	num := func(a Attribute) uint64 {
		v, code := rawDeviceAttribute(id, int(a))
		if code != codeInvalidValue && code != codeNotSupported {
			failed("cuDeviceGetAttribute", code, "%v", a)
		}
		if code != 0 || v < 0 {
			return 0
		}
		return uint64(v)
	}
	f = found{id: id}
	f.facts = facts{
		major: int(num(AttrComputeCapabilityMajor)), minor: int(num(AttrComputeCapabilityMinor)),
		sharedOptIn: num(AttrMaxSharedMemoryPerBlockOptIn),
		pitch:       num(AttrMaxPitch),
		cooperative: num(AttrCooperativeLaunch) != 0,
		mapHost:     num(AttrCanMapHostMemory) != 0,
	}
	f.facts.uuid, _ = rawDeviceUUID(id)
	f.facts.pci, _ = rawDevicePCI(id)
	name, code := rawDeviceName(id)
	failed("cuDeviceGetName", code, "its name")
	memory, code := rawDeviceMemory(id)
	failed("cuDeviceTotalMem", code, "its memory")
	params := uint32(4096)
	if version >= 12010 && f.facts.major >= 7 {
		params = 32764
	}
	f.info = &driver.DeviceInfo{
		Backend: backendName, Index: index, Name: name, Vendor: "NVIDIA", Platform: "CUDA",
		Version: fmt.Sprintf("compute capability %d.%d", f.facts.major, f.facts.minor),
		Driver:  versionText(version),
		Class:   driver.ClassGPU,
		Memory:  memory, MaxAlloc: memory,
		LocalMemory:    num(AttrMaxSharedMemoryPerBlock),
		MaxParamBytes:  params,
		ComputeUnits:   uint32(num(AttrMultiprocessorCount)),
		ClockMHz:       uint32(num(AttrClockRate) / 1000),
		MaxBlockVolume: num(AttrMaxThreadsPerBlock),
		MaxBlock:       [3]uint64{num(AttrMaxBlockDimX), num(AttrMaxBlockDimY), num(AttrMaxBlockDimZ)},
		MaxGrid:        [3]uint64{num(AttrMaxGridDimX), num(AttrMaxGridDimY), num(AttrMaxGridDimZ)},
		WarpSize:       uint32(num(AttrWarpSize)),
		UnifiedMemory:  num(AttrIntegrated) != 0,
		RealAddresses:  true, DoublePrecision: true,
		HalfPrecision:    f.facts.major > 5 || f.facts.major == 5 && f.facts.minor >= 3,
		StreamPriorities: num(AttrStreamPrioritiesSupported) != 0,
	}
	return f, err
}
