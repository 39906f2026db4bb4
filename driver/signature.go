package driver

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// ParamKind says how a kernel parameter is handed to a driver.
type ParamKind uint8

// The kinds of kernel parameters.
const (
	ParamScalar  ParamKind = iota + 1 // a number or bool, by value
	ParamVector                       // float4 and its like, by value
	ParamStruct                       // a struct, by value
	ParamPointer                      // a device pointer, 8 bytes
	ParamLocal                        // a size of local memory, 8 bytes in the Go struct
	ParamAny                          // a value of which a driver tells only the size
)

func (k ParamKind) String() string {
	switch k {
	case ParamScalar:
		return "scalar"
	case ParamVector:
		return "vector"
	case ParamStruct:
		return "struct"
	case ParamPointer:
		return "pointer"
	case ParamLocal:
		return "local memory"
	case ParamAny:
		return "value"
	}
	return "unknown"
}

// TypeInfo is a type as kernel languages see it.
type TypeInfo struct {
	// Name is OpenCL C's name for a scalar or vector ("uint", "float4"),
	// "void" for an empty struct as pointee, and "" for other structs and for
	// arrays, whose names Go doesn't know.
	Name  string
	Kind  ParamKind // ParamScalar, ParamVector, ParamStruct, or ParamPointer for what a pointer to pointers points to
	Size  uint32    // bytes on the device
	Align uint32    // bytes on the device
	Go    string    // the Go type
	// Pointers: it is a Ptr or holds one, so that a kernel finds device addresses
	// in memory, of which some drivers must be told.
	Pointers bool
}

// Param is one kernel parameter, and where its value stands in the Go argument
// struct.
type Param struct {
	Field  string    // the Go field, or the kernel's own name for it
	Kind   ParamKind //
	Offset uint32    // of the value in the argument struct, bytes
	Size   uint32    // of the value in the argument struct, bytes
	Type   TypeInfo  // of the value; of what is pointed to for pointers and local memory
}

// Describe names the parameter's type for error texts, in the words of kernel
// languages: "float", "float4*", "16-byte struct Params", "__local float*".
func (p Param) Describe() string {
	name := p.Type.Name
	switch {
	case p.Kind == ParamAny:
		return fmt.Sprintf("%d bytes", p.Size)
	case name == "" && (p.Type.Kind == ParamPointer || strings.HasPrefix(p.Type.Go, "[")):
		name = p.Type.Go // pointers and arrays have no name but Go's
	case name == "":
		name = fmt.Sprintf("%d-byte struct %s", p.Type.Size, p.Type.Go)
	}
	switch p.Kind {
	case ParamPointer:
		return name + "*"
	case ParamLocal:
		return "__local " + name + "*"
	}
	return name
}

// GoType is the Go type of the parameter's field.
func (p Param) GoType() string {
	switch p.Kind {
	case ParamPointer:
		return "driver.Ptr[" + p.Type.Go + "]"
	case ParamLocal:
		return "driver.Local[" + p.Type.Go + "]"
	}
	return p.Type.Go
}

// Signature is the parameter list of a kernel. It is immutable once made and
// may be shared by any number of goroutines.
type Signature struct {
	Params []Param
	Size   uint32 // of the argument struct, bytes
	Go     string // the Go type; "" where the list came from the driver
	key    string
}

// MaxArgBytes is the most that any known driver takes as kernel parameters.
const MaxArgBytes = 32764

// Key identifies the signature: two signatures with one key are interchangeable.
func (s *Signature) Key() string { return s.key }

// String lists the parameter types: "(float, float*, uint)".
func (s *Signature) String() string {
	var b strings.Builder
	b.WriteByte('(')
	for i, p := range s.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.Describe())
	}
	b.WriteByte(')')
	return b.String()
}

// SignatureOf reads the parameter list off a Go struct type: one field per
// kernel parameter, in order. Field types may be
//
//   - int8 … uint64, float32, float64, Half, bool, complex64 and complex128 (as
//     float2 and double2);
//   - the vector types of this package;
//   - structs of these and of arrays of these, whose layout must be that of C,
//     with blank fields as padding where the device aligns more than Go does;
//   - Ptr[T] and Local[T].
//
// Blank fields at the top level are skipped. Anything else — int and uint,
// Go pointers, strings, slices, maps, arrays at the top level — is refused with
// ErrSignature, naming the field and what to use instead.
func SignatureOf[A any]() (*Signature, error) {
	return signatureOf(reflect.TypeFor[A]())
}

func signatureOf(t reflect.Type) (*Signature, error) {
	if t.Kind() != reflect.Struct {
		return nil, signatureError(t, "is no struct; kernel arguments are a struct with one field per parameter")
	}
	if t.Size() > MaxArgBytes {
		return nil, signatureError(t, "is %d bytes; the most that any driver takes is %d", t.Size(), MaxArgBytes)
	}
	sig := &Signature{Size: uint32(t.Size()), Go: t.String()}
	name := t.Name()
	if name == "" {
		name = "struct"
	}
	var r typeReader
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		p, err := r.param(f.Type, name+"."+f.Name)
		if err != nil {
			return nil, err
		}
		p.Field, p.Offset, p.Size = f.Name, uint32(f.Offset), uint32(f.Type.Size())
		sig.Params = append(sig.Params, p)
	}
	sig.key = sig.makeKey()
	return sig, nil
}

