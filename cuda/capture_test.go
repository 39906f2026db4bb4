package cuda

import (
	"runtime"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// The modes of a capture (CUstreamCaptureMode).
const (
	captureGlobal = iota
	captureThreadLocal
	captureRelaxed
)

// capture captures what f does on s, and fails unless the capture stays whole. It
// must end on its own thread.
func capture(t *testing.T, s *Stream, mode int, f func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	check(t, failure("cuStreamBeginCapture", rawCaptureBegin(s.raw, mode), "mode %d", mode))
	if yes, err := s.Capturing(); !yes || err != nil {
		t.Errorf("the stream is being captured: %v, error %v", yes, err)
	}
	f()
	whole, code := rawCaptureEnd(s.raw)
	if !whole || code != 0 {
		t.Errorf("mode %d: the capture was broken: %v", mode, failure("cuStreamEndCapture", code, ""))
	}
	if yes, err := s.Capturing(); yes || err != nil {
		t.Errorf("the stream is still being captured: %v, error %v", yes, err)
	}
}

var captureTests = []onDevice{
	{"CallsOnACapturingStreamAreRecordedOrRefused", func(t *testing.T, d *Device) {
		s, e := newStream(t, d), newEvent(t, d)
		k := bind[storeArgs](t, functions(t, d), "store")
		out, from := words(t, s, 4), words(t, s, 4)
		pinned, err := d.HostAlloc(16, 0)
		check(t, err)
		defer pinned.Close()
		check(t, s.Wait(background))
		capture(t, s, captureGlobal, func() {
			for _, x := range []struct {
				what string
				err  error
			}{
				{"Launch", k.Launch(s, one, driver.ArgsOf(&storeArgs{out.Ptr(), 9}))},
				{"LaunchEx", k.LaunchEx(s, one, LaunchAttributes{}, driver.ArgsOf(&storeArgs{out.Ptr(), 9}))},
				{"Copy", s.Copy(out.Memory(), 0, from.Memory(), 0, 16)},
				{"Copy to page-locked memory", s.Copy(pinned, 0, from.Memory(), 0, 16)},
				{"Fill", out.Fill(s, 8)},
				{"Record", s.Record(e)},
				{"WaitEvent", s.WaitEvent(e)},
				{"Flush", s.Flush()},
			} {
				if x.err != nil {
					t.Errorf("%s is not recorded: %v", x.what, x.err)
				}
			}
			_, queryErr := s.Query()
			for _, x := range []struct {
				what string
				err  error
			}{
				{"Query", queryErr},
				{"Wait", s.Wait(background)},
				{"Then", s.Then(func(error) { t.Error("Then called its function") })},
				{"CopyFrom", out.CopyFrom(background, s, make([]uint32, 4))},
				{"CopyTo", out.CopyTo(background, s, make([]uint32, 4))},
			} {
				wantIs(t, x.what, x.err, driver.ErrUnsupported, "captur")
			}
		})
		if got := values(t, s, out); got[0] != 0 {
			t.Errorf("what was captured has run: %v", got)
		}
		check(t, k.Launch(s, one, driver.ArgsOf(&storeArgs{out.Ptr(), 4})))
		if got := values(t, s, out); got[0] != 4 {
			t.Errorf("after the capture the stream stores %v", got)
		}
	}},
	{"CapturesSurviveCallsElsewhere", func(t *testing.T, d *Device) {
		if tool := drivertest.Sanitizer(); tool != "" {
			drivertest.Lacks(t, "no-sanitizer", tool+" makes calls of its own where a module is loaded, which end captures of every mode")
		}
		s := newStream(t, d)
		k := bind[storeArgs](t, functions(t, d), "store")
		out := words(t, s, 1)
		check(t, s.Wait(background))
		for _, mode := range []int{captureGlobal, captureThreadLocal, captureRelaxed} {
			capture(t, s, mode, func() {
				check(t, k.Launch(s, one, driver.ArgsOf(&storeArgs{out.Ptr(), 9})))
				elsewhere(t, d, k) // on the thread that captures
				done := make(chan struct{})
				go func() {
					defer close(done)
					runtime.LockOSThread() // another thread
					defer runtime.UnlockOSThread()
					elsewhere(t, d, k)
				}()
				<-done
			})
		}
	}},
	{"ExternalEventsAreForCapturesOnly", func(t *testing.T, d *Device) {
		s, e := newStream(t, d), newEvent(t, d)
		wantIs(t, "record", s.RecordExternal(e), driver.ErrInvalidValue, "not being captured")
		wantIs(t, "wait", s.WaitEventExternal(e), driver.ErrInvalidValue, "not being captured")
		check(t, s.Record(e))
		capture(t, s, captureGlobal, func() {
			check(t, s.RecordExternal(e))
			check(t, s.WaitEventExternal(e))
		})
	}},
}

// elsewhere makes the calls that a capture in the global mode forbids to those who
// haven't said that they know what they do.
func elsewhere(t *testing.T, d *Device, k *Kernel) {
	s, err := d.Stream(driver.StreamOptions{})
	ok := func(what string, err error) {
		if err != nil {
			t.Errorf("%s during a capture on another stream: %v", what, err)
		}
	}
	ok("NewStream", err)
	if err != nil {
		return
	}
	e, err := d.Event(driver.EventOptions{})
	ok("NewEvent", err)
	ok("Record", s.Record(e))
	m, err := d.Alloc(1 << 20)
	ok("Alloc", err)
	plain, err := d.AllocPlain(1 << 16)
	ok("AllocPlain", err)
	h, err := d.AllocHost(4096)
	ok("AllocHost", err)
	if t.Failed() {
		return
	}
	b, err := driver.BufferOf[uint32](m)
	ok("BufferOf", err)
	ok("Launch", k.Launch(s, one, driver.ArgsOf(&storeArgs{b.Ptr(), 3})))
	got := make([]uint32, 1)
	part, err := b.Slice(0, 1)
	ok("Slice", err)
	ok("CopyTo", part.CopyTo(background, s, got))
	ok("CopyFrom", part.CopyFrom(background, s, got))
	if got[0] != 3 {
		t.Errorf("a launch during a capture on another stream stores %d, want 3", got[0])
	}
	ok("Wait", s.Wait(background))
	_, err = s.Query()
	ok("Stream.Query", err)
	_, err = e.Query()
	ok("Event.Query", err)
	ok("Event.Wait", e.Wait(background))
	_, _, err = d.MemInfo()
	ok("MemInfo", err)
	_, err = k.Occupancy(driver.Dim3{X: 64}, 0)
	ok("Occupancy", err)
	_, err = k.Attributes()
	ok("Attributes", err)
	_, err = s.Priority()
	ok("Priority", err)
	_, err = d.Limit(LimitStackSize)
	ok("Limit", err)
	mod, err := d.LoadImage(background, "functions.cu", functionsImage.code, ImageOptions{})
	ok("Load", err)
	if err == nil {
		g, err := mod.Global("total")
		ok("Global", err)
		ok("Global's Close", g.Close())
		ok("Module.Close", mod.Close())
	}
	ok("Memory.Close", part.Close())
	ok("Memory.Close", m.Close())
	ok("plain Memory.Close", plain.Close())
	ok("HostMemory.Close", h.Close())
	ok("Event.Close", e.Close())
	ok("Stream.Close", s.Close())
}
