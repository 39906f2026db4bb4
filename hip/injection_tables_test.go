//go:build cgo && linux

package hip

import "github.com/triad-gpu/triad/testdata/fakedriver/injection"

const (
	waited = "a wait names what is waited for"
	asked  = "asked to explain why a launch was refused; the error has both"
)

// reportedAs are the calls that errors name where another one failed.
var reportedAs = map[string]injection.Names{
	"hipMemGetAllocationGranularity":                     {Names: []string{"hipMemMap", "hipMemAddressReserve", "hipMemCreate"}, Why: "a part of what that call is for"},
	"hipMemPoolSetAttribute":                             {Names: []string{"hipMemPoolCreate"}, Why: "a part of what that call is for"},
	"hipMemPoolSetAccess":                                {Names: []string{"hipDeviceEnablePeerAccess", "hipDeviceDisablePeerAccess"}, Why: "peers reach the opening's pool too"},
	"hipMemsetD2D16Async":                                {Names: []string{"hipMemsetD2DAsync"}, Why: "Fill takes the call for its pattern"},
	"hipPointerGetAttributes":                            {Names: []string{"WrapMemory"}, Why: "asked for what is wrapped"},
	"hipMemGetAddressRange":                              {Names: []string{"hipPointerGetAttributes", "WrapMemory"}, Why: "a part of what that call is for"},
	"hipGetDevicePropertiesR0600":                        {Names: []string{"hipGetDeviceProperties"}, Why: "that is its name in the manual"},
	"hipSetDevice":                                       {Names: []string{"*"}, Why: "every call may have to enter its device first, and names itself"},
	"hipFuncGetAttribute":                                {Names: []string{"hipModuleLaunchKernel", "hipDrvLaunchKernelEx"}, Why: asked},
	"hipModuleOccupancyMaxActiveBlocksPerMultiprocessor": {Names: []string{"hipModuleLaunchKernel", "hipDrvLaunchKernelEx"}, Why: asked},
	"hipMemSetAccess":                                    {Names: []string{"hipMemMap"}, Why: "a part of what that call is for"},
	"hipHostGetDevicePointer":                            {Names: []string{"hipHostMalloc", "hipHostRegister"}, Why: "the memory is given back, since nothing could be done with it"},
	"hipStreamSynchronize":                               {Names: []string{"hipMallocFromPoolAsync", "hipMallocAsync", "hipMemcpyHtoDAsync", "hipMemcpyDtoHAsync", "Stream.Wait"}, Why: "what is allocated in stream order is there only then; and " + waited},
	"hipStreamIsCapturing":                               {Names: []string{"hipMemcpyHtoDAsync", "hipMemcpyDtoHAsync", "Stream.Wait", "hipStreamQuery", "Stream.Then", "hipMallocFromPoolAsync", "hipMallocAsync"}, Why: "asked before a wait, a look or an allocation, which names what was to be done"},
	"hipStreamWriteValue32":                              {Names: []string{"hipMemcpyHtoDAsync", "hipMemcpyDtoHAsync", "Stream.Wait", "Device.Wait", "Stream.Then"}, Why: waited},
	"hipStreamQuery":                                     {Names: []string{"hipMemcpyHtoDAsync", "hipMemcpyDtoHAsync", "Stream.Wait", "Device.Wait", "Stream.Then"}, Why: waited},
	"hipEventQuery":                                      {Names: []string{"Event.Wait"}, Why: waited},
	"hipEventSynchronize":                                {Names: []string{"Event.Wait"}, Why: waited},
	"hipMemcpyAsync":                                     {Names: []string{"hipMemcpyHtoDAsync", "hipMemcpyDtoHAsync"}, Why: "the call copies between any memories; the error tells the direction"},
	"hipMemcpyDtoDAsync":                                 {Names: []string{"hipMemcpyAsync", "hipMemcpyPeerAsync"}, Why: "Copy takes the call for what it was given"},
	"hipMemcpyHtoDAsync":                                 {Names: []string{"hipMemcpyAsync", "hipMemcpyPeerAsync"}, Why: "Copy takes the call for what it was given"},
	"hipMemcpyDtoHAsync":                                 {Names: []string{"hipMemcpyAsync", "hipMemcpyPeerAsync"}, Why: "Copy takes the call for what it was given"},
	"hipMemcpy2DAsync":                                   {Names: []string{"hipMemcpy3DAsync", "hipMemcpy3DPeerAsync"}, Why: "CopyRect takes the simplest call that will do"},
	"hipMemsetD8Async":                                   {Names: []string{"hipMemsetAsync"}, Why: "Fill takes the call for its pattern"},
	"hipMemsetD16Async":                                  {Names: []string{"hipMemsetAsync"}, Why: "Fill takes the call for its pattern"},
	"hipMemsetD32Async":                                  {Names: []string{"hipMemsetAsync"}, Why: "Fill takes the call for its pattern"},
	"hipMemsetD2D32Async":                                {Names: []string{"hipMemsetAsync", "hipMemsetD2DAsync"}, Why: "Fill takes the call for its pattern"},
	"hipMemset2DAsync":                                   {Names: []string{"hipMemsetAsync", "hipMemsetD2DAsync"}, Why: "Fill takes the call for its pattern"},
}

