package cuda

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

// paramPlace is where a kernel's parameter lies, as the driver tells it.
type paramPlace struct{ offset, size uint64 }

// paramSizes asks for a kernel's parameters (cuFuncGetParamInfo); known is false for
// drivers before CUDA 12.4, which don't tell.
func (d *Device) paramSizes(name string, fn handle) (list []paramPlace, known bool, err error) {
	if !load().Has("cuFuncGetParamInfo") {
		return nil, false, nil
	}
	for i := 0; ; i++ {
		offset, size, code := rawFunctionParam(d.raw, fn, i)
		switch code {
		case 0:
			list = append(list, paramPlace{offset, size})
		case codeInvalidValue:
			return list, true, nil // there is no i-th
		default:
			return nil, false, d.failure("cuFuncGetParamInfo", code, "parameter %d of kernel %q", i, name)
		}
	}
}

// verify compares a signature with what the driver tells of a kernel. It returns
// what could not be compared; "" if nothing.
func verify(name string, sig *driver.Signature, list []paramPlace, known bool) (unverified string, err error) {
	if !known {
		return fmt.Sprintf("the driver speaks %s and does not tell parameters; cuFuncGetParamInfo came with CUDA 12.4", versionText(load().version)), nil
	}
	var params []driver.Param
	for _, p := range sig.Params {
		if p.Kind != driver.ParamLocal {
			params = append(params, p)
		}
	}
	const op = "cuFuncGetParamInfo"
	if len(params) != len(list) {
		return "", refused(op, driver.ErrSignature, "kernel %q has %d parameters (%s); %s gives it %d: %s",
			name, len(list), sizesText(list), goName(sig), len(params), sig)
	}
	for i, p := range params {
		if uint64(p.Size) == list[i].size {
			continue
		}
		return "", refused(op, driver.ErrSignature, "kernel %q, parameter %d: the kernel takes %d bytes, and field %s (%s) of %s has %d%s",
			name, i, list[i].size, p.Field, p.GoType(), goName(sig), p.Size, sizeHint(p, list[i].size))
	}
	return "", nil
}

// sizeHint names the usual reasons for a size that differs.
func sizeHint(p driver.Param, want uint64) string {
	switch {
	case p.Kind == driver.ParamVector && p.Size == 16 && want == 12:
		return "; CUDA's float3 and its like are three elements, which driver.Packed3 is"
	case want == 8 && p.Kind == driver.ParamScalar:
		return "; 8 bytes are a pointer (driver.Ptr), an (u)int64 or a float64"
	}
	return ""
}

func goName(sig *driver.Signature) string {
	if sig.Go == "" {
		return "the signature"
	}
	return sig.Go
}

func sizesText(list []paramPlace) string {
	s := ""
	for i, p := range list {
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%d", p.size)
	}
	if s == "" {
		return "none"
	}
	return s + " bytes"
}

// signatureOf is the signature of a kernel that was bound without one: parameters
// of which CUDA tells nothing but their sizes.
func signatureOf(name string, list []paramPlace, known bool) (*driver.Signature, error) {
	if !known {
		return nil, unsupported("cuFuncGetParamInfo", "cuFuncGetParamInfo", "CUDA 12.4")
	}
	params := make([]driver.Param, len(list))
	for i, p := range list {
		params[i] = driver.Param{
			Field: fmt.Sprintf("%s#%d", name, i), Kind: driver.ParamAny, Size: uint32(p.size),
			Type: driver.TypeInfo{Kind: driver.ParamAny, Size: uint32(p.size), Align: alignOf(p), Go: fmt.Sprintf("[%d]byte", p.size)},
		}
	}
	return driver.NewSignature(params), nil
}

// alignOf is the largest alignment that a parameter can have, given its place.
func alignOf(p paramPlace) uint32 {
	a := uint32(16)
	for a > 1 && (p.offset%uint64(a) != 0 || p.size%uint64(a) != 0) {
		a /= 2
	}
	return a
}
