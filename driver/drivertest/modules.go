package drivertest

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

type definedArgs struct{ Out driver.Ptr[uint32] }

// runDefined builds the kernel "defined" with options and returns what it
// stores.
func runDefined(e *env, o driver.BuildOptions) []uint32 {
	e.Helper()
	m := e.load(e.dev, "defined", o)
	e.atEnd(m)
	defer m.Close()
	s := e.stream()
	out := upload(e, s, []uint32{9, 9})
	launch(e, bindIn[definedArgs](e, m, "defined"), s, one, definedArgs{out.Ptr()})
	return download(e, s, out)
}

var moduleTests = []test{
	{"KernelNamesAreListedInOrder", func(e *env) {
		names, err := e.module("basic").KernelNames()
		if errors.Is(err, driver.ErrUnsupported) {
			e.lacks("kernel-names", "the driver does not know a module's kernels")
		}
		e.ok(err)
		want := []string{"add", "fixed_block", "flag", "ids", "is_null", "nothing", "reverse", "saxpy", "spin", "store"}
		if diff := differs(want, names); diff != "" {
			e.Error(diff)
		}
		names[0] = "changed"
		if again, _ := e.module("basic").KernelNames(); again[0] != "add" {
			e.Error("the list is shared with the caller")
		}
	}},
	{"BuildErrorsShowTheLogAndTheLine", func(e *env) {
		_, err := e.dev.Load(background, e.source("broken"), driver.BuildOptions{})
		e.is("Load", err, driver.ErrBuild)
		var be *driver.BuildError
		if !errors.As(err, &be) {
			e.Fatalf("%T is no BuildError", err)
		}
		if be.Backend != e.h.Backend || be.Op == "" || !strings.Contains(be.Device, e.dev.Info().Name) {
			e.Errorf("Backend %q, Op %q, Device %q", be.Backend, be.Op, be.Device)
		}
		if !strings.Contains(be.Log, "undeclared_name") {
			e.Errorf("the log does not name the culprit: %q", be.Log)
		}
		for _, want := range []string{"broken", ":4:", "out[0] = undeclared_name + here;"} {
			if !strings.Contains(be.Line, want) {
				e.Errorf("Line is %q and lacks %q", be.Line, want)
			}
		}
		for _, want := range []string{be.Line, "undeclared_name", be.Device} {
			if !strings.Contains(err.Error(), want) {
				e.Errorf("the text lacks %q: %s", want, err)
			}
		}
	}},
	{"LinesAreTheSourcesOwnDespiteDefines", func(e *env) {
		_, err := e.dev.Load(background, e.source("broken"), driver.BuildOptions{Defines: []driver.Define{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}})
		var be *driver.BuildError
		if !errors.As(err, &be) || !strings.Contains(be.Line, ":4:") {
			e.Errorf("the line is not the fourth: %v", err)
		}
	}},
	{"MissingKernelsListTheNames", func(e *env) {
		sig, err := driver.SignatureOf[struct{}]()
		e.ok(err)
		_, unknown := e.module("basic").KernelNames()
		for _, name := range []string{"no_such_kernel", "", "nothing\x00", "Nothing"} {
			_, err = e.module("basic").Kernel(background, name, sig)
			e.is("Kernel", err, driver.ErrNotFound)
			if errors.Is(unknown, driver.ErrUnsupported) {
				continue
			}
			if err == nil || !strings.Contains(err.Error(), "saxpy") || !strings.Contains(err.Error(), "fixed_block") {
				e.Errorf("the names are not listed: %v", err)
			}
		}
	}},
	{"EmptySourcesAreRefused", func(e *env) {
		for _, kind := range []driver.SourceKind{driver.SourceText, driver.SourceBinary} {
			_, err := e.dev.Load(background, driver.ModuleSource{Kind: kind, Name: "empty"}, driver.BuildOptions{})
			e.is(kind.String(), err, driver.ErrInvalidValue)
		}
		_, err := e.dev.Load(background, driver.ModuleSource{Name: "kindless", Code: []byte("x")}, driver.BuildOptions{})
		e.is("no kind", err, driver.ErrUnsupported)
	}},
	{"GarbageIsNoBinary", func(e *env) {
		_, err := e.dev.Load(background, driver.ModuleSource{Kind: driver.SourceBinary, Name: "noise", Code: random(1000, 1)}, driver.BuildOptions{})
		if err == nil {
			e.Fatal("a thousand random bytes were taken for a program")
		}
		var de *driver.Error
		var be *driver.BuildError
		if !errors.As(err, &de) && !errors.As(err, &be) {
			e.Errorf("%T: %v", err, err)
		}
	}},
	{"BinariesWorkUnverified", func(e *env) {
		s := e.stream()
		binary, err := e.module("basic").Binary()
		e.ok(err)
		if len(binary) == 0 {
			e.Fatal("the binary is empty")
		}
		m, err := e.dev.Load(background, driver.ModuleSource{Kind: driver.SourceBinary, Name: "basic", Code: binary}, driver.BuildOptions{})
		e.ok(err)
		defer m.Close()
		clear(binary) // not retained
		k := bindIn[storeArgs](e, m, "store")
		if k.Verified() != (k.Unverified() == "") {
			e.Errorf("Verified %v, Unverified %q", k.Verified(), k.Unverified())
		}
		x := upload(e, s, make([]uint32, 64))
		launch(e, k, s, driver.Grid1D(64, 16), storeArgs{x.Ptr(), 31})
		if got := download(e, s, x); !slices.Equal(got, slices.Repeat([]uint32{31}, 64)) {
			e.Errorf("got %v", got)
		}
		again, err := m.Binary()
		e.ok(err)
		if len(again) == 0 {
			e.Error("a module from a binary has none")
		}
	}},
	{"DescriptionsKeepBinariesVerified", func(e *env) {
		built := e.module("basic")
		describer, ok := built.(driver.Describer)
		if !ok {
			return // its binaries know their parameters, or nobody does
		}
		before := bind[storeArgs](e, "basic", "store")
		binary, err := built.Binary()
		e.ok(err)
		desc, err := describer.Description()
		e.ok(err)
		m, err := e.dev.Load(background, driver.ModuleSource{Kind: driver.SourceBinary, Name: "basic", Code: binary, Description: desc}, driver.BuildOptions{})
		e.ok(err)
		defer m.Close()
		clear(desc) // not retained
		if k := bindIn[storeArgs](e, m, "store"); k.Verified() != before.Verified() {
			e.Errorf("verified %v (%s), and %v when it was built", k.Verified(), k.Unverified(), before.Verified())
		}
		if before.Verified() {
			sig, err := driver.SignatureOf[wideArgs]()
			e.ok(err)
			_, err = m.Kernel(background, "store", sig)
			e.is("Kernel", err, driver.ErrSignature)
		}
		_, err = e.dev.Load(background, driver.ModuleSource{Kind: driver.SourceBinary, Name: "basic", Code: binary, Description: random(100, 1)}, driver.BuildOptions{})
		e.is("a description of noise", err, driver.ErrInvalidValue)
	}},
	{"DefinesReplaceNames", func(e *env) {
		for value, want := range map[string]uint32{
			"42": 42, "(1 + 2) * 3": 9, "0x7fu": 0x7f, "'\"' + 0": '"', "sizeof(\"two words\")": 10, "7 // the rest is silence": 7, "/* a */ 8 /* b */": 8,
			"-DVALUE=5 + 13": 0, "'a'": 'a', "1 ? 2 : 3": 2, " 6 ": 6,
		} {
			o := driver.BuildOptions{Defines: []driver.Define{{Name: "VALUE", Value: value}}}
			if strings.HasPrefix(value, "-D") {
				// It must be an expression of that text, not an option.
				_, err := e.dev.Load(background, e.source("defined"), o)
				e.is(value, err, driver.ErrBuild)
				continue
			}
			if got := runDefined(e, o); got[0] != want || got[1] != 0 {
				e.Errorf("VALUE defined as %q: %v, want %d and 0", value, got, want)
			}
		}
	}},
	{"HostileDefinesAreRefused", func(e *env) {
		for _, d := range []driver.Define{
			{Name: "VALUE", Value: "1\n#define FLAGGED 5"}, {Name: "VALUE", Value: "1\r#define FLAGGED 5"}, {Name: "VALUE", Value: "1 \\"},
			{Name: "VALUE", Value: "1\x00"}, {Name: "", Value: "1"}, {Name: "A B", Value: "1"}, {Name: "A=2 -DB", Value: "1"},
			{Name: "1A", Value: "1"}, {Name: "A\nB", Value: "1"}, {Name: "VALÜE", Value: "1"}, {Name: "F(x)", Value: "x"}, {Name: "VALUE\n", Value: "1"},
		} {
			_, err := e.dev.Load(background, e.source("defined"), driver.BuildOptions{Defines: []driver.Define{{Name: "VALUE2", Value: "3"}, d}})
			e.is(d.Name+"="+d.Value, err, driver.ErrInvalidValue)
		}
	}},
	{"FlagsReachTheCompiler", func(e *env) {
		if got := runDefined(e, driver.BuildOptions{Flags: []string{"-DVALUE=3", "-DFLAGGED=4"}}); got[0] != 3 || got[1] != 4 {
			e.Errorf("got %v, want 3 and 4", got)
		}
		if _, err := e.dev.Load(background, e.source("defined"), driver.BuildOptions{Flags: []string{"--no-such-flag-of-any-compiler", "-DVALUE=1"}}); err == nil {
			e.Error("a flag that no compiler has was accepted")
		} else {
			e.is("unknown flag", err, driver.ErrBuild)
		}
	}},
	{"WarningsAreInTheBuildLog", func(e *env) {
		m := e.load(e.dev, "warns", driver.BuildOptions{})
		e.atEnd(m)
		defer m.Close()
		if !strings.Contains(m.BuildLog(), "drivertest was here") {
			e.Errorf("the log is %q", m.BuildLog())
		}
	}},
	{"ContextsEndALoad", func(e *env) {
		ended, cancel := context.WithCancel(background)
		cancel()
		if _, err := e.dev.Load(ended, e.source("basic"), driver.BuildOptions{}); !errors.Is(err, context.Canceled) {
			e.Errorf("a context that had ended: %v", err)
		}
		// One that ends while the compiler runs, at whatever moment: a module or the
		// context's error, and nothing left over (the suite counts).
		for i := range max(e.scale(40), 5) {
			ctx, cancel := context.WithCancel(background)
			go func() {
				for range i * 2000 {
					_ = ctx.Err()
				}
				cancel()
			}()
			m, err := e.dev.Load(ctx, e.source("warns"), driver.BuildOptions{})
			switch {
			case err == nil:
				closeAll(e, m)
			case !errors.Is(err, context.Canceled):
				e.Errorf("round %d: %v", i, err)
			}
			cancel()
		}
	}},
	{"SourceIsNotRetained", func(e *env) {
		ctx, cancel := context.WithCancel(background)
		defer cancel()
		src := e.source("basic")
		src.Code = slices.Clone(src.Code)
		m, err := e.dev.Load(ctx, src, driver.BuildOptions{})
		e.ok(err)
		defer m.Close()
		for i := range src.Code {
			src.Code[i] = '?'
		}
		s := e.stream()
		x := upload(e, s, []uint32{0})
		launch(e, bindIn[storeArgs](e, m, "store"), s, one, storeArgs{x.Ptr(), 4})
		if got := download(e, s, x)[0]; got != 4 {
			e.Errorf("got %d", got)
		}
	}},
	{"KernelsOutliveTheirModule", func(e *env) {
		s := e.stream()
		m := e.load(e.dev, "basic", driver.BuildOptions{})
		e.atEnd(m)
		k := bindIn[storeArgs](e, m, "store")
		closeAll(e, m)
		sig, _ := driver.SignatureOf[struct{}]()
		_, err := m.Kernel(background, "nothing", sig)
		e.is("Kernel of a closed module", err, driver.ErrClosed)
		_, err = m.Binary()
		e.is("Binary of a closed module", err, driver.ErrClosed)
		x := upload(e, s, []uint32{0})
		launch(e, k, s, one, storeArgs{x.Ptr(), 6})
		if got := download(e, s, x)[0]; got != 6 {
			e.Errorf("got %d", got)
		}
	}},
	{"OneModuleIsBuiltManyTimesAtOnce", func(e *env) {
		n := max(e.scale(8), 2)
		errs := make(chan error, n)
		for i := range n {
			go func() {
				m, err := e.dev.Load(background, e.source("defined"), driver.BuildOptions{Defines: []driver.Define{{Name: "VALUE", Value: strings.Repeat("1+", i) + "0"}}})
				if err == nil {
					err = m.Close()
				}
				errs <- err
			}()
		}
		for range n {
			e.ok(<-errs)
		}
	}},
}
