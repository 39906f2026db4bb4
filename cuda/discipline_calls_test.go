//go:build cgo && linux

package cuda

import "github.com/triad-gpu/triad/testdata/fakedriver/discipline"

// calm is what brackets calls that a capture on another stream would not survive.
const calm = "cuThreadExchangeStreamCaptureMode"

// warmCalls are what warm operations call; see package discipline. Besides, each may
// look once which context is current.
var warmCalls = map[string]discipline.Calls{
	"launch":                              {"cuLaunchKernel": 1},
	"copy on the device":                  {"cuMemcpyDtoDAsync_v2": 1},
	"copy to the device":                  {"cuMemcpyHtoDAsync_v2": 1},
	"copy to the host":                    {"cuMemcpyDtoHAsync_v2": 1},
	"copy of a rectangle":                 {"cuMemcpy2DAsync_v2": 1},
	"fill":                                {"cuMemsetD32Async": 1},
	"record":                              {"cuEventRecord": 1},
	"wait for an event on a stream":       {"cuStreamWaitEvent": 1},
	"query of a stream that has finished": {"cuStreamIsCapturing": 1, "cuStreamQuery": 1, calm: 2},
	"wait for a stream that has finished": {"cuStreamIsCapturing": 1, "cuStreamWriteValue32_v2": 1},
	"query of an event":                   {"cuEventQuery": 1, calm: 2},
	"wait for an event":                   {"cuEventQuery": 1, calm: 2},
	"upload":                              {"cuStreamIsCapturing": 1, "cuMemcpyHtoDAsync_v2": 1},
	"download":                            {"cuStreamIsCapturing": 1, "cuMemcpyAsync": 1, "cuStreamWriteValue32_v2": 1},
	"allocate and free": {
		"cuCtxPushCurrent_v2": 1, "cuCtxPopCurrent_v2": 1, "cuMemAllocFromPoolAsync": 1, "cuStreamSynchronize": 1, "cuMemFreeAsync": 1, calm: 4,
	},
}
