//go:build !cgo || !linux

package hiprtc

import "github.com/triad-gpu/triad/driver/library"

// usable says why this build can't use hiprtc; "" when it can.
const usable = "this program was built without cgo, or not for Linux; hiprtc needs Linux and CGO_ENABLED=1"

// unusable is the code of every call. None of them is reached: without a library
// nothing is compiled.
const unusable int32 = 11

type handle = struct{}

const (
	getLog = iota
	getCode
	getBitcode
)

func rawLoad(path string) (found, failure string)                   { return "", usable }
func rawMissing() []library.Symbol                                  { return nil }
func rawVersion() (major, minor int, code int32)                    { return 0, 0, unusable }
func rawTargets() []string                                          { return nil }
func rawKnows(target string) (knows, known bool)                    { return false, false }
func rawCodeName(code int32) string                                 { return "HIPRTC_ERROR unknown" }
func rawNew(code, name string, h map[string][]byte) (handle, int32) { return handle{}, unusable }
func rawFree(p handle)                                              {}
func rawAddName(p handle, expression string) int32                  { return unusable }
func rawLowered(p handle, expression string) (string, int32)        { return "", unusable }
func rawCompile(p handle, options []string) int32                   { return unusable }
func rawGet(p handle, what int) ([]byte, int32)                     { return nil, unusable }
