package drivertest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// shared is what the tests of one run share: a device, and the suite's modules.
type shared struct {
	h       *Harness
	dev     driver.Device
	mu      sync.Mutex
	modules map[string]driver.Module
}

func (s *shared) close() {
	for _, m := range s.modules {
		_ = m.Close()
	}
}

// env is one test's surroundings.
type env struct {
	*testing.T
	*shared
}

var background = context.Background()

// Patience is how long a test waits for what must happen soon: a hang is told from a
// machine that is busy with something else. Where tests are expected to fail it is set to
// less.
var Patience = 30 * time.Second

// lacks ends a test that the device or the machine can't be put to; see Lacks.
func (e *env) lacks(what, reason string) {
	e.Helper()
	Lacks(e, what, reason)
}

// differs tells the first difference of two lists; "" if there is none.
func differs[T comparable](want, got []T) string {
	if len(want) != len(got) {
		return fmt.Sprintf("%d elements, want %d: %v, want %v", len(got), len(want), got, want)
	}
	for i := range want {
		if want[i] != got[i] {
			return fmt.Sprintf("element %d is %v, want %v", i, got[i], want[i])
		}
	}
	return ""
}

func (e *env) ok(err error) {
	e.Helper()
	if err != nil {
		e.Fatalf("unexpected error: %v", err)
	}
}

// is fails unless err matches want and belongs to the contract's error types.
func (e *env) is(what string, err, want error) {
	e.Helper()
	if !errors.Is(err, want) {
		e.Errorf("%s: error %v; it should match %q", what, err, want)
		return
	}
	var de *driver.Error
	var be *driver.BuildError
	if !errors.As(err, &de) && !errors.As(err, &be) {
		e.Errorf("%s: %T is none of the contract's error types: %v", what, err, err)
	}
}

// scale is n, or fewer where the device is slow or the tests are to be short.
func (e *env) scale(n int) int {
	if e.h.Small {
		n /= 50
	}
	if testing.Short() {
		n /= 10
	}
	return max(n, 1)
}

// openings is how often the device is opened in a row: scale(n), but for slow ones.
func (e *env) openings(n int) int {
	n = max(e.scale(n), 3)
	if e.h.SlowOpen {
		n = min(n, 5)
	}
	return n
}

func (e *env) stream() driver.Stream { return e.streamWith(driver.StreamOptions{}) }

func (e *env) streamWith(o driver.StreamOptions) driver.Stream {
	e.Helper()
	return streamOn(e, e.dev, o)
}

func streamOn(e *env, dev driver.Device, o driver.StreamOptions) driver.Stream {
	e.Helper()
	s, err := dev.NewStream(o)
	e.ok(err)
	e.Cleanup(func() { closeAll(e, s) })
	return s
}

func (e *env) event() driver.Event {
	e.Helper()
	ev, err := e.dev.NewEvent(driver.EventOptions{})
	e.ok(err)
	e.Cleanup(func() { closeAll(e, ev) })
	return ev
}

func (e *env) memory(n uint64) driver.Memory {
	e.Helper()
	m, err := e.dev.Alloc(n)
	e.ok(err)
	e.Cleanup(func() { closeAll(e, m) })
	return m
}

func (e *env) host(n uint64) driver.HostMemory {
	e.Helper()
	m, err := e.dev.AllocHost(n)
	e.ok(err)
	e.Cleanup(func() { closeAll(e, m) })
	return m
}

// open opens the device anew.
func (e *env) open() driver.Device {
	e.Helper()
	dev, err := e.h.Open()
	e.ok(err)
	e.Cleanup(func() { closeAll(e, dev) })
	return dev
}

type closer interface{ Close() error }

func closeAll(e *env, list ...closer) {
	e.Helper()
	for _, c := range list {
		if err := c.Close(); err != nil {
			e.Errorf("closing a %T: %v", c, err)
		}
	}
}

// atEnd closes what a test closes by itself, for one that ends early.
func (e *env) atEnd(c closer) {
	e.Cleanup(func() { _ = c.Close() })
}

func (e *env) source(name string) driver.ModuleSource {
	e.Helper()
	src, err := e.h.Sources(name)
	e.ok(err)
	return src
}

func (e *env) load(dev driver.Device, name string, o driver.BuildOptions) driver.Module {
	e.Helper()
	m, err := dev.Load(background, e.source(name), o)
	e.ok(err)
	return m
}

// suiteModules are those that tests share.
var suiteModules = []string{"basic", "args", "vectors"}

// module is one of the suite's, built once for the shared device.
func (e *env) module(name string) driver.Module {
	e.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	m := e.modules[name]
	if m == nil {
		var o driver.BuildOptions
		if e.dev.Info().DoublePrecision {
			o.Defines = []driver.Define{{Name: "WITH_DOUBLE", Value: "1"}}
		}
		m = e.load(e.dev, name, o)
		e.modules[name] = m
	}
	return m
}

