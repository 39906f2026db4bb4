package cuda

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

var streamTests = []onDevice{
	{"StreamsTellOfThemselves", func(t *testing.T, d *Device) {
		least, greatest, err := d.StreamPriorities()
		check(t, err)
		for _, x := range []struct{ ask, want int }{{greatest, greatest}, {greatest - 100, greatest}, {least + 100, least}} {
			s, err := d.Stream(driver.StreamOptions{Priority: x.ask})
			check(t, err)
			if p, err := s.Priority(); p != x.want || err != nil {
				t.Errorf("a stream made with priority %d has %d, error %v; want %d", x.ask, p, err, x.want)
			}
			if yes, err := s.Blocking(); yes || err != nil {
				t.Errorf("the stream waits for the legacy one: %v, error %v", yes, err)
			}
			check(t, s.Close())
		}
		a, err := d.BlockingStream(driver.StreamOptions{})
		check(t, err)
		defer a.Close()
		if yes, err := a.Blocking(); !yes || err != nil {
			t.Errorf("a blocking stream is one: %v, error %v", yes, err)
		}
		x, err := a.ID()
		check(t, err)
		y, err := newStream(t, d).ID()
		if x == y || err != nil {
			t.Errorf("two streams have the numbers %d and %d, error %v", x, y, err)
		}
	}},
	{"AttributesAreSetToldAndCopied", func(t *testing.T, d *Device) {
		s, other := newStream(t, d), newStream(t, d)
		check(t, s.SetSyncPolicy(SyncBlocking))
		if p, err := s.SyncPolicy(); p != SyncBlocking || err != nil {
			t.Errorf("the policy is %d, error %v", p, err)
		}
		check(t, other.CopyAttributes(s))
		if p, err := other.SyncPolicy(); p != SyncBlocking || err != nil {
			t.Errorf("the copied policy is %d, error %v", p, err)
		}
		wantIs(t, "no such policy", s.SetSyncPolicy(99), driver.ErrInvalidValue, "99")
		var foreign driver.Stream
		wantIs(t, "copying from nil", s.CopyAttributes(foreign), driver.ErrInvalidValue)
		wantIs(t, "copying from another device's", s.CopyAttributes(newStream(t, open(t))), driver.ErrDeviceMismatch)
	}},
	{"WindowsAreSetAndTold", func(t *testing.T, d *Device) {
		most, err := d.Attribute(AttrMaxAccessPolicyWindowSize)
		check(t, err)
		if most == 0 {
			drivertest.Lacks(t, "cuda-window", "the device has no access policy windows")
		}
		s := newStream(t, d)
		m, err := d.AllocPlain(1 << 16)
		check(t, err)
		want := AccessWindow{Addr: m.Addr(), Bytes: 1 << 16, HitRatio: 0.5, Hit: AccessPersisting, Miss: AccessStreaming}
		check(t, s.SetAccessWindow(want))
		if got, err := s.AccessWindow(); got != want || err != nil {
			t.Errorf("the window is %+v, error %v; want %+v", got, err, want)
		}
		wantIs(t, "a ratio of 2", s.SetAccessWindow(AccessWindow{Addr: m.Addr(), Bytes: 16, HitRatio: 2}), driver.ErrInvalidValue, "ratio 2")
		check(t, s.SetAccessWindow(AccessWindow{}))
		check(t, m.Close())
		wantIs(t, "closed memory", s.SetAccessWindow(AccessWindow{Addr: m.Addr(), Bytes: 16}), driver.ErrClosed)
	}},
	{"ThenRunsBehindWhatWasEnqueuedBefore", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		release := hold(t, s)
		first, second := make(chan error, 1), make(chan error, 1)
		check(t, s.Then(func(err error) { first <- err }))
		letGo := hold(t, s)
		check(t, s.Then(func(err error) { second <- err }))
		select {
		case err := <-first:
			t.Errorf("the first ran before its command ended, with error %v", err)
		case err := <-second:
			t.Errorf("the second ran before its command ended, with error %v", err)
		default:
		}
		release()
		check(t, <-first)
		select {
		case err := <-second:
			t.Errorf("the second ran before its command ended, with error %v", err)
		default:
		}
		letGo()
		check(t, <-second)
		check(t, s.Wait(background))
		check(t, s.Then(func(err error) { first <- err })) // idle
		check(t, <-first)
		wantIs(t, "no function", s.Then(nil), driver.ErrInvalidValue)
	}},
	{"ThenOutlivesItsStream", func(t *testing.T, d *Device) {
		s, err := d.Stream(driver.StreamOptions{})
		check(t, err)
		release := hold(t, s)
		done := make(chan error)
		check(t, s.Then(func(err error) { done <- err }))
		check(t, s.Close())
		release()
		check(t, <-done)
		wantIs(t, "a closed stream", s.Then(func(error) {}), driver.ErrClosed)
	}},
	{"WordsAreWrittenInOrder", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		h, err := d.HostAlloc(16, 0)
		check(t, err)
		defer h.Close()
		clear(h.Bytes())
		err = s.WriteValue64(h, 8, 1<<40+2)
		if errors.Is(err, driver.ErrUnsupported) {
			drivertest.Lacks(t, "cuda-words", err.Error())
		}
		check(t, err)
		check(t, s.WaitValue64(h, 8, 1<<40, AtLeast))
		check(t, s.WriteValue32(h, 4, 7))
		check(t, s.WaitValue32(h, 4, 7, Equal))
		check(t, s.Wait(background))
		if a, b := binary.NativeEndian.Uint32(h.Bytes()[4:]), binary.NativeEndian.Uint64(h.Bytes()[8:]); a != 7 || b != 1<<40+2 {
			t.Errorf("the words are %d and %#x", a, b)
		}
	}},
	{"EventsAreSharedWithOtherProcesses", sharedEvents},
	{"ClosedAndNilStreamsSaySo", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		e := newEvent(t, d)
		check(t, s.Close())
		var none *Stream
		for _, x := range []struct {
			what string
			s    *Stream
			want error
		}{{"closed", s, driver.ErrClosed}, {"nil", none, driver.ErrInvalidValue}} {
			_, err := x.s.Priority()
			wantIs(t, x.what+" Priority", err, x.want)
			_, err = x.s.AccessWindow()
			wantIs(t, x.what+" AccessWindow", err, x.want)
			wantIs(t, x.what+" SetSyncPolicy", x.s.SetSyncPolicy(SyncAuto), x.want)
			wantIs(t, x.what+" HostFunc", x.s.HostFunc(1, 0), x.want)
			wantIs(t, x.what+" RecordExternal", x.s.RecordExternal(e), x.want)
			wantIs(t, x.what+" CopyAttributes", x.s.CopyAttributes(newStream(t, d)), x.want)
		}
		check(t, e.Close())
		_, err := e.Handle()
		wantIs(t, "a closed event's handle", err, driver.ErrClosed)
	}},
}

