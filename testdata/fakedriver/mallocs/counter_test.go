//go:build cgo && linux

package mallocs

import (
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

func TestAllocationsAreCountedByWhoseTheyAre(t *testing.T) {
	env := Env(t)
	if drivertest.AsanEnabled {
		t.Skip("AddressSanitizer has an allocator of its own")
	}
	drivertest.RunChild(t, "TestCountingInAChild", env...)
}

// counted is the least count of several: a thread that Go starts meanwhile allocates.
func counted(c *Counter, f func()) (program, others int) {
	program, others = 1<<30, 1<<30
	for range 5 {
		c.Begin()
		f()
		p, o := c.End()
		program, others = min(program, p), min(others, o)
	}
	return program, others
}

func TestCountingInAChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	c, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	p, err := fakedriver.Build(fakedriver.Options{})
	if err != nil {
		drivertest.Unavailable(t, "cc", err)
	}
	d, err := control.Open(p.Cuda)
	if err != nil {
		t.Fatal(err)
	}
	for how := range hows {
		want := 10
		if how == nothing {
			want = 0
		}
		program, others := counted(c, func() {
			for range 10 {
				allocate(how)
			}
		})
		if program != want || others != 0 {
			t.Errorf("way %d: %d allocations of the program and %d of others, want %d and 0", how, program, others, want)
		}
	}
	// What the driver allocates is not the program's, though the program calls it.
	if code := d.Call("cuInit", 0); code != 0 {
		t.Fatalf("cuInit: %d", code)
	}
	m := control.NewMemory(2)
	defer m.Free()
	program, others := counted(c, func() {
		d.Call("cuDevicePrimaryCtxRetain", m.At(0), 0)
		d.Call("cuCtxPushCurrent_v2", uintptr(m.Word(0)))
		d.Call("cuEventCreate", m.At(1), 0)
		d.Call("cuEventDestroy_v2", uintptr(m.Word(1)))
		d.Call("cuCtxPopCurrent_v2", m.At(1))
		d.Call("cuDevicePrimaryCtxRelease_v2", 0)
	})
	// Each call is looked up by its name, of which C gets a copy.
	if program != 6 || others == 0 {
		t.Errorf("%d allocations of the program, want 6; %d of the driver, want some", program, others)
	}
	before, _ := c.End()
	allocate(0)
	if after, _ := c.End(); after != before {
		t.Errorf("what is allocated outside of the marks is counted: %d, then %d", before, after)
	}
}
