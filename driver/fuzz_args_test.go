package driver_test

import (
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// fieldTypes are what random structs are made of; the last few are refused.
var fieldTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[int32](),
	reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[driver.Half](), reflect.TypeFor[driver.Float2](), reflect.TypeFor[driver.Float3](),
	reflect.TypeFor[driver.Double16](), reflect.TypeFor[driver.Packed3[int16]](), reflect.TypeFor[driver.Ptr[float32]](),
	reflect.TypeFor[driver.Ptr[driver.Ptr[int8]]](), reflect.TypeFor[driver.Local[int32]](), reflect.TypeFor[struct{}](),
	reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[*int32](), reflect.TypeFor[map[int8]int8](), reflect.TypeFor[any](),
}

// randomStruct makes a struct type of what data says: a type for each byte, and
// above those structs and arrays of what follows.
func randomStruct(data *[]byte, depth int) reflect.Type {
	var fields []reflect.StructField
	for len(*data) > 0 && len(fields) < 20 {
		b := int((*data)[0])
		*data = (*data)[1:]
		if b == 255 {
			break
		}
		t := fieldTypes[b%len(fieldTypes)]
		if b >= 128 && depth < 4 {
			if t = randomStruct(data, depth+1); b >= 192 {
				t = reflect.ArrayOf(b%5, t)
			}
		}
		fields = append(fields, reflect.StructField{Name: string(rune('A' + len(fields))), Type: t})
	}
	return reflect.StructOf(fields)
}

// Any struct gives an error or a signature that is true to it, whose pack can
// be filled and launched.
func FuzzSignatureAndArgPack(f *testing.F) {
	f.Add([]byte{5, 13, 13, 3})
	f.Add([]byte{5, 128, 5, 9, 255, 15})
	f.Add([]byte{195, 3, 3, 255, 200, 1})
	f.Add([]byte{17, 18, 19})
	f.Add([]byte{128, 193, 16, 255, 0, 255, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		typ := randomStruct(&data, 0)
		sig, err := driver.SignatureOfType(typ)
		if err != nil {
			wantErr(t, err, driver.ErrSignature)
			return
		}
		if sig.Size != uint32(typ.Size()) || len(sig.Params) != typ.NumField() {
			t.Fatalf("%d bytes and %d parameters for %s", sig.Size, len(sig.Params), typ)
		}
		p := driver.NewArgPack(sig)
		want := make([]byte, sig.Size)
		for i, q := range sig.Params {
			field := typ.Field(i)
			if uintptr(q.Offset) != field.Offset || uintptr(q.Size) != field.Type.Size() || q.Type.Align == 0 {
				t.Fatalf("parameter %+v for field %+v", q, field)
			}
			var err error
			switch q.Kind {
			case driver.ParamPointer:
				err = p.Ptr(i, uint64(i))
				binary.NativeEndian.PutUint64(want[q.Offset:], uint64(i))
			case driver.ParamLocal:
				err = p.Local(i, uint64(i))
				binary.NativeEndian.PutUint64(want[q.Offset:], uint64(i))
			default:
				for j := range q.Size {
					want[q.Offset+j] = byte(i) + byte(j)
				}
				err = p.Bytes(i, want[q.Offset:q.Offset+q.Size])
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		k := &readKernel{}
		launch(t, k, p)
		if string(k.got) != string(want) {
			t.Fatalf("got  % x\nwant % x", k.got, want)
		}
	})
}
