package driver

import "unsafe"

// sizeOf is the size of T in bytes; a constant once instantiated.
func sizeOf[T any]() uintptr {
	var v T
	return unsafe.Sizeof(v)
}

// bytesOf views s as bytes. The view shares s's memory.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*sizeOf[T]())
}

// sliceOf views C memory of a backend's as a slice of T.
func sliceOf[T any](b []byte) []T {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b))/sizeOf[T]())
}