// answers are codes that don't tell of a failure.
var answers = map[string]map[int]string{
	"hipHostRegister":             {codeNotSupported: "the device can't use registered memory"},
	"hipHostGetDevicePointer":     {codeNotSupported: "the device can't use the memory at an address of its own"},
	"hipMemGetAddressRange":       {codeInvalidValue: "the allocation is not known", codeNotSupported: "the allocation is not known"},
	"hipDeviceGetAttribute":       {codeInvalidValue: "the attribute is unknown", codeNotSupported: "the attribute is unknown"},
	"hipGetDevicePropertiesR0600": {codeNotSupported: "the architecture is not told, but for its number"},
	"hipPointerGetAttribute":      {codeInvalidValue: "the memory is none of the runtime's"},
	"hipPointerGetAttributes":     {codeInvalidValue: "the memory is none of the runtime's"},
}

// keeps are the calls that give something back: once they have failed, the runtime
// says no more of it than that, and asking again could free another's.
var keeps = map[string]string{
	"hipSetDevice":             "what was to be given back on the device",
	"hipModuleUnload":          "the module",
	"hipStreamDestroy":         "the stream",
	"hipEventDestroy":          "the event",
	"hipFreeAsync":             "the memory",
	"hipHostFree":              "the memory",
	"hipHostUnregister":        "the memory",
	"hipFree":                  "the memory",
	"hipMemPoolDestroy":        "the pool",
	"hipArrayDestroy":          "the array",
	"hipMipmappedArrayDestroy": "the array",
	"hipTexObjectDestroy":      "the texture",
	"hipDestroySurfaceObject":  "the surface",
	"hipGraphDestroy":          "the graph",
	"hipMemRelease":            "the memory",
	"hipMemUnmap":              "the mapping, and so the memory and its addresses",
	"hipMemAddressFree":        "the addresses",
	"hipIpcCloseMemHandle":     "the memory",
}

// atClose is why failures of what frees are reported nowhere.
const atClose = "Close ends a use; the last use frees, perhaps later and on behalf of nobody"

// unshared is why failures of what shares are not seen here.
const unshared = "the fake runtime shares nothing with other processes; only tests of misuse come so far"

// unseen are the calls whose failure no error tells of.
var unseen = map[string]string{
	"hipArrayDestroy":                     atClose,
	"hipDestroySurfaceObject":             atClose,
	"hipEventDestroy":                     atClose,
	"hipFree":                             atClose,
	"hipFreeAsync":                        atClose,
	"hipHostFree":                         atClose,
	"hipHostUnregister":                   atClose,
	"hipMemAddressFree":                   atClose,
	"hipMemPoolDestroy":                   atClose,
	"hipMemRelease":                       atClose,
	"hipMemUnmap":                         atClose,
	"hipMipmappedArrayDestroy":            atClose,
	"hipModuleUnload":                     atClose,
	"hipStreamDestroy":                    atClose,
	"hipTexObjectDestroy":                 atClose,
	"hipGetDevice":                        "a thread whose device can't be told is given the one that is needed",
	"hipGetLastError":                     "it clears what it tells",
	"hipThreadExchangeStreamCaptureMode":  "the call that follows says whether a capture forbids it",
	"hipDeviceGetPCIBusId":                "the device's place is not known then, which its description shows",
	"hipGraphDestroy":                     "only tests capture",
	"hipStreamWriteValue32":               "where a word can't be written, the stream is asked",
	"hipPointerGetAttribute":              "the memory's number is not known then",
	"hipMemPoolExportToShareableHandle":   unshared,
	"hipMemPoolImportFromShareableHandle": unshared,
	"hipIpcOpenMemHandle":                 unshared,
	"hipIpcGetEventHandle":                unshared,
	"hipIpcOpenEventHandle":               unshared,
	"hipDeviceGetUuid":                    "the device's UUID is not known then, which its description shows",
}

const (
	abandonedTo   = "TestConformance/Device0/Waits/AbandonedCopiesToTheHostKeepTheirMemory"
	abandonedFrom = "TestConformance/Device0/Waits/AbandonedCopiesFromTheHostKeepTheirMemory"
	leftOut       = "without staging memory a worker copies, which leaves out what was abandoned"
)

// quiet are tests of what an error explains, or of what a call that failed would have
// given back.
var quiet = map[string]string{
	"TestStreamOrderedMemory hipMemGetInfo":                                           "the allocation's own error is reported",
	"TestVirtualMisuse hipMemGetInfo":                                                 "the allocation's own error is reported",
	"TestRegisteredMemory hipHostUnregister":                                          "the registration stays",
	"TestPoolAttributes hipFreeAsync":                                                 "the memory stays",
	"TestWrappedMemory hipFree":                                                       "the memory stays",
	"TestUnmappedPlaces hipMemUnmap":                                                  "the mapping stays",
	abandonedTo + " hipHostRegister":                                                  leftOut,
	abandonedFrom + " hipHostRegister":                                                leftOut,
	"TestConformance/Device0/Lifetime/AbandonedWaitsHoldWhatTheyNeed hipHostRegister": leftOut,
}