// NewSignature lays out parameters that are known only at run time: it sets
// each Offset, aligned as on the device, and the total size. Backends make the
// signatures of untyped kernels with it.
func NewSignature(params []Param) *Signature {
	sig := &Signature{Params: params}
	var end uint32
	for i := range params {
		align := uint32(8)
		if p := &params[i]; p.Kind != ParamPointer && p.Kind != ParamLocal {
			align = max(p.Type.Align, 1)
		}
		end = roundUp(end, align)
		params[i].Offset = end
		end += params[i].Size
	}
	sig.Size = roundUp(end, 8)
	sig.key = sig.makeKey()
	return sig
}

func (s *Signature) makeKey() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", s.Size)
	for _, p := range s.Params {
		fmt.Fprintf(&b, ";%d,%d,%d:%s,%d,%d,%s", p.Kind, p.Offset, p.Size, p.Type.Name, p.Type.Size, p.Type.Align, structKey(p))
	}
	return b.String()
}

// structKey keeps structs of one size apart by their Go type.
func structKey(p Param) string {
	if p.Type.Name == "" {
		return p.Type.Go
	}
	return ""
}

// typeReader reads one signature's types.
type typeReader struct {
	// open are the pointees being read: a struct may point to its own type.
	open []reflect.Type
}

func (r *typeReader) param(t reflect.Type, path string) (Param, error) {
	if elem, ok := pointeeOf(t); ok {
		info, err := r.pointee(elem, path)
		return Param{Kind: ParamPointer, Type: info}, err
	}
	if elem, ok := localElemOf(t); ok {
		info, err := r.pointee(elem, path)
		return Param{Kind: ParamLocal, Type: info}, err
	}
	if t.Kind() == reflect.Array {
		return Param{}, signatureError(path, "is an array, which C passes as a pointer; put it into a struct, or use a vector type such as driver.Float4")
	}
	info, err := r.value(t, path)
	return Param{Kind: info.Kind, Type: info}, err
}

// pointee describes what a pointer points to. An empty struct stands for void.
func (r *typeReader) pointee(t reflect.Type, path string) (TypeInfo, error) {
	if t.Kind() == reflect.Struct && t.NumField() == 0 {
		return TypeInfo{Name: "void", Kind: ParamScalar, Size: 0, Align: 1, Go: t.String()}, nil
	}
	if slices.Contains(r.open, t) {
		return TypeInfo{}, nil // whoever opened it reads it; nobody needs it here
	}
	r.open = append(r.open, t)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	return r.value(t, path+"*")
}

// scalarNames are OpenCL C's names of Go's numbers.
var scalarNames = map[reflect.Kind]string{
	reflect.Bool: "bool",
	reflect.Int8: "char", reflect.Uint8: "uchar",
	reflect.Int16: "short", reflect.Uint16: "ushort",
	reflect.Int32: "int", reflect.Uint32: "uint",
	reflect.Int64: "long", reflect.Uint64: "ulong",
	reflect.Float32: "float", reflect.Float64: "double",
}

// value describes a type that stands in memory by itself, in a struct or in an
// array. Its kind is ParamPointer for a Ptr.
func (r *typeReader) value(t reflect.Type, path string) (TypeInfo, error) {
	switch {
	case t.Size() > maxTypeBytes:
		return TypeInfo{}, signatureError(path, "is a %s of %s; the most is %s", t, ByteSize(uint64(t.Size())), ByteSize(maxTypeBytes))
	case t.Size() == 0 && (t.Kind() == reflect.Struct || t.Kind() == reflect.Array):
		return TypeInfo{}, signatureError(path, "is a %s, which has no size", t)
	case t == reflect.TypeFor[Half]():
		return TypeInfo{Name: "half", Kind: ParamScalar, Size: 2, Align: 2, Go: "driver.Half"}, nil
	case t.Kind() == reflect.Complex64:
		return TypeInfo{Name: "float2", Kind: ParamVector, Size: 8, Align: 8, Go: t.String()}, nil
	case t.Kind() == reflect.Complex128:
		return TypeInfo{Name: "double2", Kind: ParamVector, Size: 16, Align: 16, Go: t.String()}, nil
	}
	size := uint32(t.Size())
	if name := scalarNames[t.Kind()]; name != "" {
		return TypeInfo{Name: name, Kind: ParamScalar, Size: size, Align: size, Go: t.String()}, nil
	}
	if elem, ok := pointeeOf(t); ok {
		_, err := r.pointee(elem, path)
		return TypeInfo{Kind: ParamPointer, Size: 8, Align: 8, Go: t.String(), Pointers: true}, err
	}
	if _, ok := localElemOf(t); ok {
		return TypeInfo{}, signatureError(path, "is local memory, which can only be a parameter of its own, not part of a struct nor what a pointer points to")
	}
	if v, ok := vectorOf(t); ok {
		return r.vector(t, v)
	}
	switch t.Kind() {
	case reflect.Struct:
		return r.structure(t, path)
	case reflect.Array:
		elem, err := r.value(t.Elem(), path+"[]")
		return TypeInfo{Kind: ParamStruct, Size: size, Align: elem.Align, Go: t.String(), Pointers: elem.Pointers}, err
	}
	return TypeInfo{}, signatureError(path, "%s", refusal(t))
}

