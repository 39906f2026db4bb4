//go:build cgo && linux

package cuda

/*
#include <stdlib.h>
#include "triad_cuda.h"
*/
import "C"

import "unsafe"

// rawLink links inputs into machine code. failed is the input that was refused, or
// their number.
func rawLink(d handle, inputs []linkInput) (image []byte, failed int, info, complaint string, code int32) {
	logs := C.triad_cu_logs{info: (*C.char)(C.calloc(1, logRoom)), error: (*C.char)(C.calloc(1, logRoom)), room: logRoom}
	defer C.free(unsafe.Pointer(logs.info))
	defer C.free(unsafe.Pointer(logs.error))
	list := (*C.triad_cu_input)(C.calloc(C.size_t(max(len(inputs), 1)), C.sizeof_triad_cu_input))
	defer C.free(unsafe.Pointer(list))
	for i, in := range inputs {
		p := &unsafe.Slice(list, len(inputs))[i]
		*p = C.triad_cu_input{_type: C.int(in.kind), data: C.CBytes(in.data), size: C.size_t(len(in.data)), name: C.CString(in.name)}
		defer C.free(p.data)
		defer C.free(unsafe.Pointer(p.name))
	}
	var out unsafe.Pointer
	var size C.size_t
	var bad C.uint32_t
	code = int32(C.triad_cu_link((*C.triad_cu_device)(d), list, C.uint32_t(len(inputs)), &logs, &bad, &out, &size))
	image = C.GoBytes(out, C.int(size))
	C.free(out)
	return image, int(bad), C.GoString(logs.info), C.GoString(logs.error), code
}
