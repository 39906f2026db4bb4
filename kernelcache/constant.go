package kernelcache

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/triad-gpu/triad/driver"
)

// Constant sets the specialization constant of that id in a SPIR-V module. The
// value's type must be that of the constant: bool, int8 … uint64, float32 or
// float64; an int or uint counts as 32 bits and must fit.
func Constant[V Value](id uint32, value V) Option {
	return func(o *options) error {
		b, err := constantBytes(reflect.ValueOf(value))
		if err != nil {
			return optionError("Constant", "constant %d: %v", id, err)
		}
		for _, c := range o.build.Constants {
			if c.ID == id {
				return optionError("Constant", "constant %d is set twice", id)
			}
		}
		o.build.Constants = append(o.build.Constants, driver.SpecConstant{ID: id, Value: b})
		return nil
	}
}

// constantBytes is a value as it stands in memory: SPIR-V's bool is a byte.
func constantBytes(v reflect.Value) ([]byte, error) {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return []byte{1}, nil
		}
		return []byte{0}, nil
	case reflect.Float32:
		return binary.NativeEndian.AppendUint32(nil, math.Float32bits(float32(v.Float()))), nil
	case reflect.Float64:
		return binary.NativeEndian.AppendUint64(nil, math.Float64bits(v.Float())), nil
	}
	var bits uint64
	fits32 := true
	if v.CanInt() {
		bits, fits32 = uint64(v.Int()), v.Int() == int64(int32(v.Int()))
	} else {
		bits, fits32 = v.Uint(), v.Uint() <= math.MaxUint32
	}
	switch v.Kind() {
	case reflect.Int8, reflect.Uint8:
		return []byte{byte(bits)}, nil
	case reflect.Int16, reflect.Uint16:
		return binary.NativeEndian.AppendUint16(nil, uint16(bits)), nil
	case reflect.Int64, reflect.Uint64:
		return binary.NativeEndian.AppendUint64(nil, bits), nil
	case reflect.Int32, reflect.Uint32:
		return binary.NativeEndian.AppendUint32(nil, uint32(bits)), nil
	}
	if !fits32 { // int, uint, uintptr
		return nil, fmt.Errorf("%v is an %s beyond 32 bits; say int64 or uint64", v, v.Kind())
	}
	return binary.NativeEndian.AppendUint32(nil, uint32(bits)), nil
}

// RememberFailure keeps a text that doesn't compile, or a kernel that is missing
// or doesn't fit its struct, from being tried at each launch anew: the error is
// kept until the source is redefined or the device closed. It is meant for
// programs that go on without the kernel. Failures of another kind, such as a
// want of memory, are not kept.
func RememberFailure() Option {
	return func(o *options) error {
		o.keepFailure = true
		return nil
	}
}
