package lifetime_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver/lifetime"
)

// discarding is a device that is busy until it is told otherwise.
type discarding struct {
	lifetime.Discards
	life          lifetime.Life
	idle, ended   atomic.Bool
	drains, freed atomic.Int32
	drained       chan struct{} // drain waits for it
}

func newDiscarding(t *testing.T) *discarding {
	d := &discarding{drained: make(chan struct{})}
	d.life.Init(lifetime.NewKind(t.Name()), func() {
		d.Free()
		d.ended.Store(true)
	})
	d.Init(&d.life, func() bool { return !d.idle.Load() }, func() { d.drains.Add(1); <-d.drained })
	return d
}

func (d *discarding) discard(t *testing.T, mayWait bool) {
	t.Helper()
	if !d.life.Acquire() {
		t.Fatal("the device is closed")
	}
	d.Discard(mayWait, func() { d.freed.Add(1) })
}

func (d *discarding) want(t *testing.T, what string, freed int32) {
	t.Helper()
	if got := d.freed.Load(); got != freed {
		t.Errorf("%s: %d were freed; want %d", what, got, freed)
	}
}

func TestDiscardsWaitForTheDeviceToRest(t *testing.T) {
	d := newDiscarding(t)
	d.discard(t, false)
	d.want(t, "what does not wait", 1)
	d.discard(t, true)
	d.discard(t, true)
	d.Rest()
	d.want(t, "a busy device", 1)
	d.idle.Store(true)
	d.Rest()
	d.Rest()
	d.want(t, "a device at rest", 3)
	d.discard(t, true)
	d.want(t, "one more", 4)
	d.life.Close()
	if !d.ended.Load() {
		t.Error("a use of the device is held still")
	}
}

func TestDiscardsAreFreedInOrder(t *testing.T) {
	d := newDiscarding(t)
	var order []int
	for i := range 3 {
		d.life.Acquire()
		d.Discard(true, func() { order = append(order, i) })
	}
	d.Free()
	if len(order) != 3 || order[0] != 0 || order[2] != 2 {
		t.Errorf("freed %v", order)
	}
	d.life.Close()
}

// A device that is closed frees at its end, whoever holds the last use.
func TestDiscardsOfAClosedDevice(t *testing.T) {
	d := newDiscarding(t)
	d.discard(t, true)
	d.life.Acquire()
	d.life.Close()
	d.want(t, "closed, and in use", 0)
	d.idle.Store(true)
	d.Rest()
	d.want(t, "closed, and at rest", 0)
	d.Discard(false, func() { d.freed.Add(1) })
	d.want(t, "at its end", 2)
	if !d.ended.Load() {
		t.Error("the device is there still")
	}
}

// Where too many are put off, one goroutine waits for the device and frees them; and
// again when that has happened again.
func TestManyDiscardsHaveTheDeviceWaitedFor(t *testing.T) {
	d := newDiscarding(t)
	n := int32(0)
	for round := int32(1); round <= 2; round++ {
		// Whoever saw to the round before may have freed them, and not be done yet.
		for i := 0; i < 1500 || d.drains.Load() < round && i < 1e6; i++ {
			d.discard(t, true)
			n++
		}
		d.drained <- struct{}{}
		until(t, "they are freed", func() bool { return d.freed.Load() == n })
		if got := d.drains.Load(); got != round {
			t.Errorf("the device was waited for %d times; want %d", got, round)
		}
	}
	d.life.Close()
	until(t, "the device has ended", d.ended.Load)
}

// until yields until something has come true; a hang is the test's own time limit's.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(50 * time.Microsecond) {
		if time.Now().After(end) {
			t.Fatalf("it is not so that %s", what)
		}
	}
}

// Objects that free others in turn, and many goroutines at once.
func TestDiscardsFromManyGoroutines(t *testing.T) {
	d := newDiscarding(t)
	close(d.drained)
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 500 {
				d.life.Acquire()
				d.life.Acquire()
				d.Discard(true, func() { d.Discard(true, func() { d.freed.Add(1) }) })
				d.idle.Store(!d.idle.Load())
				d.Rest()
			}
		}()
	}
	group.Wait()
	d.idle.Store(true)
	d.Rest()
	d.Rest()
	d.life.Close()
	until(t, "the device has ended", d.ended.Load)
	d.want(t, "all", 4000)
}

func TestRestDoesNotAllocate(t *testing.T) {
	d := newDiscarding(t)
	defer d.life.Close()
	if n := testing.AllocsPerRun(100, d.Rest); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
