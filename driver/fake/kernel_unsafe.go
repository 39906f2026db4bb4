package fake

import (
	"fmt"
	"unsafe"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// argsOf puts a launch's parameters where their fields are.
func argsOf[A any](sig *driver.Signature, l *control.Launch) (args A, err error) {
	block := unsafe.Slice((*byte)(unsafe.Pointer(&args)), unsafe.Sizeof(args))
	i := 0
	for _, p := range sig.Params {
		if p.Kind == driver.ParamLocal {
			continue
		}
		if i >= l.Params() {
			return args, fmt.Errorf("the launch has %d parameters, and the function takes %s", l.Params(), sig)
		}
		l.Param(i, block[p.Offset:p.Offset+p.Size])
		i++
	}
	return args, nil
}

// roomAt is how many bytes of a fake device's memory there are from an address on.
func roomAt(addr uint64) (room int64) {
	for _, l := range []*library{cudas, hips} {
		if ctl := l.ctl.Load(); ctl != nil {
			room = max(room, ctl.Room(addr))
		}
	}
	return room
}

// Slice is the n elements that a device pointer points to, for kernels that are Go
// functions; the function must not keep it. Where there is no memory, or less, the
// kernel ends and the device faults with IllegalAddress, as a GPU does. It is called
// on the goroutine that the function was called on.
func Slice[T any](p driver.Ptr[T], n int) []T {
	var v T
	size, bits := int64(unsafe.Sizeof(v)), p.Bits()
	room := roomAt(bits)
	if n < 0 || size > 0 && int64(n) > room/size || bits == 0 && n > 0 {
		panic(stray{fmt.Errorf("%d elements of %T at %#x, where there are %d bytes: %w", n, v, bits, room, IllegalAddress)})
	}
	if n == 0 {
		return nil
	}
	// The address is one of memory that C has, not of Go's.
	return unsafe.Slice(*(**T)(unsafe.Pointer(&bits)), n)
}