// maxTypeBytes is the largest type that is read, so that sizes fit 32 bits.
const maxTypeBytes = 1 << 30

func (r *typeReader) vector(t reflect.Type, v vectorType) (TypeInfo, error) {
	lanes, stride, aligned := v.vector()
	elem := t.Field(0).Type
	if elem.Kind() == reflect.Array {
		elem = elem.Elem()
	}
	scalar, err := r.value(elem, t.String())
	if err != nil {
		return TypeInfo{}, err
	}
	info := TypeInfo{
		Name: fmt.Sprintf("%s%d", scalar.Name, lanes), Kind: ParamVector,
		Size: scalar.Size * uint32(stride), Align: scalar.Size * uint32(stride), Go: t.String(),
	}
	if !aligned {
		info.Name, info.Kind, info.Align = "", ParamStruct, scalar.Align
	}
	return info, nil
}

// structure checks that a struct has in Go the layout that C gives it.
func (r *typeReader) structure(t reflect.Type, path string) (TypeInfo, error) {
	var end, align uint32 = 0, 1
	pointers := false
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" && f.Type.Size() == 0 {
			continue // a mark, such as structs.HostLayout
		}
		field := path + "." + f.Name
		info, err := r.value(f.Type, field)
		if err != nil {
			return TypeInfo{}, err
		}
		want := roundUp(end, info.Align)
		switch have := uint32(f.Offset); {
		case have < want:
			return TypeInfo{}, signatureError(field,
				"is at byte %d in Go, but a %s is aligned to %d bytes in kernels and would be at byte %d; put a field _ [%d]byte before it",
				have, info.Go, info.Align, want, want-end)
		case have > want:
			return TypeInfo{}, signatureError(field,
				"is at byte %d in Go, for a field without size before it, and at byte %d in kernels; take that field out", have, want)
		}
		end = want + info.Size
		align = max(align, info.Align)
		pointers = pointers || info.Pointers
	}
	switch size, have := roundUp(end, align), uint32(t.Size()); {
	case have < size:
		return TypeInfo{}, signatureError(path,
			"(%s) is %d bytes in Go and %d in kernels, where it is aligned to %d; put a field _ [%d]byte at its end",
			t, have, size, align, size-end)
	case have > size:
		return TypeInfo{}, signatureError(path,
			"(%s) is %d bytes in Go, for a field without size, and %d in kernels; put that field first or take it out", t, have, size)
	}
	return TypeInfo{Kind: ParamStruct, Size: uint32(t.Size()), Align: align, Go: t.String(), Pointers: pointers}, nil
}

// refusal says what is wrong with a type that no kernel parameter can have, and
// what to use instead.
func refusal(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "is an int, whose size differs between Go and kernels; use int32 or int64"
	case reflect.Uint, reflect.Uintptr:
		return fmt.Sprintf("is a %s, whose size differs between Go and kernels; use uint32 or uint64", t.Kind())
	case reflect.Pointer, reflect.UnsafePointer:
		return fmt.Sprintf("is a Go pointer (%s), which a device cannot follow; use driver.Ptr for device memory, or the value itself", t)
	case reflect.Slice:
		return fmt.Sprintf("is a Go slice (%s); use a driver.Ptr[%s] to device memory and a length", t, t.Elem())
	case reflect.String:
		return "is a Go string; use a driver.Ptr[uint8] to device memory and a length"
	}
	return fmt.Sprintf("is a Go %s (%s), which kernels do not have; pass numbers, structs of them, or a driver.Ptr to device memory", t.Kind(), t)
}

func signatureError(what any, format string, args ...any) error {
	return &Error{Backend: "driver", Op: "SignatureOf", Kind: ErrSignature, Detail: fmt.Sprint(what) + " " + fmt.Sprintf(format, args...)}
}

func roundUp(n, align uint32) uint32 { return (n + align - 1) / align * align }

// checkElem tells whether devices can hold a T.
func checkElem[T any]() error {
	t := reflect.TypeFor[T]()
	if _, ok := elemOK.Load(t); ok {
		return nil
	}
	var r typeReader
	if _, err := r.value(t, t.String()); err != nil {
		return err
	}
	elemOK.Store(t, struct{}{})
	return nil
}

// elemOK remembers the element types that passed.
var elemOK sync.Map
