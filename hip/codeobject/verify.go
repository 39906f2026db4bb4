package codeobject

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Verify compares the kernel's parameters with a Go struct's: their number, sizes,
// kinds, and places; what pointers lead to where the code object has the types. A
// difference is driver.ErrSignature and names the parameter, both sizes and both
// types.
//
// A driver.Local goes with a pointer to shared memory, which kernels in OpenCL C
// have. For a kernel without any, as in HIP, driver.Local fields only add to the
// shared memory of a launch, and are no parameters.
func (k *Kernel) Verify(sig *driver.Signature) error {
	params := k.fields(sig)
	if len(params) != len(k.Args) {
		return k.mismatch("has %d parameters %s; %s gives it %d: %s", len(k.Args), k.describe(), goName(sig), len(params), sig)
	}
	end := uint32(0) // of the parameter before
	for i, p := range params {
		a := k.Args[i]
		if what := differs(a, p, end); what != "" {
			return k.mismatch("parameter %d: the kernel takes %s, and field %s (%s) of %s %s", i, a, p.Field, p.GoType(), goName(sig), what)
		}
		end = a.Offset + a.Size
		if end < a.Offset || end > k.ArgBytes {
			return k.mismatch("parameter %d: the kernel takes %s, which is outside its %d bytes of parameters", i, a, k.ArgBytes)
		}
	}
	return nil
}

// fields are the parameters of a signature that the kernel has a place for.
func (k *Kernel) fields(sig *driver.Signature) []driver.Param {
	for _, a := range k.Args {
		if a.Kind == KindShared {
			return sig.Params
		}
	}
	var params []driver.Param
	for _, p := range sig.Params {
		if p.Kind != driver.ParamLocal {
			params = append(params, p)
		}
	}
	return params
}

// differs says what is wrong with a field for a parameter, "" if nothing. end is
// where the parameter before it ends.
func differs(a Arg, p driver.Param, end uint32) string {
	switch want := kindOf(a); {
	case want == 0:
		return "is none, and no field can be: images, samplers, pipes and queues are not supported"
	case p.Kind == driver.ParamAny:
	case want != kindOfField(p):
		return "is " + kindNames[kindOfField(p)]
	}
	if p.Kind == driver.ParamLocal {
		return pointeeDiffers(a, p)
	}
	if p.Size != a.Size {
		return fmt.Sprintf("has %d%s", p.Size, sizeHint(p, a.Size))
	}
	if p.Kind == driver.ParamPointer {
		return pointeeDiffers(a, p)
	}
	if t, ok := scalarType(a.Type); ok && p.Type.Name != "" && p.Type.Name != t && a.Type != "" {
		return fmt.Sprintf("is a %s", p.Type.Name)
	}
	// A struct's alignment isn't in its Go type: Go aligns no more than to 8.
	if align := p.Type.Align; p.Kind == driver.ParamScalar || p.Kind == driver.ParamVector {
		if place := (end + align - 1) / align * align; place != a.Offset {
			return fmt.Sprintf("belongs at byte %d, being aligned to %d", place, align)
		}
	}
	return ""
}

// kindOf is what a parameter is; 0 for what no field can be.
func kindOf(a Arg) driver.ParamKind {
	switch a.Kind {
	case KindValue:
		return driver.ParamAny
	case KindPointer:
		return driver.ParamPointer
	case KindShared:
		return driver.ParamLocal
	}
	return 0
}

func kindOfField(p driver.Param) driver.ParamKind {
	switch p.Kind {
	case driver.ParamPointer, driver.ParamLocal:
		return p.Kind
	}
	return driver.ParamAny
}

var kindNames = map[driver.ParamKind]string{
	driver.ParamPointer: "a pointer to device memory (driver.Ptr)",
	driver.ParamLocal:   "shared memory (driver.Local)",
	driver.ParamAny:     "a value",
}

// pointeeDiffers compares what is pointed to, where the code object knows.
func pointeeDiffers(a Arg, p driver.Param) string {
	elem, ok := strings.CutSuffix(strings.TrimSpace(a.Type), "*")
	if !ok || p.Type.Name == "" || p.Type.Name == "void" {
		return ""
	}
	t, ok := scalarType(elem)
	if !ok || t == p.Type.Name || p.Type.Name == "bool" && (t == "char" || t == "uchar") {
		return ""
	}
	return "leads to " + p.Type.Name
}

