package drivertest

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
)

var deviceTests = []test{
	{"InfoDescribesTheDevice", func(e *env) {
		i := e.dev.Info()
		if i.Backend != e.h.Backend {
			e.Errorf("Backend is %q, want %q", i.Backend, e.h.Backend)
		}
		for name, s := range map[string]string{"Name": i.Name, "Vendor": i.Vendor, "Platform": i.Platform, "Version": i.Version, "Driver": i.Driver, "Class": string(i.Class)} {
			if s == "" {
				e.Errorf("%s is empty", name)
			}
		}
		for name, n := range map[string]uint64{"Memory": i.Memory, "MaxAlloc": i.MaxAlloc, "LocalMemory": i.LocalMemory, "MaxBlockVolume": i.MaxBlockVolume,
			"MaxParamBytes": uint64(i.MaxParamBytes), "ComputeUnits": uint64(i.ComputeUnits), "MaxBlock": i.MaxBlock[0] * i.MaxBlock[1] * i.MaxBlock[2]} {
			if n == 0 {
				e.Errorf("%s is 0", name)
			}
		}
		if i.MaxAlloc > i.Memory {
			e.Errorf("MaxAlloc is %d and Memory %d", i.MaxAlloc, i.Memory)
		}
		if e.dev.Info() != i {
			e.Error("Info is not the same at every call")
		}
	}},
	{"IDsAreNeverReused", func(e *env) {
		seen := map[driver.DeviceID]bool{0: true, e.dev.ID(): true}
		for range 3 {
			d := e.open()
			if seen[d.ID()] {
				e.Errorf("id %d came twice, or is 0", d.ID())
			}
			if d.ID() != d.ID() {
				e.Error("the id changes")
			}
			seen[d.ID()] = true
			closeAll(e, d)
		}
	}},
	{"MemInfoKnowsOrSaysThatItDoesNot", func(e *env) {
		free, total, err := e.dev.MemInfo()
		switch {
		case err != nil:
			e.is("MemInfo", err, driver.ErrUnsupported)
		case total == 0 || free > total:
			e.Errorf("%d bytes free of %d", free, total)
		}
	}},
	{"WaitCoversEveryStream", func(e *env) {
		d := e.open()
		a, b := streamOn(e, d, driver.StreamOptions{}), streamOn(e, d, driver.StreamOptions{})
		m := e.load(d, "basic", driver.BuildOptions{})
		e.atEnd(m)
		defer m.Close()
		k := bindIn[storeArgs](e, m, "store")
		x, y := upload(e, a, make([]uint32, 64)), upload(e, b, make([]uint32, 64))
		for range 20 {
			launch(e, k, a, driver.Grid1D(64, 16), storeArgs{x.Ptr(), 1})
			launch(e, k, b, driver.Grid1D(64, 16), storeArgs{y.Ptr(), 2})
		}
		e.ok(d.Wait(background))
		for i, s := range []driver.Stream{a, b} {
			if done, err := s.Query(); !done || err != nil {
				e.Errorf("stream %d after Device.Wait: done %v, error %v", i, done, err)
			}
		}
	}},
	{"WaitReturnsWhenTheContextEnds", func(e *env) {
		s := e.stream()
		release := e.hold(s)
		launch(e, bind[storeArgs](e, "basic", "store"), s, one, storeArgs{buffer[uint32](e, 1).Ptr(), 1})
		ctx, cancel := context.WithCancel(background)
		cancel()
		e.within("Device.Wait with a context that has ended", func() {
			if err := e.dev.Wait(ctx); e.h.Hold != nil && !errors.Is(err, context.Canceled) {
				e.Errorf("Device.Wait: %v, want %v", err, context.Canceled)
			}
		})
		release()
		e.wait(s)
	}},
	{"OnCloseIsCalledOnce", func(e *env) {
		d := e.open()
		var calls atomic.Int32
		d.OnClose(func() { calls.Add(1) })
		d.OnClose(func() { calls.Add(10) })
		if calls.Load() != 0 {
			e.Error("OnClose called its function before Close")
		}
		closeAll(e, d, d)
		if n := calls.Load(); n != 11 {
			e.Errorf("after two Closes the functions have run %d times in all, want 1 and 1", n)
		}
		d.OnClose(func() { calls.Add(100) })
		if n := calls.Load(); n != 111 {
			e.Error("OnClose after Close does not call at once")
		}
	}},
	{"ClosedDevicesRefuseNewObjects", func(e *env) {
		d := e.open()
		closeAll(e, d)
		_, err := d.NewStream(driver.StreamOptions{})
		e.is("NewStream", err, driver.ErrClosed)
		_, err = d.NewEvent(driver.EventOptions{})
		e.is("NewEvent", err, driver.ErrClosed)
		_, err = d.Alloc(16)
		e.is("Alloc", err, driver.ErrClosed)
		_, err = d.AllocHost(16)
		e.is("AllocHost", err, driver.ErrClosed)
		_, err = d.Load(background, e.source("basic"), driver.BuildOptions{})
		e.is("Load", err, driver.ErrClosed)
		e.is("Wait", d.Wait(background), driver.ErrClosed)
		if d.Info().Name == "" || d.ID() == 0 {
			e.Error("Info and ID are lost with Close")
		}
	}},
}
