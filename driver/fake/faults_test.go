package fake_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/fake"
)

func TestCallsFailAsAsked(t *testing.T) {
	dev := fake.Start(t, fake.H200)
	dev.Fail("cuStreamCreateWithPriority", fake.Unknown, fake.Once)
	if _, err := dev.NewStream(driver.StreamOptions{}); err == nil || !strings.Contains(err.Error(), "CUDA_ERROR_UNKNOWN") {
		t.Errorf("a failed call: %v", err)
	}
	s := stream(t, dev)
	dev.FailMemory(fake.Always)
	if _, err := dev.Alloc(1); !errors.Is(err, driver.ErrOutOfMemory) {
		t.Errorf("without memory: %v", err)
	}
	dev.FailMemory(fake.Never)
	b := buffer(t, s, 1, 2)
	dev.Fail("cuLaunchKernel", fake.NotSupported, fake.Nth(2))
	k := fake.Kernel(t, dev, "nothing", func(fake.Grid, struct{}) error { return nil })
	var got []bool
	for range 3 {
		none := struct{}{}
		got = append(got, k.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}, driver.ArgsOf(&none)) == nil)
	}
	if want := []bool{true, false, true}; !slices.Equal(got, want) {
		t.Errorf("launches went as %v, want %v", got, want)
	}
	if got := values(t, s, b); got[1] != 2 {
		t.Errorf("%v", got)
	}
}

// failures is which of 64 allocations failed by chance.
func failures(t *testing.T, seed uint64) (list []int) {
	var skipped bool
	t.Run("seeded", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		model := fake.Old // which has one way to allocate
		model.Seed = seed
		dev := fake.Start(t, model)
		dev.FailMemory(fake.Chance(0.5))
		for i := range 64 {
			m, err := dev.Alloc(16)
			if err != nil {
				list = append(list, i)
				continue
			}
			_ = m.Close()
		}
	})
	if skipped {
		drivertest.Lacks(t, "fake", "there is no fake driver here, for the reason that the run above gives")
	}
	return list
}

func TestChanceIsRepeated(t *testing.T) {
	one, again, other := failures(t, 1), failures(t, 1), failures(t, 2)
	if !slices.Equal(one, again) || slices.Equal(one, other) || len(one) < 10 || len(one) > 54 {
		t.Errorf("of 64 allocations failed %v and again %v, and with another seed %v", one, again, other)
	}
}

