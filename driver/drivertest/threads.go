package drivertest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

var threadTests = []test{
	{"ManyGoroutinesLaunchOneKernel", func(e *env) {
		k := bind[storeArgs](e, "basic", "store")
		each := e.scale(100)
		e.crowd(64, func(i int) error {
			s, err := e.dev.NewStream(driver.StreamOptions{})
			if err != nil {
				return err
			}
			defer s.Close()
			b, err := driver.Alloc[uint32](e.dev, 16)
			if err != nil {
				return err
			}
			defer b.Close()
			got := make([]uint32, 16)
			for j := range each {
				a := storeArgs{b.Ptr(), uint32(i*1000 + j)}
				if err := k.Launch(s, driver.Grid1D(16, 16), driver.ArgsOf(&a)); err != nil {
					return err
				}
				if err := b.CopyTo(background, s, got); err != nil {
					return err
				}
				for _, v := range got {
					if v != uint32(i*1000+j) {
						return fmt.Errorf("launch %d of goroutine %d stored %d", j, i, v)
					}
				}
			}
			return nil
		})
	}},
	{"ManyGoroutinesShareOneStream", func(e *env) {
		s, k := e.stream(), bind[storeArgs](e, "basic", "add")
		each := e.scale(50)
		list := make([]*driver.Buffer[uint32], 64)
		for i := range list {
			list[i] = upload(e, s, []uint32{0})
		}
		e.crowd(64, func(i int) error {
			for range each {
				a := storeArgs{list[i].Ptr(), uint32(i + 1)}
				if err := k.Launch(s, one, driver.ArgsOf(&a)); err != nil {
					return err
				}
			}
			return s.Wait(background)
		})
		for i, b := range list {
			if got, want := download(e, s, b)[0], uint32((i+1)*each); got != want {
				e.Errorf("buffer %d: got %d, want %d", i, got, want)
			}
		}
	}},
	{"GoroutinesYieldBetweenCallsOnFreshThreads", func(e *env) {
		s, store, add := e.stream(), bind[storeArgs](e, "basic", "store"), bind[storeArgs](e, "basic", "add")
		n := max(e.scale(1000), 20)
		out := upload(e, s, make([]uint32, n))
		part := make([]*driver.Buffer[uint32], n)
		for i := range part {
			part[i] = buffer[uint32](e, 1)
		}
		e.crowd(n, func(i int) error {
			// A goroutine that ends locked takes its thread with it, so the next one
			// to be locked gets a fresh one.
			if i%50 == 0 {
				runtime.LockOSThread()
			}
			steps := []func() error{
				func() error { return part[i].Fill(s, 7) },
				func() error {
					a := storeArgs{part[i].Ptr(), uint32(i)}
					return store.Launch(s, one, driver.ArgsOf(&a))
				},
				func() error {
					a := storeArgs{part[i].Ptr(), 1}
					return add.Launch(s, one, driver.ArgsOf(&a))
				},
				func() error { return s.Copy(out.Memory(), uint64(i)*4, part[i].Memory(), 0, 4) },
				func() error { return s.Wait(background) },
			}
			for _, step := range steps {
				if err := step(); err != nil {
					return err
				}
				runtime.Gosched()
			}
			return nil
		})
		for i, v := range download(e, s, out) {
			if v != uint32(i+1) {
				e.Fatalf("element %d is %d", i, v)
			}
		}
	}},
	{"SeveralDevicesAreUsedInTurns", func(e *env) {
		const devices = 3
		type one struct {
			s driver.Stream
			k driver.Kernel
			b *driver.Buffer[uint32]
		}
		var list [devices]one
		for i := range list {
			d := e.open()
			m := e.load(d, "basic", driver.BuildOptions{})
			list[i] = one{streamOn(e, d, driver.StreamOptions{}), bindIn[storeArgs](e, m, "store"), bufferOn[uint32](e, d, 64)}
			closeAll(e, m)
		}
		var locks [devices]sync.Mutex
		rounds := e.scale(20)
		e.crowd(16, func(g int) error {
			got := make([]uint32, 64)
			for r := range rounds {
				i := (g + r) % devices
				err := func() error {
					locks[i].Lock()
					defer locks[i].Unlock()
					a := storeArgs{list[i].b.Ptr(), uint32(g*100 + r)}
					if err := list[i].k.Launch(list[i].s, driver.Grid1D(64, 16), driver.ArgsOf(&a)); err != nil {
						return err
					}
					runtime.Gosched()
					if err := list[i].b.CopyTo(background, list[i].s, got); err != nil {
						return err
					}
					for _, v := range got {
						if v != a.Value {
							return fmt.Errorf("device %d: got %d, want %d", i, v, a.Value)
						}
					}
					return nil
				}()
				if err != nil {
					return err
				}
			}
			return nil
		})
	}},
	{"OverAllocationByManyFailsAtOnceAndIsHarmless", func(e *env) {
		m := e.module("basic")
		sig, err := driver.SignatureOf[storeArgs]()
		e.ok(err)
		e.crowd(32, func(i int) error {
			for range 10 {
				big, err := e.dev.Alloc(1 << 50)
				if !errors.Is(err, driver.ErrOutOfMemory) {
					return fmt.Errorf("%v, %v; want %v", big, err, driver.ErrOutOfMemory)
				}
			}
			return oneOfEach(e.dev, m, sig, uint32(i))
		})
	}},
	{"EverythingIsMadeAndClosedByManyAtOnce", func(e *env) {
		m := e.module("basic")
		sig, err := driver.SignatureOf[storeArgs]()
		e.ok(err)
		rounds := e.scale(20)
		e.crowd(16, func(i int) error {
			for range rounds {
				if err := oneOfEach(e.dev, m, sig, uint32(i)); err != nil {
					return err
				}
			}
			return nil
		})
	}},
}

