//go:build cgo && linux

package cuda

import "github.com/triad-gpu/triad/testdata/fakedriver/injection"

// reportedAs are the calls that errors name where another one failed.
var reportedAs = map[string]injection.Names{
	"cuModuleEnumerateFunctions":    {Names: []string{"cuModuleGetFunction"}, Why: "a part of what that call is for"},
	"cuMemSetAccess":                {Names: []string{"cuMemMap"}, Why: "a part of what that call is for"},
	"cuMemGetAllocationGranularity": {Names: []string{"cuMemMap"}, Why: "a part of what that call is for"},
	"cuMemsetD2D8Async":             {Names: []string{"cuMemsetD2DAsync"}, Why: "a part of what that call is for"},
	"cuMemsetD2D16Async":            {Names: []string{"cuMemsetD2DAsync"}, Why: "a part of what that call is for"},
	"cuCtxPushCurrent_v2":           {Names: []string{"*"}, Why: "every call may have to enter its context first, and names itself"},
	"cuModuleGetFunctionCount":      {Names: []string{"cuModuleEnumerateFunctions"}, Why: "the names are listed by both"},
	"cuMemPoolSetAttribute":         {Names: []string{"cuMemPoolCreate"}, Why: "a part of what that call is for"},
	"cuPointerGetAttributes":        {Names: []string{"WrapMemory"}, Why: "asked for what is wrapped"},
	"cuMemPoolSetAccess":            {Names: []string{"cuCtxEnablePeerAccess", "cuCtxDisablePeerAccess"}, Why: "peers reach the opening's pool too"},
	"cuFuncGetName":                 {Names: []string{"cuModuleEnumerateFunctions"}, Why: "a part of what that call is for"},
	"cuMemHostGetDevicePointer_v2":  {Names: []string{"cuMemHostAlloc", "cuMemHostRegister"}, Why: "the memory is given back, since nothing could be done with it"},
	"cuStreamSynchronize":           {Names: []string{"cuMemAllocFromPoolAsync", "cuMemAllocAsync", "Stream.Wait", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync"}, Why: "what is allocated in stream order is there only then; and a wait names what is waited for"},
	"cuStreamIsCapturing":           {Names: []string{"cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "Stream.Wait", "cuStreamQuery", "Stream.Then", "cuMemAllocAsync", "cuMemAllocFromPoolAsync"}, Why: "asked before a wait, a look or an allocation, which names what was to be done"},
	"cuStreamQuery":                 {Names: []string{"cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "Stream.Wait", "Device.Wait", "Stream.Then"}, Why: "a wait names what is waited for"},
	"cuEventQuery":                  {Names: []string{"Event.Wait"}, Why: "a wait names what is waited for"},
	"cuEventSynchronize":            {Names: []string{"Event.Wait"}, Why: "a wait names what is waited for"},
	"cuMemcpyAsync":                 {Names: []string{"cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync"}, Why: "the call copies between any memories; the error tells the direction"},
	"cuMemcpyDtoDAsync_v2":          {Names: []string{"cuMemcpyPeerAsync", "cuMemcpyAsync"}, Why: "Copy takes the call for what it was given"},
	"cuMemcpyHtoDAsync_v2":          {Names: []string{"cuMemcpyAsync"}, Why: "Copy takes the call for what it was given"},
	"cuMemcpyDtoHAsync_v2":          {Names: []string{"cuMemcpyPeerAsync", "cuMemcpyAsync"}, Why: "Copy takes the call for what it was given"},
	"cuMemcpy2DAsync_v2":            {Names: []string{"cuMemcpy3DPeerAsync", "cuMemcpy3DAsync"}, Why: "CopyRect takes the simplest call that will do"},
	"cuMemsetD8Async":               {Names: []string{"cuMemsetAsync"}, Why: "Fill takes the call for its pattern"},
	"cuMemsetD16Async":              {Names: []string{"cuMemsetAsync"}, Why: "Fill takes the call for its pattern"},
	"cuMemsetD32Async":              {Names: []string{"cuMemsetAsync"}, Why: "Fill takes the call for its pattern"},
	"cuMemsetD2D32Async":            {Names: []string{"cuMemsetD2DAsync", "cuMemsetAsync"}, Why: "Fill takes the call for its pattern"},
}

// answers are codes that don't tell of a failure.
var answers = map[string]map[int]string{
	"cuFuncGetParamInfo":               {1: "there is no such parameter"},
	"cuDeviceGetAttribute":             {1: "the attribute is unknown", codeNotSupported: "the attribute is unknown"},
	"cuDeviceGetByPCIBusId":            {1: "there is no such place", codeInvalidDevice: "there is no device"},
	"cuOccupancyMaxPotentialBlockSize": {1: "no block fits"},
	"cuPointerGetAttributes":           {1: "the memory is none of the driver's"},
}

// keeps are the calls that give something back: once they have failed, the driver says
// no more of it than that, and asking again could free another's.
var keeps = map[string]string{
	"cuCtxPushCurrent_v2": "what was to be given back in the context",
	"cuModuleUnload":      "the module",
	"cuStreamDestroy_v2":  "the stream",
	"cuEventDestroy_v2":   "the event",
	"cuMemFreeAsync":      "the memory",
	"cuMemFreeHost":       "the memory",
	"cuMemFree_v2":        "the memory",
	"cuMemHostUnregister": "the registration",
	"cuMemUnmap":          "the mapping", "cuMemRelease": "the memory", "cuMemAddressFree": "the addresses",
	"cuMipmappedArrayDestroy": "the array", "cuCtxDestroy_v2": "the context",
	"cuDevicePrimaryCtxRelease_v2": "the context",
	"cuTexObjectDestroy":           "the texture", "cuSurfObjectDestroy": "the surface",
	"cuMemPoolDestroy": "the pool",
	"cuArrayDestroy":   "the array",
	"cuGraphDestroy":   "the graph",
}

// atClose is why failures of what frees are reported nowhere.
const atClose = "Close ends a use; the last use frees, perhaps later and on behalf of nobody"

// unshared is why failures of what shares are not seen here.
const unshared = "the fake driver shares nothing with other processes; only tests of misuse come so far"

// unseen are the calls whose failure no error tells of.
var unseen = map[string]string{
	"cuArrayDestroy":                     atClose,
	"cuCtxDestroy_v2":                    atClose,
	"cuDevicePrimaryCtxRelease_v2":       atClose,
	"cuEventDestroy_v2":                  atClose,
	"cuMemAddressFree":                   atClose,
	"cuMemFreeAsync":                     atClose,
	"cuMemFreeHost":                      atClose,
	"cuMemFree_v2":                       atClose,
	"cuMemHostUnregister":                atClose,
	"cuMemPoolDestroy":                   atClose,
	"cuMemRelease":                       atClose,
	"cuMemUnmap":                         atClose,
	"cuMipmappedArrayDestroy":            atClose,
	"cuModuleUnload":                     atClose,
	"cuStreamDestroy_v2":                 atClose,
	"cuSurfObjectDestroy":                atClose,
	"cuTexObjectDestroy":                 atClose,
	"cuCtxGetCurrent":                    "a thread whose context can't be told is taken for one without",
	"cuCtxPopCurrent_v2":                 "the call that it ends has done what it was to do",
	"cuThreadExchangeStreamCaptureMode":  "the call that follows says whether a capture forbids it",
	"cuDeviceGetPCIBusId":                "the device's place is not known then, which its description shows",
	"cuGraphDestroy":                     "only tests capture",
	"cuPointerGetAttributes":             "memory of which it can't be told is taken for pageable",
	"cuMemPoolExportToShareableHandle":   unshared,
	"cuMemPoolImportFromShareableHandle": unshared,
	"cuIpcOpenMemHandle_v2":              unshared,
	"cuIpcGetEventHandle":                unshared,
	"cuIpcOpenEventHandle":               unshared,
	"cuDeviceGetUuid_v2":                 "the device's UUID is not known then, which its description shows",
}

const (
	abandonedTo   = "Context/Waits/AbandonedCopiesToTheHostKeepTheirMemory"
	abandonedFrom = "Context/Waits/AbandonedCopiesFromTheHostKeepTheirMemory"
	leftOut       = "without staging memory a worker copies, which leaves out what was abandoned"
)

// quiet are tests of what an error explains: without what was asked for that, the error
// is the refused launch's, or the missing kernel's, and explains less. Others are of what
// a call that failed would have given back.
var quiet = map[string]string{
	"TestStreamOrderedMemory cuMemGetInfo_v2":  "the allocation's own error is reported",
	"TestVirtualMisuse cuMemGetInfo_v2":        "the allocation's own error is reported",
	"TestRegisteredMemory cuMemHostUnregister": "the registration stays",
	"TestPoolAttributes cuMemFreeAsync":        "the memory stays",
	"TestWrappedMemory cuMemFree_v2":           "the memory stays",
	"TestUnmappedPlaces cuMemUnmap":            "the mapping stays",
	"TestConformance/PrimaryContext/Launches/BlocksOtherThanTheRequiredOneAreRefused cuFuncGetAttribute": "the launch's own error is reported",
	"TestConformance/OwnContext/Launches/BlocksOtherThanTheRequiredOneAreRefused cuFuncGetAttribute":     "the launch's own error is reported",
	"TestConformance/PrimaryContext/Lifetime/AbandonedWaitsHoldWhatTheyNeed cuMemHostRegister_v2":        leftOut,
	"TestConformance/OwnContext/Lifetime/AbandonedWaitsHoldWhatTheyNeed cuMemHostRegister_v2":            leftOut,
	"TestConformance/Primary" + abandonedTo + " cuMemHostRegister_v2":                                    leftOut,
	"TestConformance/Primary" + abandonedFrom + " cuMemHostRegister_v2":                                  leftOut,
	"TestConformance/Own" + abandonedTo + " cuMemHostRegister_v2":                                        leftOut,
	"TestConformance/Own" + abandonedFrom + " cuMemHostRegister_v2":                                      leftOut,
	"TestBeyondTheContract/CooperativeGridsMustFit cuFuncGetAttribute":                                   "the launch's own error is reported",
	"TestBeyondTheContract/CooperativeGridsMustFit cuOccupancyMaxActiveBlocksPerMultiprocessor":          "the launch's own error is reported",
	"TestBeyondTheContract/ClustersMustFit cuDeviceGetAttribute":                                         "the launch's own error is reported",
	"TestBeyondTheContract/WrongShapesAreNamed cuFuncGetAttribute":                                       "the launch's own error is reported",
	"TestBeyondTheContract/ClustersMustFit cuOccupancyMaxPotentialClusterSize":                           "the launch's own error is reported",
}

// substitutes say what is done without a call.
var substitutes = map[string]string{
	"cuDeviceGetUuid_v2":         "cuDeviceGetUuid",
	"cuCtxCreate_v4":             "cuCtxCreate_v2",
	"cuEventElapsedTime_v2":      "cuEventElapsedTime",
	"cuMemAdvise_v2":             "cuMemAdvise, with devices for places",
	"cuMemPrefetchAsync_v2":      "cuMemPrefetchAsync, with devices for places",
	"cuModuleGetFunctionCount":   "the kernels' names come from the image",
	"cuModuleEnumerateFunctions": "the kernels' names come from the image",
	"cuFuncGetName":              "the kernels' names come from the image",
	"cuFuncLoad":                 "cuFuncGetAttribute, which loads the kernel as well",
}

// lacks are tests that need a call by way of another.
var lacks = map[string]string{
	"TestBeyondTheContract/ClustersMustFit cuOccupancyMaxPotentialClusterSize": "the launch's own error is reported, without the largest size",
}