// handleEnv passes an event's handle to a child.
const handleEnv = "TRIAD_TEST_EVENT"

func sharedEvents(t *testing.T, d *Device) {
	plain := newEvent(t, d)
	_, err := plain.Handle()
	wantIs(t, "an event of this process", err, driver.ErrInvalidValue, "SharedEvent")
	e, err := d.SharedEvent()
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, "cuda-ipc", err.Error())
	}
	check(t, err)
	defer e.Close()
	_, err = d.OpenEvent(EventHandle{})
	if err == nil {
		t.Error("a handle of zeros was opened")
	}
	h, err := e.Handle()
	if isFake() { // nothing of it is shared with other processes
		return
	}
	check(t, err)
	s := newStream(t, d)
	release := hold(t, s)
	check(t, s.Record(e))
	defer release()
	drivertest.RunChild(t, "TestSharedEventIsOpened", handleEnv+"="+hex.EncodeToString(h[:]))
}

// TestSharedEventIsOpened is the other process: the event has been recorded, and not
// been reached.
func TestSharedEventIsOpened(t *testing.T) {
	drivertest.OnlyAsChild(t)
	var h EventHandle
	if n, err := hex.Decode(h[:], []byte(os.Getenv(handleEnv))); n != len(h) || err != nil {
		t.Fatalf("the handle is %q: %v", os.Getenv(handleEnv), err)
	}
	d := open(t)
	e, err := d.OpenEvent(h)
	check(t, err)
	if done, err := e.Query(); done || err != nil {
		t.Errorf("the event was reached: %v, error %v", done, err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if err := e.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting with a context that has ended: error %v", err)
	}
	check(t, newStream(t, d).WaitEvent(e))
}