func TestCallsWaitAsAsked(t *testing.T) {
	dev := fake.Start(t, fake.H200)
	release := dev.Block("cuEventCreate")
	done := make(chan error)
	go func() {
		e, err := dev.NewEvent(driver.EventOptions{})
		if err == nil {
			err = e.Close()
		}
		done <- err
	}()
	for dev.Blocked("cuEventCreate") == 0 {
		select {
		case err := <-done:
			t.Fatalf("the call did not wait: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	release()
	check(t, <-done)

	s := stream(t, dev)
	b := buffer(t, s, 1)
	let := dev.Hold()
	check(t, b.Fill(s, 9))
	if done, err := s.Query(); done || err != nil {
		t.Errorf("a held stream is done: %v, %v", done, err)
	}
	let()
	if got := values(t, s, b)[0]; got != 9 {
		t.Errorf("the stream left %d", got)
	}
	dev.Latency("cuMemGetInfo", 20*time.Millisecond)
	begin := time.Now()
	_, _, err := dev.MemInfo()
	check(t, err)
	if took := time.Since(begin); took < 20*time.Millisecond {
		t.Errorf("a slow call took %v", took)
	}
	dev.KernelLatency("slow", 20*time.Millisecond)
	k := fake.Kernel(t, dev, "slow", func(fake.Grid, struct{}) error { return nil })
	none := struct{}{}
	begin = time.Now()
	check(t, k.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}, driver.ArgsOf(&none)))
	check(t, s.Wait(t.Context()))
	if took := time.Since(begin); took < 20*time.Millisecond {
		t.Errorf("a slow kernel took %v", took)
	}
}

func TestAFaultBreaksOneContext(t *testing.T) {
	dev := fake.Start(t, fake.H200)
	s := stream(t, dev)
	b := buffer(t, s, 1)
	check(t, s.Wait(t.Context())) // or what is still under way might get the fault
	release := dev.Hold()
	dev.Fault(fake.ECC)
	check(t, b.Fill(s, 2))
	release()
	if err := s.Wait(t.Context()); !errors.Is(err, driver.ErrDeviceFault) {
		t.Errorf("after a fault: %v", err)
	}
	other := dev.Other(0)
	o := stream(t, other)
	if got := values(t, o, buffer(t, o, 3))[0]; got != 3 {
		t.Errorf("another context has %d", got)
	}
}

// Whatever a test does, the next one begins with a device that works, and so does
// what it opens by itself.
func TestTheNextTestBeginsAnew(t *testing.T) {
	var left *cuda.Device
	for name, do := range map[string]func(t *testing.T, dev *fake.Device){
		"lost":     func(_ *testing.T, dev *fake.Device) { dev.Lose(0, fake.DeviceUnavailable) },
		"held":     func(_ *testing.T, dev *fake.Device) { dev.Hold() },
		"blocked":  func(_ *testing.T, dev *fake.Device) { dev.Block("*") },
		"no calls": func(_ *testing.T, dev *fake.Device) { dev.Fail("*", fake.Unknown, fake.Always) },
		"left open": func(t *testing.T, dev *fake.Device) {
			var err error
			left, err = cuda.Open(0, cuda.DeviceOptions{})
			check(t, err)
			dev.Lose(0, fake.DeviceUnavailable)
		},
	} {
		t.Run(name, func(t *testing.T) { do(t, fake.Start(t, fake.H200)) })
		t.Run("after "+name, func(t *testing.T) {
			dev := fake.Start(t, fake.H200)
			own, err := cuda.Backend().Open(0)
			check(t, err)
			defer own.Close()
			for _, d := range []driver.Device{dev, own} {
				s, err := d.NewStream(driver.StreamOptions{})
				check(t, err)
				if got := values(t, s, buffer(t, s, 7))[0]; got != 7 {
					t.Errorf("the device gives %d", got)
				}
				check(t, s.Close())
			}
		})
	}
	if left != nil {
		_ = left.Close() // whatever it says, it must return
	}
}

func TestCountsAreTheTests(t *testing.T) {
	dev := fake.Start(t, fake.H200)
	if n := dev.Calls("cuMemAllocFromPoolAsync"); n != 0 {
		t.Errorf("%d allocations before the first", n)
	}
	m, err := dev.Alloc(1000)
	check(t, err)
	h, err := dev.AllocHost(500)
	check(t, err)
	s := stream(t, dev)
	if n, b, p := dev.Live("device"), dev.Bytes("device"), dev.Bytes("host"); n != 1 || b != 1000 || p < 500 {
		t.Errorf("%d allocations of %d bytes, and %d bytes of page-locked memory; want 1 of 1000, and 500", n, b, p)
	}
	if n := dev.Live("stream"); n < 1 {
		t.Errorf("%d streams", n)
	}
	if n := dev.Calls("cuMemAllocFromPoolAsync"); n != 1 {
		t.Errorf("%d allocations were counted, want 1", n)
	}
	check(t, m.Close())
	check(t, h.Close())
	check(t, s.Close())
	if n, b := dev.Live("device"), dev.Bytes("device"); n != 0 || b != 0 {
		t.Errorf("%d allocations of %d bytes are left", n, b)
	}
	dev.ResetCounts()
	if n := dev.Calls("*"); n != 0 {
		t.Errorf("%d calls after the reset", n)
	}
}

func TestModels(t *testing.T) {
	for _, model := range []fake.Model{fake.H200, fake.Old, {Name: "H200", Devices: 3, Memory: 5 << 20}, {Name: "old", Devices: 2}} {
		t.Run(model.Name, func(t *testing.T) {
			dev := fake.Start(t, model)
			list, err := cuda.Backend().Devices()
			check(t, err)
			if len(list) != max(model.Devices, 1) {
				t.Errorf("%d devices of %+v", len(list), model)
			}
			for i, info := range list {
				if model.Memory != 0 && info.Memory != model.Memory || strings.Contains(info.Name, "H200") != (model.Name == "H200") {
					t.Errorf("device %d is %+v", i, info)
				}
				d := dev.Other(i)
				s := stream(t, d)
				if got := values(t, s, buffer(t, s, 3))[0]; got != 3 {
					t.Errorf("device %d gives %d", i, got)
				}
			}
		})
	}
}
