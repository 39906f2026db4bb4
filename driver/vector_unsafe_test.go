package driver_test

import (
	"testing"
	"unsafe"

	"github.com/triad-gpu/triad/driver"
)

func TestVectorsHaveTheDevicesSize(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"Char2", unsafe.Sizeof(driver.Char2{}), 2},
		{"Char3", unsafe.Sizeof(driver.Char3{}), 4},
		{"UShort4", unsafe.Sizeof(driver.UShort4{}), 8},
		{"Half16", unsafe.Sizeof(driver.Half16{}), 32},
		{"Float2", unsafe.Sizeof(driver.Float2{}), 8},
		{"Float3", unsafe.Sizeof(driver.Float3{}), 16},
		{"Float4", unsafe.Sizeof(driver.Float4{}), 16},
		{"Float8", unsafe.Sizeof(driver.Float8{}), 32},
		{"Float16", unsafe.Sizeof(driver.Float16{}), 64},
		{"Double3", unsafe.Sizeof(driver.Double3{}), 32},
		{"Long16", unsafe.Sizeof(driver.Long16{}), 128},
		{"Packed3[float32]", unsafe.Sizeof(driver.Packed3[float32]{}), 12},
		{"Packed3[uint8]", unsafe.Sizeof(driver.Packed3[uint8]{}), 3},
		{"Half", unsafe.Sizeof(driver.Half(0)), 2},
		{"Ptr", unsafe.Sizeof(driver.Ptr[float32]{}), 8},
		{"Local", unsafe.Sizeof(driver.Local[float32]{}), 8},
	} {
		if c.got != c.want {
			t.Errorf("%s is %d bytes; want %d", c.name, c.got, c.want)
		}
	}
	v := driver.Float3{X: 1, Y: 2, Z: 3}
	if got := *(*[3]float32)(unsafe.Pointer(&v)); got != [3]float32{1, 2, 3} {
		t.Errorf("Float3's elements are %v", got)
	}
}
