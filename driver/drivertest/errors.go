package drivertest

import (
	"errors"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

var errorTests = []test{
	{"EveryReachableSentinelIsMatched", func(e *env) {
		s, m, ev := e.stream(), e.memory(16), e.event()
		closed, err := e.dev.NewStream(driver.StreamOptions{})
		e.ok(err)
		e.atEnd(closed)
		closeAll(e, closed)
		sig, err := driver.SignatureOf[struct{}]()
		e.ok(err)
		_, oom := e.dev.Alloc(1 << 55)
		_, notFound := e.module("basic").Kernel(background, "absent", sig)
		signature := error(&driver.Error{Kind: driver.ErrSignature})
		if e.h.Parameters != NoParameters {
			_, signature = e.module("basic").Kernel(background, "store", sig)
		}
		_, build := e.dev.Load(background, e.source("broken"), driver.BuildOptions{})
		_, notReady := ev.Elapsed(ev)
		_, kind := e.dev.Load(background, driver.ModuleSource{Kind: 99, Code: []byte("x")}, driver.BuildOptions{})
		sentinels := []error{driver.ErrClosed, driver.ErrOutOfMemory, driver.ErrInvalidValue, driver.ErrDeviceMismatch, driver.ErrNotReady,
			driver.ErrNotFound, driver.ErrSignature, driver.ErrBuild, driver.ErrUnsupported, driver.ErrNoDevice, driver.ErrUnavailable, driver.ErrDeviceLost}
		for _, x := range []struct{ err, want error }{
			{closed.Flush(), driver.ErrClosed}, {oom, driver.ErrOutOfMemory}, {s.Copy(m, 0, m, 1, 9), driver.ErrInvalidValue},
			{s.Copy(strangeMemory{}, 0, m, 0, 1), driver.ErrDeviceMismatch}, {notReady, driver.ErrNotReady}, {notFound, driver.ErrNotFound},
			{signature, driver.ErrSignature}, {build, driver.ErrBuild}, {kind, driver.ErrUnsupported},
		} {
			e.is(x.want.Error(), x.err, x.want)
			for _, other := range sentinels {
				if other != x.want && errors.Is(x.err, other) {
					e.Errorf("%v matches %q as well as %q", x.err, other, x.want)
				}
			}
		}
	}},
	{"TextsNameBackendCallAndReason", func(e *env) {
		_, err := e.dev.Alloc(1 << 55)
		var de *driver.Error
		if !errors.As(err, &de) {
			e.Fatalf("%T is no *driver.Error", err)
		}
		if de.Backend != e.h.Backend || de.Op == "" || de.Detail == "" {
			e.Errorf("%+v", de)
		}
		if text := err.Error(); !strings.HasPrefix(text, e.h.Backend+": "+de.Op+": ") || !strings.Contains(text, "32.0 PiB requested") {
			e.Errorf("the text is %q", text)
		}
	}},
	{"AFailureStaysWithItsCall", func(e *env) {
		s := e.stream()
		x := upload(e, s, []uint32{0})
		k := bind[storeArgs](e, "basic", "store")
		a := storeArgs{x.Ptr(), 1}
		for range 20 {
			e.is("Alloc", func() error { _, err := e.dev.Alloc(1 << 55); return err }(), driver.ErrOutOfMemory)
			e.is("Launch", k.Launch(s, driver.LaunchConfig{}, driver.ArgsOf(&a)), driver.ErrInvalidValue)
			e.is("Copy", s.Copy(x.Memory(), 0, x.Memory(), 0, 4), driver.ErrInvalidValue)
			launch(e, k, s, one, a)
			e.ok(s.Flush())
			if _, err := s.Query(); err != nil {
				e.Errorf("Query: %v", err)
			}
			e.wait(s)
		}
		if got := download(e, s, x)[0]; got != 1 {
			e.Errorf("got %d", got)
		}
	}},
}