// oneOfEach makes, uses and closes one object of each kind.
func oneOfEach(dev driver.Device, m driver.Module, sig *driver.Signature, v uint32) error {
	s, err := dev.NewStream(driver.StreamOptions{})
	if err != nil {
		return err
	}
	defer s.Close()
	ev, err := dev.NewEvent(driver.EventOptions{})
	if err != nil {
		return err
	}
	defer ev.Close()
	k, err := m.Kernel(background, "store", sig)
	if err != nil {
		return err
	}
	defer k.Close()
	b, err := driver.Alloc[uint32](dev, 16)
	if err != nil {
		return err
	}
	defer b.Close()
	h, err := driver.AllocHost[uint32](dev, 16)
	if err != nil {
		return err
	}
	defer h.Close()
	a := storeArgs{b.Ptr(), v}
	if err := k.Launch(s, driver.Grid1D(16, 16), driver.ArgsOf(&a)); err != nil {
		return err
	}
	if err := b.CopyToPinned(s, h); err != nil {
		return err
	}
	if err := s.Record(ev); err != nil {
		return err
	}
	if err := ev.Wait(background); err != nil {
		return err
	}
	for _, got := range h.Slice() {
		if got != v {
			return fmt.Errorf("got %d, want %d", got, v)
		}
	}
	return nil
}

// crowd runs f on n goroutines at once and fails with their first error.
func (e *env) crowd(n int, f func(i int) error) {
	e.Helper()
	ctx, cancel := context.WithTimeout(background, 2*Patience)
	defer cancel()
	start := make(chan struct{})
	errs := make(chan error, n)
	for i := range n {
		go func() {
			<-start
			errs <- f(i)
		}()
	}
	close(start)
	failed := false
	for range n {
		select {
		case err := <-errs:
			if err != nil && !failed {
				failed = true
				e.Errorf("one of %d goroutines: %v", n, err)
			}
		case <-ctx.Done():
			e.Fatalf("%d goroutines did not end within %v", n, 2*Patience)
		}
	}
}
