package opencl

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Platform is an OpenCL implementation: one vendor's driver.
type Platform struct {
	Name       string
	Vendor     string
	Version    string // "OpenCL 3.0 PoCL …"
	Extensions []string

	id handle
}

// Platforms lists the platforms. ErrLibraryNotFound without a loader,
// ErrNoDevice without a platform; both say what was looked for.
func Platforms() ([]Platform, error) {
	lib := load()
	if lib.Err != nil {
		return nil, lib.Err
	}
	ids, code := rawPlatforms()
	if err := failure("clGetPlatformIDs", code, ""); err != nil || len(ids) == 0 {
		return nil, noPlatform(lib, err)
	}
	list := make([]Platform, len(ids))
	for i, id := range ids {
		list[i] = Platform{
			Name:       infoString(ofPlatform, id, nil, platformName),
			Vendor:     infoString(ofPlatform, id, nil, platformVendor),
			Version:    infoString(ofPlatform, id, nil, platformVersion),
			Extensions: strings.Fields(infoString(ofPlatform, id, nil, platformExtensions)),
			id:         id,
		}
	}
	return list, nil
}

// found is a device as it was listed.
type found struct {
	info     *driver.DeviceInfo
	platform handle
	id       handle
	version  int // 300 for OpenCL 3.0
	compiler string
}

// listDevices lists the devices of all platforms, in the platforms' order. A
// platform that has none, or that fails, is passed over.
func listDevices() ([]found, error) {
	platforms, err := Platforms()
	if err != nil {
		return nil, err
	}
	var list []found
	var failed []string
	for _, p := range platforms {
		ids, code := rawDevices(p.id)
		if code != 0 {
			failed = append(failed, fmt.Sprintf("%s: %v", p.Name, failure("clGetDeviceIDs", code, "")))
			continue
		}
		for _, id := range ids {
			f := found{platform: p.id, id: id}
			f.info, f.version = describe(p, id, len(list))
			f.compiler = compilerID(p, f.info)
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return nil, refused("clGetDeviceIDs", driver.ErrNoDevice, "%d platforms, and none has a device: %s", len(platforms), strings.Join(failed, "; "))
	}
	return list, nil
}

func describe(p Platform, id handle, index int) (*driver.DeviceInfo, int) {
	text := func(param uint32) string { return infoString(ofDevice, id, nil, param) }
	num := func(param uint32) uint64 { return infoUint(ofDevice, id, nil, param) }
	d := &driver.DeviceInfo{
		Backend: backendName, Index: index,
		Name: text(deviceName), Vendor: text(deviceVendor), Platform: p.Name,
		Version: text(deviceVersion), Driver: text(driverVersion),
		Class:           class(num(deviceType)),
		Memory:          num(deviceGlobalMemSize),
		MaxAlloc:        num(deviceMaxMemAllocSize),
		LocalMemory:     num(deviceLocalMemSize),
		MaxParamBytes:   uint32(num(deviceMaxParameterSize)),
		ComputeUnits:    uint32(num(deviceMaxComputeUnits)),
		ClockMHz:        uint32(num(deviceMaxClockFrequency)),
		MaxBlockVolume:  num(deviceMaxWorkGroupSize),
		UnifiedMemory:   num(deviceHostUnifiedMemory) != 0,
		DoublePrecision: num(deviceDoubleFPConfig) != 0,
		Extensions:      strings.Fields(text(deviceExtensions)),
	}
	sort.Strings(d.Extensions)
	version := versionOf(d.Version)
	for i, n := range infoSizes(ofDevice, id, nil, deviceMaxWorkItemSizes) {
		if i < len(d.MaxBlock) {
			d.MaxBlock[i] = n
		}
	}
	d.HalfPrecision = hasExtension(d, "cl_khr_fp16")
	d.StreamPriorities = hasExtension(d, "cl_khr_priority_hints")
	d.OutOfOrder = num(deviceQueueOnHostProperties)&queueOutOfOrder != 0
	d.SPIRV = load().Has("clCreateProgramWithIL") && version >= 210 && strings.Contains(text(deviceILVersion), "SPIR-V")
	d.RealAddresses = load().Has("clSVMAlloc") && version >= 200 && num(deviceSVMCapabilities)&svmCoarseGrainBuffer != 0
	return d, version
}

// compilerID is made of all that OpenCL tells of a compiler, which is part of
// the platform. PoCL names its LLVM in the platform's version, and the processor
// that it compiles for in the device's.
func compilerID(p Platform, d *driver.DeviceInfo) string {
	return fmt.Sprintf("%q", []string{p.Name, p.Vendor, p.Version, d.Name, d.Vendor, d.Version, d.Driver})
}

func class(t uint64) driver.DeviceClass {
	switch {
	case t&deviceTypeGPU != 0:
		return driver.ClassGPU
	case t&deviceTypeAccelerator != 0:
		return driver.ClassAccelerator
	case t&deviceTypeCPU != 0:
		return driver.ClassCPU
	}
	return driver.ClassOther
}

func hasExtension(d *driver.DeviceInfo, name string) bool {
	i := sort.SearchStrings(d.Extensions, name)
	return i < len(d.Extensions) && d.Extensions[i] == name
}

// versionOf reads "OpenCL 3.0 …" as 300; 0 when it says something else.
func versionOf(s string) int {
	var major, minor int
	if n, _ := fmt.Sscanf(s, "OpenCL %d.%d", &major, &minor); n != 2 {
		return 0
	}
	return major*100 + minor*10
}

// infoBytes gets a property, of whatever size; nil when the object has none.
func infoBytes(what int, object, second handle, param uint32) []byte {
	n, code := rawInfo(what, object, second, param, nil)
	if code != 0 || n == 0 {
		return nil
	}
	buf := make([]byte, n)
	if _, code = rawInfo(what, object, second, param, buf); code != 0 {
		return nil
	}
	return buf
}

func infoString(what int, object, second handle, param uint32) string {
	b := infoBytes(what, object, second, param)
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return strings.TrimSpace(string(b))
}

// infoUint gets a number of 4 or 8 bytes; 0 when the object has none.
func infoUint(what int, object, second handle, param uint32) uint64 {
	var buf [8]byte
	n, code := rawInfo(what, object, second, param, buf[:])
	if code != 0 {
		return 0
	}
	if n == 4 {
		return uint64(binary.NativeEndian.Uint32(buf[:]))
	}
	return binary.NativeEndian.Uint64(buf[:])
}

// infoSizes gets an array of size_t.
func infoSizes(what int, object, second handle, param uint32) []uint64 {
	b := infoBytes(what, object, second, param)
	list := make([]uint64, len(b)/8)
	for i := range list {
		list[i] = binary.NativeEndian.Uint64(b[8*i:])
	}
	return list
}
