//go:build cgo && linux

package hip

// #include "triad_hip_c.h"
import "C"

func rawPeerPossible(from, to int32) (bool, int32) {
	var yes C.int
	code := C.triad_hip_peer_possible(C.int(from), C.int(to), &yes)
	return yes != 0, int32(code)
}

func rawPeerAttribute(from, to int32, attribute int) (int, int32) {
	var v C.int
	code := C.triad_hip_peer_attribute(C.int(from), C.int(to), C.int(attribute), &v)
	return int(v), int32(code)
}

// rawPeerEnable has d's kernels reach peer's memory.
func rawPeerEnable(d, peer handle) int32 {
	return int32(C.triad_hip_peer_enable((*C.triad_hip_device)(d), (*C.triad_hip_device)(peer)))
}

func rawPeerDisable(d, peer handle) int32 {
	return int32(C.triad_hip_peer_disable((*C.triad_hip_device)(d), (*C.triad_hip_device)(peer)))
}

func rawDeviceLimit(d handle, limit int) (uint64, int32) {
	var v C.size_t
	code := C.triad_hip_device_limit((*C.triad_hip_device)(d), C.int(limit), &v)
	return uint64(v), int32(code)
}

func rawDeviceSetLimit(d handle, limit int, value uint64) int32 {
	return int32(C.triad_hip_device_set_limit((*C.triad_hip_device)(d), C.int(limit), C.size_t(value)))
}

func rawDeviceCache(d handle) (int, int32) {
	var v C.int
	code := C.triad_hip_device_cache((*C.triad_hip_device)(d), &v)
	return int(v), int32(code)
}

func rawDeviceSetCache(d handle, config int) int32 {
	return int32(C.triad_hip_device_set_cache((*C.triad_hip_device)(d), C.int(config)))
}

func rawDevicePriorities(d handle) (least, greatest int, code int32) {
	var l, g C.int
	code = int32(C.triad_hip_device_priorities((*C.triad_hip_device)(d), &l, &g))
	return int(l), int(g), code
}

func rawDeviceFlags(d handle) (uint32, int32) {
	var f C.uint
	code := C.triad_hip_device_flags((*C.triad_hip_device)(d), &f)
	return uint32(f), int32(code)
}

func rawDeviceSetFlags(d handle, flags uint32) int32 {
	return int32(C.triad_hip_device_set_flags((*C.triad_hip_device)(d), C.uint(flags)))
}
