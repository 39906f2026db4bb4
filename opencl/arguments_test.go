package opencl

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// held keeps an object on the heap.
var held any

// cgo looks at the whole Go object that a pointer points into, unless the type
// says that there is nothing to look for.
func TestArgumentsMayLieInAnObjectWithGoPointers(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	k := kernel[noteArgs](t, d, idSource, "note")
	object := &struct {
		text *string
		args noteArgs
	}{text: new(string)}
	held = object
	object.args.X = buffer(t, s, make([]uint32, 16)).Ptr()
	check(t, k.Launch(s, driver.Grid1D(16, 4), driver.ArgsOf(&object.args)))
	check(t, k.Enqueue(s, NDRange{Global: [3]uint64{16}}, driver.ArgsOf(&object.args), nil, nil))
}