// live are the counts of live objects, the suite's modules among them, which are
// otherwise loaded when the first test needs them.
func (e *env) live() map[string]int64 {
	e.Helper()
	for _, name := range suiteModules {
		e.module(name)
	}
	return lifetime.Live()
}

// bind binds a kernel of the suite's module to the layout of A.
func bind[A any](e *env, module, name string) driver.Kernel {
	e.Helper()
	return bindIn[A](e, e.module(module), name)
}

func bindIn[A any](e *env, m driver.Module, name string) driver.Kernel {
	e.Helper()
	sig, err := driver.SignatureOf[A]()
	e.ok(err)
	k, err := m.Kernel(background, name, sig)
	e.ok(err)
	e.Cleanup(func() { closeAll(e, k) })
	return k
}

func launch[A any](e *env, k driver.Kernel, s driver.Stream, cfg driver.LaunchConfig, a A) {
	e.Helper()
	e.ok(k.Launch(s, cfg, driver.ArgsOf(&a)))
}

func buffer[T any](e *env, n int) *driver.Buffer[T] {
	e.Helper()
	return bufferOn[T](e, e.dev, n)
}

func bufferOn[T any](e *env, dev driver.Device, n int) *driver.Buffer[T] {
	e.Helper()
	b, err := driver.Alloc[T](dev, n)
	e.ok(err)
	e.Cleanup(func() { closeAll(e, b) })
	return b
}

func upload[T any](e *env, s driver.Stream, values []T) *driver.Buffer[T] {
	e.Helper()
	b := bufferOn[T](e, s.Device(), len(values))
	e.ok(b.CopyFrom(background, s, values))
	return b
}

func download[T any](e *env, s driver.Stream, b *driver.Buffer[T]) []T {
	e.Helper()
	values := make([]T, b.Len())
	e.ok(b.CopyTo(background, s, values))
	return values
}

// storeArgs are the arguments of the kernels store and add.
type storeArgs struct {
	Out   driver.Ptr[uint32]
	Value uint32
}

// verified fails for a kernel that is not Verified where the driver tells enough
// for that, or is where it doesn't.
func (e *env) verified(k driver.Kernel) {
	e.Helper()
	want := e.h.Parameters != NoParameters
	if k.Verified() != want || k.Verified() != (k.Unverified() == "") {
		e.Errorf("%s: Verified is %v, want %v; Unverified says %q", k.Name(), k.Verified(), want, k.Unverified())
	}
}

// tells ends a test that needs the driver to tell more of parameters than it does.
func (e *env) tells(facts ParameterFacts) {
	e.Helper()
	if e.h.Parameters > facts {
		e.lacks([]string{"parameter-types", "parameter-sizes"}[facts], "the driver does not tell enough of a kernel's parameters")
	}
}

// unsigned binds a kernel without a signature, for use with ArgPack.
func (e *env) unsigned(module, name string) driver.Kernel {
	e.Helper()
	if e.h.Parameters == NoParameters {
		_, err := e.module(module).Kernel(background, name, nil)
		e.is("Kernel without a signature", err, driver.ErrUnsupported)
		e.tells(ParameterSizes)
	}
	k, err := e.module(module).Kernel(background, name, nil)
	e.ok(err)
	e.Cleanup(func() { closeAll(e, k) })
	return k
}

type spinArgs struct {
	X driver.Ptr[uint32]
	N uint64
}

// one is the launch of a single work-item.
var one = driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}

// hold has the stream stand still until release is called, or at least for some
// time where the backend can't do that. release may be called more than once.
func (e *env) hold(s driver.Stream) (release func()) {
	e.Helper()
	if e.h.Hold == nil {
		k := bind[spinArgs](e, "basic", "spin")
		steps := uint64(1 << 28)
		if e.h.Small {
			steps = 1 << 8
		}
		launch(e, k, s, one, spinArgs{upload(e, s, []uint32{1}).Ptr(), steps})
		return func() {}
	}
	// A driver may load modules only while the device stands still.
	for _, name := range suiteModules {
		e.module(name)
	}
	var once sync.Once
	f := e.h.Hold(e, s)
	release = func() { once.Do(f) }
	e.Cleanup(release)
	return release
}

// within fails the test when f takes longer than a test can wait.
func (e *env) within(what string, f func()) {
	e.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(Patience):
		e.Fatalf("%s did not come to an end within %v", what, Patience)
	}
}

func (e *env) wait(s driver.Stream) {
	e.Helper()
	ctx, cancel := context.WithTimeout(background, Patience)
	defer cancel()
	if err := s.Wait(ctx); err != nil {
		e.Fatalf("waiting for the stream: %v", err)
	}
}
