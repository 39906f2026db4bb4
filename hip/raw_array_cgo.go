//go:build cgo && linux

package hip

/*
#include "triad_hip_c.h"
*/
import "C"

func cShape(s arrayShape) C.triad_hip_array_shape {
	return C.triad_hip_array_shape{
		width: C.uint64_t(s.width), height: C.uint64_t(s.height), depth: C.uint64_t(s.depth),
		format: C.int32_t(s.format), channels: C.uint32_t(s.channels), flags: C.uint32_t(s.flags),
	}
}

func rawArrayNew(d handle, s arrayShape) (handle, int32) {
	var code C.hipError_t
	a := C.triad_hip_array_new((*C.triad_hip_device)(d), cShape(s), &code)
	return handle(a), int32(code)
}

// rawArrayShape is the shape of an array that the driver made.
func rawArrayShape(d, a handle) (arrayShape, int32) {
	var s C.triad_hip_array_shape
	code := C.triad_hip_array_shape_of((*C.triad_hip_device)(d), C.hipArray_t(a), &s)
	return arrayShape{
		width: uint64(s.width), height: uint64(s.height), depth: uint64(s.depth),
		format: int32(s.format), channels: uint32(s.channels), flags: uint32(s.flags),
	}, int32(code)
}

func rawArrayDestroy(d, a handle) int32 {
	return int32(C.triad_hip_array_destroy((*C.triad_hip_device)(d), C.hipArray_t(a)))
}

func rawMipmapNew(d handle, s arrayShape, levels uint32) (handle, int32) {
	var code C.hipError_t
	m := C.triad_hip_mipmap_new((*C.triad_hip_device)(d), cShape(s), C.uint32_t(levels), &code)
	return handle(m), int32(code)
}

func rawMipmapLevel(d, m handle, level uint32) (handle, int32) {
	var code C.hipError_t
	a := C.triad_hip_mipmap_level((*C.triad_hip_device)(d), C.hipMipmappedArray_t(m), C.uint32_t(level), &code)
	return handle(a), int32(code)
}

func rawMipmapDestroy(d, m handle) int32 {
	return int32(C.triad_hip_mipmap_destroy((*C.triad_hip_device)(d), C.hipMipmappedArray_t(m)))
}

func cEnd(e arrayEnd) C.triad_hip_array_end {
	return C.triad_hip_array_end{
		array: C.hipArray_t(e.array), at: C.uint64_t(e.at), row: C.uint64_t(e.row), slice: C.uint64_t(e.slice),
		x: C.uint64_t(e.x), y: C.uint64_t(e.y), z: C.uint64_t(e.z),
	}
}

// rawCopyArray copies, with an array at one end at least.
func rawCopyArray(s handle, dst, src arrayEnd, bytes, rows, slices uint64) int32 {
	return int32(C.triad_hip_copy_array((*C.triad_hip_stream)(s), cEnd(dst), cEnd(src), C.uint64_t(bytes), C.uint64_t(rows), C.uint64_t(slices)))
}

func rawTextureNew(d handle, r textureSource, o TextureOptions) (uint64, int32) {
	var object C.uint64_t
	res := C.triad_hip_resource{
		kind: C.int32_t(r.kind), object: r.object, at: C.uint64_t(r.at), bytes: C.uint64_t(r.bytes),
		width: C.uint64_t(r.width), height: C.uint64_t(r.height), pitch: C.uint64_t(r.pitch),
		format: C.int32_t(r.format), channels: C.uint32_t(r.channels),
	}
	s := C.triad_hip_sampler{
		filter: C.int32_t(o.Filter), mip_filter: C.int32_t(o.MipFilter), flags: C.uint32_t(o.Flags()), anisotropy: C.uint32_t(o.MaxAnisotropy),
		mip_bias: C.float(o.MipBias), mip_min: C.float(o.MinMip), mip_max: C.float(o.MaxMip),
	}
	for i, a := range o.Address {
		s.address[i] = C.int32_t(a)
	}
	for i, v := range o.Border {
		s.border[i] = C.float(v)
	}
	code := C.triad_hip_texture_new((*C.triad_hip_device)(d), res, s, &object)
	return uint64(object), int32(code)
}

func rawTextureDestroy(d handle, object uint64) int32 {
	return int32(C.triad_hip_texture_destroy((*C.triad_hip_device)(d), C.uint64_t(object)))
}

func rawSurfaceNew(d, a handle) (uint64, int32) {
	var object C.uint64_t
	code := C.triad_hip_surface_new((*C.triad_hip_device)(d), C.hipArray_t(a), &object)
	return uint64(object), int32(code)
}

func rawSurfaceDestroy(d handle, object uint64) int32 {
	return int32(C.triad_hip_surface_destroy((*C.triad_hip_device)(d), C.uint64_t(object)))
}
