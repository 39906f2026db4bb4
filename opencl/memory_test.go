package opencl

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

func TestMisalignedSubBuffersNameTheAlignment(t *testing.T) {
	d := testDevice(t, DeviceOptions{BuffersOnly: true})
	if d.align <= 1 {
		drivertest.Lacks(t, "alignment", "the device aligns sub-buffers to single bytes")
	}
	m, err := d.AllocBuffer(4 * d.align)
	check(t, err)
	defer m.Close()
	_, err = m.Slice(d.align+1, 16)
	wantIs(t, "Slice", err, driver.ErrInvalidValue, fmt.Sprint(d.align), fmt.Sprint(d.align+1), d.info.Name)
	part, err := m.Slice(d.align, 2*d.align)
	check(t, err)
	defer part.Close()
	inner, err := part.Slice(d.align, d.align)
	check(t, err)
	defer inner.Close()
	_, err = part.Slice(3, 4)
	wantIs(t, "Slice of a slice", err, driver.ErrInvalidValue, fmt.Sprint(d.align))
}

func TestBuffersAndSharedMemoryCopyToEachOther(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	if !d.svm {
		drivertest.Lacks(t, "svm", "the device has no shared virtual memory")
	}
	s := testStream(t, d, driver.StreamOptions{})
	svm, err := d.AllocSVM(5000)
	check(t, err)
	defer svm.Close()
	buf, err := d.AllocBuffer(5000)
	check(t, err)
	defer buf.Close()
	if driver.PtrFrom[byte](svm.Addr()).IsHandle() || !driver.PtrFrom[byte](buf.Addr()).IsHandle() {
		t.Errorf("Addr: shared memory %#x, buffer %#x", svm.Addr(), buf.Addr())
	}
	want := bytes.Repeat([]byte("triad"), 1000)
	got := make([]byte, 5000)
	check(t, s.CopyFromHost(t.Context(), svm, 0, want))
	check(t, s.Copy(buf, 0, svm, 0, 5000))
	check(t, s.CopyToHost(t.Context(), got, buf, 0))
	if !bytes.Equal(got, want) {
		t.Error("shared memory to buffer: wrong content")
	}
	clear(want[1000:2000])
	p, _ := driver.PatternOf(uint32(0))
	check(t, s.Fill(buf, 1000, 1000, p))
	check(t, s.Copy(svm, 0, buf, 0, 5000))
	check(t, s.CopyToHost(t.Context(), got, svm, 0))
	if !bytes.Equal(got, want) {
		t.Error("buffer to shared memory: wrong content")
	}
	// Kernels take both at once.
	type args struct{ A, B driver.Ptr[uint8] }
	k := kernel[args](t, d, "__kernel void both(__global uchar *a, __global const uchar *b) { a[0] = b[1] + 1; }", "both")
	a := args{driver.PtrFrom[uint8](svm.Addr()), driver.PtrFrom[uint8](buf.Addr())}
	check(t, k.Launch(s, one, driver.ArgsOf(&a)))
	check(t, s.CopyToHost(t.Context(), got[:1], svm, 0))
	if got[0] != want[1]+1 {
		t.Errorf("got %d, want %d", got[0], want[1]+1)
	}
}

func TestSharedMemoryIsRefusedWhereThereIsNone(t *testing.T) {
	d := testDevice(t, DeviceOptions{BuffersOnly: true})
	_, err := d.AllocSVM(16)
	wantIs(t, "AllocSVM", err, driver.ErrUnsupported, "clSVMAlloc", "OpenCL 2.0", d.info.Version)
	if d.Info().RealAddresses {
		t.Error("BuffersOnly and RealAddresses")
	}
}

func TestNativeHandlesAreThere(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	e := testEvent(t, d)
	if e.Native() != 0 {
		t.Error("an event never recorded has a cl_event")
	}
	check(t, s.Record(e))
	k := kernel[storeArgs](t, d, storeSource, "store")
	m, err := d.AllocBuffer(16)
	check(t, err)
	defer m.Close()
	mod, err := d.Load(t.Context(), driver.ModuleSource{Kind: driver.SourceText, Code: []byte(storeSource)}, driver.BuildOptions{})
	check(t, err)
	defer mod.Close()
	device, context := d.Native()
	for name, h := range map[string]uintptr{"device": device, "context": context, "stream": s.Native(), "event": e.Native(), "kernel": k.Native(), "memory": m.Native(), "module": mod.(*Module).Native()} {
		if h == 0 {
			t.Errorf("the %s's native handle is 0", name)
		}
	}
	if d2, _ := testDevice(t, DeviceOptions{}).Native(); d2 != device {
		t.Error("one device has two cl_device_ids")
	}
}

func TestOpeningWhatIsNotThereListsWhatIs(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	for _, i := range []int{-1, 1000} {
		_, err := Open(i, DeviceOptions{})
		wantIs(t, "Open", err, driver.ErrNoDevice, fmt.Sprint(i), d.info.Name, "opencl:0")
	}
	if x, err := Backend().Open(1000); x != nil || err == nil {
		t.Errorf("Backend().Open(1000) gives %v, %v", x, err)
	}
}

func TestProbeReportsWhatWasFound(t *testing.T) {
	testDevice(t, DeviceOptions{})
	r := Backend().Probe()
	if r.Err != nil || r.Backend != "opencl" || r.Loaded == "" || r.Version == "" || len(r.Platforms) == 0 || len(r.Devices) == 0 || len(r.Libraries) == 0 {
		t.Errorf("%+v", r)
	}
	if last := r.Libraries[len(r.Libraries)-1]; last.Err != "" {
		t.Errorf("the last library tried is not the one in use: %+v", last)
	}
}

// The concrete types allocate as little as the interfaces, which the suite tests.
func TestConcreteTypesAllocateNothing(t *testing.T) {
	if drivertest.Instrumented {
		t.Skip("the race detector and AddressSanitizer allocate")
	}
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	k, e := kernel[storeArgs](t, d, storeSource, "store"), testEvent(t, d)
	b := buffer(t, s, []uint32{0})
	ctx := t.Context()
	for name, f := range map[string]func() error{
		"Launch": func() error {
			a := storeArgs{b.Ptr(), 1}
			return k.Launch(s, one, driver.ArgsOf(&a))
		},
		"Enqueue": func() error {
			a := storeArgs{b.Ptr(), 1}
			return k.Enqueue(s, NDRange{Global: [3]uint64{1}}, driver.ArgsOf(&a), nil, e)
		},
		"Record and Wait": func() error {
			if err := s.Record(e); err != nil {
				return err
			}
			return e.Wait(ctx)
		},
		"Barrier": func() error { return s.Barrier(nil) },
		"Wait":    func() error { return s.Wait(ctx) },
	} {
		var failed error
		run := func() {
			if err := f(); err != nil {
				failed = err
			}
		}
		run()
		if n := testing.AllocsPerRun(200, run); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
		if failed != nil {
			t.Errorf("%s: %v", name, failed)
		}
	}
}
