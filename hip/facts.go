package hip

import (
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// found is a device as it was listed.
type found struct {
	info  *driver.DeviceInfo
	id    int32 // the hipDevice_t, which is the ordinal
	facts facts
}

// facts are what this package asks of a device beyond what DeviceInfo has.
type facts struct {
	major, minor int    // of the architecture
	arch         string // with its features: "gfx90a:sramecc+:xnack-"
	archCode     int32  // of the call that tells it
	uuid         [16]byte
	pci          string
	shared       uint64 // most shared memory of a block
	pitch        uint64 // largest distance of rows in copies
	cooperative  bool
	mapHost      bool
}

// listDevices lists the devices in the runtime's order.
func listDevices() ([]found, error) {
	lib := load()
	if lib.Err != nil {
		return nil, lib.Err
	}
	n, code := rawDeviceCount()
	if err := failure("hipGetDeviceCount", code, ""); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, refused("hipGetDeviceCount", driver.ErrNoDevice, "the runtime %s works and shows no device to this process%s", lib.Path, noDeviceHint)
	}
	list := make([]found, 0, n)
	for i := range n {
		id, code := rawDeviceGet(i)
		if err := failure("hipDeviceGet", code, "device %d of %d", i, n); err != nil {
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

// describe asks for a device's properties. An attribute that the runtime doesn't know
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
			failed("hipDeviceGetAttribute", code, "%v", a)
		}
		if code != 0 || v < 0 {
			return 0
		}
		return uint64(v)
	}
	f = found{id: id}
	f.facts = facts{
		major: int(num(AttrComputeCapabilityMajor)), minor: int(num(AttrComputeCapabilityMinor)),
		shared:      max(num(AttrMaxSharedMemoryPerBlock), num(AttrSharedMemPerBlockOptIn)),
		pitch:       num(AttrMaxPitch),
		cooperative: num(AttrCooperativeLaunch) != 0,
		mapHost:     num(AttrCanMapHostMemory) != 0,
	}
	// The properties tell the architecture. Two of them are attributes too: where they
	// differ, the runtime has filled in another layout than it says, and nothing of it
	// is believed.
	warp, units := num(AttrWarpSize), num(AttrMultiprocessorCount)
	arch, w, u, code := rawDeviceArch(id)
	if f.facts.archCode = code; code == 0 && uint64(w) == warp && uint64(u) == units {
		f.facts.arch = arch
	}
	f.facts.uuid, _ = rawDeviceUUID(id)
	f.facts.pci, _ = rawDevicePCI(id)
	name, code := rawDeviceName(id)
	failed("hipDeviceGetName", code, "its name")
	memory, code := rawDeviceMemory(id)
	failed("hipDeviceTotalMem", code, "its memory")
	f.info = &driver.DeviceInfo{
		Backend: backendName, Index: index, Name: name, Vendor: "AMD", Platform: "HIP",
		Version: processor(f.facts.arch),
		Driver:  versionText(version),
		Class:   driver.ClassGPU,
		Memory:  memory, MaxAlloc: memory,
		LocalMemory:    f.facts.shared,
		MaxParamBytes:  4096,
		ComputeUnits:   uint32(units),
		ClockMHz:       uint32(num(AttrClockRate) / 1000),
		MaxBlockVolume: num(AttrMaxThreadsPerBlock),
		MaxBlock:       [3]uint64{num(AttrMaxBlockDimX), num(AttrMaxBlockDimY), num(AttrMaxBlockDimZ)},
		MaxGrid:        [3]uint64{num(AttrMaxGridDimX), num(AttrMaxGridDimY), num(AttrMaxGridDimZ)},
		WarpSize:       uint32(warp),
		UnifiedMemory:  num(AttrIntegrated) != 0,
		RealAddresses:  true, DoublePrecision: true, HalfPrecision: true,
		StreamPriorities: num(AttrStreamPrioritiesSupported) != 0,
	}
	return f, err
}

// processor is an architecture without its features: "gfx90a".
func processor(arch string) string {
	name, _, _ := strings.Cut(arch, ":")
	return name
}
