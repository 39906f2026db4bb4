package driver

import (
	"encoding/binary"
	"fmt"
	"math"
)

// ArgPack holds the arguments of a kernel whose parameters are known only at
// run time. It is made for one signature, filled by index, and can be launched
// any number of times; setting and launching allocate nothing.
//
// Each setter checks its index, kind and size against the signature and fails
// with ErrSignature. An ArgPack may be used by one goroutine at a time; a launch
// copies it, so that it can be changed as soon as Launch has returned.
type ArgPack struct {
	sig *Signature
	// mem is in words so that every parameter is aligned in it.
	mem []uint64
	set []bool
}

// NewArgPack makes an empty pack for a kernel's Signature.
func NewArgPack(sig *Signature) *ArgPack {
	return &ArgPack{sig: sig, mem: make([]uint64, (sig.Size+7)/8), set: make([]bool, len(sig.Params))}
}

// Missing lists the parameters that were never set, as errors would name them.
func (p *ArgPack) Missing() []string {
	var names []string
	for i, ok := range p.set {
		if !ok {
			names = append(names, p.name(i))
		}
	}
	return names
}

func (p *ArgPack) name(i int) string {
	if f := p.sig.Params[i].Field; f != "" {
		return fmt.Sprintf("%d (%s)", i, f)
	}
	return fmt.Sprint(i)
}

// at gives the bytes of parameter i after checking what is to be stored there.
func (p *ArgPack) at(i int, kind ParamKind, name string, size int) ([]byte, error) {
	if i < 0 || i >= len(p.sig.Params) {
		return nil, Errorf("driver", "ArgPack", ErrSignature, "there is no parameter %d; the kernel takes %d: %s", i, len(p.sig.Params), p.sig)
	}
	q := &p.sig.Params[i]
	if q.Kind == ParamAny && kind != ParamLocal && int(q.Size) == size {
		kind, name = ParamAny, ""
	}
	unknown := q.Type.Name == "" || q.Type.Name == "void" || name == ""
	if q.Kind != kind && !(kind == ParamStruct && q.Kind != ParamPointer && q.Kind != ParamLocal) ||
		int(q.Size) != size || !unknown && !sameScalar(q.Type.Name, name) {
		what := name
		if what == "" {
			what = "value"
		}
		return nil, Errorf("driver", "ArgPack", ErrSignature, "parameter %s is %s, %d bytes, and was given a %s %s of %d", p.name(i), q.Describe(), q.Size, kind, what, size)
	}
	p.set[i] = true
	b := bytesOf(p.mem)
	return b[q.Offset : q.Offset+q.Size], nil
}

// sameScalar: names match, and a bool fits any one-byte parameter, since OpenCL
// has no bool parameters.
func sameScalar(have, given string) bool {
	if have == given {
		return true
	}
	return given == "bool" && (have == "char" || have == "uchar") || have == "bool" && given == "uchar"
}

func (p *ArgPack) put(i int, name string, size int, v uint64) error {
	b, err := p.at(i, ParamScalar, name, size)
	if err != nil {
		return err
	}
	switch size {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.NativeEndian.PutUint16(b, uint16(v))
	case 4:
		binary.NativeEndian.PutUint32(b, uint32(v))
	default:
		binary.NativeEndian.PutUint64(b, v)
	}
	return nil
}

// Int8 sets parameter i, a char.
func (p *ArgPack) Int8(i int, v int8) error { return p.put(i, "char", 1, uint64(v)) }

// Uint8 sets parameter i, a uchar.
func (p *ArgPack) Uint8(i int, v uint8) error { return p.put(i, "uchar", 1, uint64(v)) }

// Bool sets parameter i, a bool, or in OpenCL a char or uchar.
func (p *ArgPack) Bool(i int, v bool) error {
	var n uint64
	if v {
		n = 1
	}
	return p.put(i, "bool", 1, n)
}

// Int16 sets parameter i, a short.
func (p *ArgPack) Int16(i int, v int16) error { return p.put(i, "short", 2, uint64(v)) }

// Uint16 sets parameter i, a ushort.
func (p *ArgPack) Uint16(i int, v uint16) error { return p.put(i, "ushort", 2, uint64(v)) }