var builtin = regexp.MustCompile(`^(char|uchar|short|ushort|int|uint|long|ulong|half|float|double|bool)(2|3|4|8|16)?$`)

// scalarType is OpenCL C's name for a scalar or vector type that a compiler
// spelled in its own way; false for other types.
func scalarType(s string) (string, bool) {
	words := strings.Fields(s)
	unsigned := false
	rest := words[:0]
	for _, w := range words {
		switch w {
		case "const", "volatile", "restrict", "signed":
		case "unsigned":
			unsigned = true
		default:
			rest = append(rest, w)
		}
	}
	s = strings.Join(rest, " ")
	switch {
	case unsigned && s == "":
		s = "uint"
	case unsigned:
		s = "u" + s
	case s == "_Float16":
		s = "half"
	}
	return s, builtin.MatchString(s)
}

// sizeHint names the usual reasons for a size that differs.
func sizeHint(p driver.Param, want uint32) string {
	switch {
	case p.Kind == driver.ParamVector && p.Size == 16 && want == 12:
		return "; HIP's float3 and its like are three elements, which driver.Packed3 is"
	case want == 8 && p.Kind == driver.ParamScalar:
		return "; 8 bytes are an (u)int64 or a float64"
	}
	return ""
}

// String describes the parameter: "4 bytes (float a)", "a pointer to global memory
// (float* x)".
func (a Arg) String() string {
	var s string
	switch a.Kind {
	case KindValue:
		s = byteCount(a.Size)
	case KindPointer:
		s = "a pointer to " + strings.TrimSpace(a.AddressSpace+" memory")
	case KindShared:
		s = "a pointer to shared memory"
	default:
		s = "a parameter of the kind " + strconv.Quote(a.Kind)
	}
	if name := strings.TrimSpace(a.Type + " " + a.Name); name != "" {
		s += " (" + name + ")"
	}
	return s + fmt.Sprintf(" at byte %d", a.Offset)
}

func byteCount(n uint32) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

func (k *Kernel) describe() string {
	if len(k.Args) == 0 {
		return "(none)"
	}
	list := make([]string, len(k.Args))
	for i, a := range k.Args {
		list[i] = a.String()
	}
	return "(" + strings.Join(list, "; ") + ")"
}

func (k *Kernel) mismatch(format string, args ...any) error {
	return refused(driver.ErrSignature, "kernel %q %s", k.Name, fmt.Sprintf(format, args...))
}

func goName(sig *driver.Signature) string {
	if sig.Go == "" {
		return "the signature"
	}
	return sig.Go
}

// Signature is the signature of a kernel that is bound without one: pointers, and
// values of which the size is known. A kernel with an image, a sampler, a pipe or a
// queue is driver.ErrUnsupported.
func (k *Kernel) Signature() (*driver.Signature, error) {
	params := make([]driver.Param, len(k.Args))
	for i, a := range k.Args {
		p := &params[i]
		*p = driver.Param{Field: a.Name, Kind: kindOf(a), Size: a.Size}
		if p.Field == "" {
			p.Field = fmt.Sprintf("%s#%d", k.Name, i)
		}
		switch p.Kind {
		case 0:
			return nil, refused(driver.ErrUnsupported, "kernel %q, parameter %d is %s; images, samplers, pipes and queues are not supported", k.Name, i, a)
		case driver.ParamPointer, driver.ParamLocal:
			p.Size = 8
			p.Type = driver.TypeInfo{Name: "void", Kind: driver.ParamScalar, Align: 1, Go: "void"}
		default:
			p.Type = driver.TypeInfo{Kind: driver.ParamAny, Size: a.Size, Align: a.align(), Go: fmt.Sprintf("[%d]byte", a.Size)}
		}
	}
	return driver.NewSignature(params), nil
}

// align is the largest alignment that a value can have, given its place.
func (a Arg) align() uint32 {
	align := uint32(16)
	for align > 1 && (a.Offset%align != 0 || a.Size%align != 0) {
		align /= 2
	}
	return align
}
