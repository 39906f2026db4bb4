package drivertest

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// noAllocations fails when a call of f allocates on the Go heap.
func noAllocations(e *env, what string, f func() error) {
	e.Helper()
	if Instrumented {
		e.Skip("the race detector and AddressSanitizer allocate")
	}
	var failed error
	run := func() {
		if err := f(); err != nil {
			failed = err
		}
	}
	for range 20 {
		run()
	}
	if n := testing.AllocsPerRun(max(e.scale(500), 10), run); n != 0 {
		e.Errorf("%s: %v allocations a call", what, n)
	}
	if failed != nil {
		e.Errorf("%s: %v", what, failed)
	}
}

var allocationTests = []test{
	{"WarmLaunchesAllocateNothing", func(e *env) {
		s, k := e.stream(), bind[storeArgs](e, "basic", "store")
		x := buffer[uint32](e, 16)
		noAllocations(e, "Launch", func() error {
			a := storeArgs{x.Ptr(), 1}
			return k.Launch(s, driver.Grid1D(16, 16), driver.ArgsOf(&a))
		})
		e.wait(s)
	}},
	{"ArgPacksAllocateNothing", func(e *env) {
		s := e.stream()
		k := e.unsigned("basic", "store")
		x, p := buffer[uint32](e, 1), driver.NewArgPack(k.Signature())
		noAllocations(e, "ArgPack", func() error {
			if err := driver.SetPtr(p, 0, x.Ptr()); err != nil {
				return err
			}
			if err := p.Uint32(1, 5); err != nil {
				return err
			}
			args, err := p.Ref()
			if err != nil {
				return err
			}
			return k.Launch(s, one, args)
		})
		e.wait(s)
	}},
	{"CopiesAllocateNothing", func(e *env) {
		s := e.stream()
		// Numbers above 255 are what an interface can't hold without allocating.
		a, b, h := e.memory(300_000), e.memory(300_000), e.host(300)
		p, _ := driver.PatternOf(uint32(1))
		noAllocations(e, "device to device", func() error { return s.Copy(a, 0, b, 0, 300) })
		noAllocations(e, "host to device", func() error { return s.Copy(a, 0, h, 0, 300) })
		noAllocations(e, "device to host", func() error { return s.Copy(h, 0, a, 0, 300) })
		noAllocations(e, "Fill", func() error { return s.Fill(a, 0, 300, p) })
		noAllocations(e, "CopyRect", func() error {
			return s.CopyRect(a, driver.Rect{RowPitch: 1000}, b, driver.Rect{RowPitch: 1000}, driver.Extent{Bytes: 500, Rows: 300})
		})
		e.wait(s)
	}},
	{"HostCopiesAllocateNothing", func(e *env) {
		s, m := e.stream(), e.memory(256)
		host := make([]byte, 256)
		noAllocations(e, "CopyFromHost", func() error { return s.CopyFromHost(background, m, 0, host) })
		noAllocations(e, "CopyToHost", func() error { return s.CopyToHost(background, host, m, 0) })
		b, values := buffer[uint32](e, 64), make([]uint32, 64)
		noAllocations(e, "Buffer.CopyFrom", func() error { return b.CopyFrom(background, s, values) })
		noAllocations(e, "Buffer.CopyTo", func() error { return b.CopyTo(background, s, values) })
	}},
	{"EventsAndWaitsAllocateNothing", func(e *env) {
		s, t, ev := e.stream(), e.stream(), e.event()
		k, x := bind[storeArgs](e, "basic", "store"), buffer[uint32](e, 1)
		noAllocations(e, "Record", func() error { return s.Record(ev) })
		noAllocations(e, "WaitEvent", func() error { return t.WaitEvent(ev) })
		e.wait(s)
		e.wait(t)
		noAllocations(e, "an idle Wait", func() error { return s.Wait(background) })
		noAllocations(e, "Launch, Record, Event.Wait", func() error {
			a := storeArgs{x.Ptr(), 1}
			if err := k.Launch(s, one, driver.ArgsOf(&a)); err != nil {
				return err
			}
			if err := s.Record(ev); err != nil {
				return err
			}
			return ev.Wait(background)
		})
		noAllocations(e, "Launch, Stream.Wait", func() error {
			a := storeArgs{x.Ptr(), 1}
			if err := k.Launch(s, one, driver.ArgsOf(&a)); err != nil {
				return err
			}
			return s.Wait(background)
		})
		noAllocations(e, "Query and Flush", func() error {
			a := storeArgs{x.Ptr(), 1}
			if err := k.Launch(s, one, driver.ArgsOf(&a)); err != nil {
				return err
			}
			if err := s.Flush(); err != nil {
				return err
			}
			if _, err := ev.Query(); err != nil {
				return err
			}
			_, err := s.Query()
			return err
		})
		e.wait(s)
	}},
}

// residentKB is the process's resident size.
func residentKB(e *env) int {
	e.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		e.lacks("statm", "the resident size is not known here: "+err.Error())
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	e.ok(err)
	return pages * os.Getpagesize() / 1024
}

// flat runs f n times after a warm-up, and fails when the process has grown by
// 32 bytes for each run or more.
func flat(e *env, n int, f func(i int) error) {
	e.Helper()
	n = max(e.scale(n), 1000)
	warm := max(n/2, 3000) // until the pools of all parts are filled
	if e.h.Small {
		n, warm = 1000, 1000
	}
	if fewer() {
		n, warm = 100, 100
	}
	run := func(n int) int {
		for i := range n {
			e.ok(f(i))
		}
		return residentKB(e)
	}
	before := run(warm)
	after := run(n)
	if fewer() {
		return // a history of accesses grows with their number, and what was freed is kept
	}
	// Allocators and the Go heap breathe by some hundred KiB.
	if grown, allowed := after-before, 2048+n*32/1024; grown > allowed {
		e.Errorf("%d KiB more after %d rounds, %d bytes each; %d KiB are allowed", grown, n, grown*1024/n, allowed)
	}
}

var soakTests = []test{
	{"MemoryIsFlatOverLaunchesAndWaits", func(e *env) {
		s, k := e.stream(), bind[storeArgs](e, "basic", "store")
		x := buffer[uint32](e, 1)
		flat(e, 100_000, func(i int) error {
			a := storeArgs{x.Ptr(), uint32(i)}
			if err := k.Launch(s, one, driver.ArgsOf(&a)); err != nil || i%16 != 0 {
				return err
			}
			return s.Wait(background)
		})
	}},
	{"MemoryIsFlatOverEventsAndCopies", func(e *env) {
		s, t, ev := e.stream(), e.stream(), e.event()
		a, b, host := e.memory(64), e.memory(64), make([]byte, 64)
		flat(e, 20_000, func(i int) error {
			if err := s.Copy(a, 0, b, 0, 64); err != nil {
				return err
			}
			if err := s.Record(ev); err != nil {
				return err
			}
			if err := t.WaitEvent(ev); err != nil {
				return err
			}
			if _, err := s.Query(); err != nil {
				return err
			}
			if i%4 == 0 {
				if err := ev.Wait(background); err != nil {
					return err
				}
				return t.CopyToHost(background, host, b, 0)
			}
			return nil
		})
	}},
	{"MemoryIsFlatOverObjects", func(e *env) {
		m := e.module("basic")
		sig, err := driver.SignatureOf[storeArgs]()
		e.ok(err)
		flat(e, 3000, func(i int) error { return oneOfEach(e.dev, m, sig, uint32(i)) })
	}},
}