// Half sets parameter i, a half.
func (p *ArgPack) Half(i int, v Half) error { return p.put(i, "half", 2, uint64(v)) }

// Int32 sets parameter i, an int.
func (p *ArgPack) Int32(i int, v int32) error { return p.put(i, "int", 4, uint64(v)) }

// Uint32 sets parameter i, a uint.
func (p *ArgPack) Uint32(i int, v uint32) error { return p.put(i, "uint", 4, uint64(v)) }

// Int64 sets parameter i, a long.
func (p *ArgPack) Int64(i int, v int64) error { return p.put(i, "long", 8, uint64(v)) }

// Uint64 sets parameter i, a ulong.
func (p *ArgPack) Uint64(i int, v uint64) error { return p.put(i, "ulong", 8, v) }

// Float32 sets parameter i, a float.
func (p *ArgPack) Float32(i int, v float32) error {
	return p.put(i, "float", 4, uint64(math.Float32bits(v)))
}

// Float64 sets parameter i, a double.
func (p *ArgPack) Float64(i int, v float64) error {
	return p.put(i, "double", 8, math.Float64bits(v))
}

// Bytes sets parameter i, a struct, vector or number, to its bytes in device
// layout; as many as the parameter has.
func (p *ArgPack) Bytes(i int, v []byte) error {
	b, err := p.at(i, ParamStruct, "", len(v))
	if err == nil {
		copy(b, v)
	}
	return err
}

// Ptr sets parameter i, a pointer, to what Memory.Addr or Ptr.Bits returned.
func (p *ArgPack) Ptr(i int, bits uint64) error {
	return p.word(i, ParamPointer, bits)
}

// Local sets parameter i, a local-memory parameter, to a size in bytes.
func (p *ArgPack) Local(i int, bytes uint64) error {
	return p.word(i, ParamLocal, bytes)
}

func (p *ArgPack) word(i int, kind ParamKind, v uint64) error {
	b, err := p.at(i, kind, "", 8)
	if err == nil && kind == ParamPointer {
		err = p.open(i, v)
	}
	if err == nil {
		binary.NativeEndian.PutUint64(b, v)
	}
	return err
}

// open refuses a pointer to closed memory where the launch couldn't: it would not
// know that this is a pointer.
func (p *ArgPack) open(i int, bits uint64) error {
	if bits == PtrClosed && p.sig.Params[i].Kind == ParamAny {
		p.set[i] = false
		return Errorf("driver", "ArgPack", ErrClosed, "parameter %s: the pointer is of memory that was closed", p.name(i))
	}
	return nil
}

// SetPtr sets parameter i to a typed pointer, checking its element type where
// the kernel's is known.
func SetPtr[T any](p *ArgPack, i int, ptr Ptr[T]) error {
	b, err := p.at(i, ParamPointer, elemName[T](), 8)
	if err == nil {
		err = p.open(i, ptr.bits)
	}
	if err == nil {
		binary.NativeEndian.PutUint64(b, ptr.bits)
	}
	return err
}

// elemName is the kernel-language name of T where it is a plain number; ""
// where checking would need reflection, which a setter does without.
func elemName[T any]() string {
	var v T
	switch any(v).(type) {
	case int8:
		return "char"
	case int16:
		return "short"
	case int32:
		return "int"
	case int64:
		return "long"
	case uint8:
		return "uchar"
	case uint16:
		return "ushort"
	case uint32:
		return "uint"
	case uint64:
		return "ulong"
	case float32:
		return "float"
	case float64:
		return "double"
	}
	return ""
}

// Ref refers to the arguments for the argument list of Kernel.Launch. It fails
// with ErrSignature while a parameter has not been set.
func (p *ArgPack) Ref() (ArgRef, error) {
	for _, ok := range p.set {
		if !ok {
			return ArgRef{}, Errorf("driver", "ArgPack.Ref", ErrSignature, "parameters not set: %v; the kernel takes %s", p.Missing(), p.sig)
		}
	}
	return argsOfWords(p.mem, uintptr(p.sig.Size)), nil
}
