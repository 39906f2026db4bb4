//go:build !cgo || !linux

package opencl

import (
	"unsafe"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/library"
)

// usable says why this build can't use OpenCL; "" when it can.
const usable = "this program was built without cgo, or not for Linux; OpenCL needs Linux and CGO_ENABLED=1"

// unusable is the code of every call. None of them is reached: without a library
// there is no device, and without a device nothing else.
const unusable int32 = -1

func rawLoad(path string) (found, failure string) { return "", usable }
func rawMissing() []library.Symbol                { return nil }
func rawInfo(what int, object, second handle, param uint32, buf []byte) (int, int32) {
	return 0, unusable
}
func rawArgInfo(kernel handle, i int, param uint32, buf []byte) (int, int32) { return 0, unusable }
func rawPlatforms() ([]handle, int32)                                        { return nil, unusable }
func rawDevices(platform handle) ([]handle, int32)                           { return nil, unusable }
func rawDeviceOpen(platform, id handle) (handle, int32)                      { return nil, unusable }
func rawDeviceClose(d handle)                                                {}
func rawDeviceLeft(d, e handle) bool                                         { return false }
func rawContext(d handle) handle                                             { return nil }
func rawStreamOpen(d handle, properties uint64, priority uint32) (handle, int32) {
	return nil, unusable
}
func rawStreamClose(s handle)                                                     {}
func rawQueue(s handle) handle                                                    { return nil }
func rawStreamFlush(s handle) int32                                               { return unusable }
func rawStreamQuery(s handle) (bool, int32)                                       { return false, unusable }
func rawStreamBarrier(s handle, events []uintptr, barrier bool, out handle) int32 { return unusable }
func rawEventNew() handle                                                         { return nil }
func rawEventFree(e handle)                                                       {}
func rawEventNative(e handle) handle                                              { return nil }
func rawEventRecord(s, e handle) int32                                            { return unusable }
func rawEventWait(s, e handle) int32                                              { return unusable }
func rawEventQuery(e handle) (bool, int32)                                        { return false, unusable }
func rawEventTimes(e handle) ([4]uint64, int32)                                   { return [4]uint64{}, unusable }
func rawEventUser(d, e handle) int32                                              { return unusable }
func rawEventComplete(e handle, status int32) int32                               { return unusable }
func rawWaitFuncs() (poll, block, subscribe unsafe.Pointer)                       { return nil, nil, nil }
func rawWaitNew() handle                                                          { return nil }
func rawWaitFree(w handle)                                                        {}
func rawStreamIdle(s handle) bool                                                 { return false }
func rawStreamFailure(s handle) int32                                             { return unusable }
func rawWaitDone(w handle, told bool) bool                                        { return false }
func rawWaitStream(w, s handle)                                                   {}
func rawWaitEvent(w, e handle)                                                    {}
func rawWaitCopy(w, s handle, dst, src loc, n uint64)                             {}
func rawBufferNew(d handle, flags, size uint64, host handle) (handle, int32)      { return nil, unusable }
func rawBufferSub(parent handle, origin, size uint64) (handle, int32)             { return nil, unusable }
func rawBufferFree(m handle) int32                                                { return unusable }
func rawSVMNew(d handle, size uint64, align uint32) handle                        { return nil }
func rawSVMFree(d, p, cover handle) int32                                         { return unusable }
func rawHostNew(d handle, size uint64) (m, p handle, code int32)                  { return nil, nil, unusable }
func rawHostFree(d, m, p handle) int32                                            { return unusable }
func rawCopy(s handle, dst, src loc, n uint64) int32                              { return unusable }
func rawCopyRect(s handle, dst loc, dr rect, src loc, sr rect, bytes, rows, slices uint64) int32 {
	return unusable
}
func rawFill(s handle, dst loc, n uint64, lo, hi uint64, size uint32) int32     { return unusable }
func rawProgramNew(d handle, kind int, code []byte) (handle, int32)             { return nil, unusable }
func rawProgramBuild(d, p handle, options string) int32                         { return unusable }
func rawProgramConstant(p handle, id uint32, value []byte) int32                { return unusable }
func rawProgramBinary(p handle, size int) ([]byte, int32)                       { return nil, unusable }
func rawProgramFree(p handle) int32                                             { return unusable }
func rawKernelProbe(p handle, name string) (handle, int32)                      { return nil, unusable }
func rawKernelRelease(k handle) int32                                           { return unusable }
func rawKernelNew(p handle, name string, first handle, plan []planParam) handle { return nil }
func rawKernelFree(k handle)                                                    {}
func rawKernelNative(k handle) handle                                           { return nil }
func rawLaunchGrid(stream, kernel handle, grid, block driver.Dim3, args unsafe.Pointer) (code int32, arg int) {
	return unusable, 0
}
func rawLaunch(stream, kernel, out handle, sh shape, args unsafe.Pointer, waits []uintptr) (code int32, arg int) {
	return unusable, 0
}
