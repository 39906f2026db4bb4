package cuda

import (
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// pointers is an array of pointers to arguments.
func pointers[A, B any](a *A, b *B) []unsafe.Pointer {
	return []unsafe.Pointer{unsafe.Pointer(a), unsafe.Pointer(b)}
}

var launchTests = []onDevice{
	{"SharedMemoryBeyondTheUsualIsAllowed", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		out := words(t, s, 1)
		k := bind[endsArgs](t, functions(t, d), "ends")
		most := uint32(d.facts.sharedOptIn)
		if most <= usualShared {
			drivertest.Lacks(t, "cuda-shared", "the device has no more shared memory than every kernel may have")
		}
		for _, bytes := range []uint32{1024, usualShared, usualShared + 4, most} {
			cfg := one
			cfg.SharedBytes = bytes
			check(t, k.Launch(s, cfg, driver.ArgsOf(&endsArgs{out.Ptr(), bytes / 4})))
			if got := values(t, s, out)[0]; got != bytes/4*2 {
				t.Errorf("with %d bytes of shared memory the kernel tells %d, want %d", bytes, got, bytes/4*2)
			}
		}
		cfg := one
		cfg.SharedBytes = most + 4
		wantIs(t, "more than there is", k.Launch(s, cfg, driver.ArgsOf(&endsArgs{out.Ptr(), 1})), driver.ErrInvalidValue,
			"ends", driver.ByteSize(uint64(most)+4), driver.ByteSize(uint64(most)), d.info.Name)
		cfg.SharedBytes = math.MaxUint32
		wantIs(t, "all that can be said", k.Launch(s, cfg, driver.ArgsOf(&endsArgs{out.Ptr(), 1})), driver.ErrInvalidValue, "ends")
		check(t, s.Wait(background))
	}},
	{"WrongShapesAreNamed", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		out := words(t, s, 1)
		k := bind[outArgs](t, functions(t, d), "bounded")
		for what, cfg := range map[string]driver.LaunchConfig{
			"the grid is empty":  {Block: driver.Dim3{X: 1}},
			"the block is empty": {Grid: driver.Dim3{X: 1}},
			"allows 64":          {Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 65}},
			"allows 1024":        {Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1 << 20}},
			"allows 65535":       {Grid: driver.Dim3{X: 1, Y: 1 << 20}, Block: driver.Dim3{X: 1}},
		} {
			args := outArgs{out.Ptr()}
			wantIs(t, "Launch: "+what, k.Launch(s, cfg, driver.ArgsOf(&args)), driver.ErrInvalidValue, "bounded", what, "cuLaunchKernel:")
			wantIs(t, "LaunchEx: "+what, k.LaunchEx(s, cfg, LaunchAttributes{}, driver.ArgsOf(&args)), driver.ErrInvalidValue, "bounded", what, "cuLaunchKernelEx:")
			wantIs(t, "LaunchParams: "+what, k.LaunchParams(s, cfg, []unsafe.Pointer{unsafe.Pointer(&args)}), driver.ErrInvalidValue, "bounded", what)
		}
	}},
	{"LaunchesTakeAttributes", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		out := words(t, s, 1)
		k := bind[storeArgs](t, functions(t, d), "store")
		_, greatest, err := d.StreamPriorities()
		check(t, err)
		for i, a := range []LaunchAttributes{
			{}, {Cooperative: true}, {PrioritySet: true, Priority: int32(greatest)}, {CarveoutSet: true, SharedCarveout: 50},
			{DomainSet: true},
		} {
			if err := k.LaunchEx(s, one, a, driver.ArgsOf(&storeArgs{out.Ptr(), uint32(i + 1)})); err != nil {
				t.Errorf("with %+v: %v", a, err)
				continue
			}
			if got := values(t, s, out)[0]; got != uint32(i+1) {
				t.Errorf("with %+v the kernel stores %d, want %d", a, got, i+1)
			}
		}
		wantIs(t, "arguments of another size", k.LaunchEx(s, one, LaunchAttributes{}, driver.ArgsOf(&outArgs{out.Ptr()})), driver.ErrSignature, "cuLaunchKernelEx")
		wantIs(t, "no stream", k.LaunchEx(nil, one, LaunchAttributes{}, driver.ArgsOf(&storeArgs{})), driver.ErrInvalidValue)
		wantIs(t, "another device's stream", k.LaunchEx(newStream(t, open(t)), one, LaunchAttributes{}, driver.ArgsOf(&storeArgs{})), driver.ErrDeviceMismatch)
	}},
	{"CooperativeGridsMustFit", func(t *testing.T, d *Device) {
		if !d.facts.cooperative {
			drivertest.Lacks(t, "cuda-cooperative", "the device runs no cooperative grids")
		}
		s := newStream(t, d)
		out := words(t, s, 1)
		k := bind[outArgs](t, functions(t, d), "sum")
		cfg := driver.LaunchConfig{Grid: driver.Dim3{X: 1 << 20}, Block: driver.Dim3{X: 256}}
		wantIs(t, "too large a grid", k.LaunchEx(s, cfg, LaunchAttributes{Cooperative: true}, driver.ArgsOf(&outArgs{out.Ptr()})),
			driver.ErrLaunch, "sum", "1048576 blocks", "at once run", "multiprocessors")
		check(t, s.Wait(background))
	}},
	{"ClustersMustFit", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		out := words(t, s, 64*64)
		k := bind[storeArgs](t, functions(t, d), "store")
		args := storeArgs{out.Ptr(), 6}
		launch := func(grid, cluster driver.Dim3) error {
			return k.LaunchEx(s, driver.LaunchConfig{Grid: grid, Block: driver.Dim3{X: 64}}, LaunchAttributes{Cluster: cluster}, driver.ArgsOf(&args))
		}
		if err := d.noClusters("cuLaunchKernelEx"); errors.Is(err, driver.ErrUnsupported) {
			wantIs(t, "clusters", launch(driver.Dim3{X: 4}, driver.Dim3{X: 2}), driver.ErrUnsupported, "9.0")
			drivertest.Lacks(t, "cuda-clusters", "the device has no clusters")
		}
		check(t, launch(driver.Dim3{X: 4}, driver.Dim3{X: 2}))
		if got := values(t, s, out); got[0] != 6 || got[255] != 6 || got[256] != 0 {
			t.Errorf("clusters store %d at 0, %d at 255, %d at 256", got[0], got[255], got[256])
		}
		wantIs(t, "a grid of 3", launch(driver.Dim3{X: 3}, driver.Dim3{X: 2}), driver.ErrInvalidValue, "no multiple")
		wantIs(t, "a cluster of 32", launch(driver.Dim3{X: 64}, driver.Dim3{X: 32}), driver.ErrInvalidValue, "32 blocks", "up to 8")
		wantIs(t, "an empty cluster", launch(driver.Dim3{X: 4}, driver.Dim3{Y: 2}), driver.ErrInvalidValue, "empty")
	}},
	{"ArraysOfPointersAreArguments", func(t *testing.T, d *Device) {
		s, m := newStream(t, d), functions(t, d)
		out := words(t, s, 4)
		k := untyped(t, m, "mix")
		type mixed struct {
			a byte
			b float64
		}
		a, b, p, c := byte(3), mixed{4, 5}, out.Ptr().Bits(), uint16(60000)
		params := []unsafe.Pointer{unsafe.Pointer(&a), unsafe.Pointer(&b), unsafe.Pointer(&p), unsafe.Pointer(&c)}
		check(t, k.LaunchParams(s, one, params))
		a, b, p, c = 0, mixed{}, 0, 0 // nothing of them is kept
		if got := values(t, s, out); got[0] != 3 || got[1] != 4 || got[2] != 5 || got[3] != 60000 {
			t.Errorf("the kernel got %v", got)
		}
		runtime.KeepAlive(params)
		wantIs(t, "too few", k.LaunchParams(s, one, params[:3]), driver.ErrSignature, "4 parameters", "3 pointers")
		wantIs(t, "too many", k.LaunchParams(s, one, append(params, params[0])), driver.ErrSignature, "5 pointers")
		params[2] = nil
		wantIs(t, "nil", k.LaunchParams(s, one, params), driver.ErrInvalidValue, "parameter 2")
		check(t, untyped(t, m, "nothing").LaunchParams(s, one, nil))
		var large [256]uint32
		large[0], large[255], p = 30, 12, out.Ptr().Bits()
		check(t, untyped(t, m, "large").LaunchParams(s, one, pointers(&large, &p)))
		if got := values(t, s, out)[0]; got != 42 {
			t.Errorf("the kernel of 1 KiB of arguments tells %d, want 42", got)
		}
		wantIs(t, "no stream", k.LaunchParams(nil, one, []unsafe.Pointer{unsafe.Pointer(&a), unsafe.Pointer(&b), unsafe.Pointer(&p), unsafe.Pointer(&c)}), driver.ErrInvalidValue)
	}},
	{"ArgumentsEndWhereTheyEnd", func(t *testing.T, d *Device) {
		type tailArgs struct {
			Out driver.Ptr[uint32]
			B   uint8
		}
		type hugeArgs struct {
			Out driver.Ptr[uint32]
			H   struct{ V [1500]uint32 }
		}
		const tail = `extern "C" __global__ void tail(unsigned *out, unsigned char b) { out[0] = b; }`
		const huge = `struct huge_t { unsigned v[1500]; };
extern "C" __global__ void huge(unsigned *out, huge_t h) { out[0] = h.v[0] + h.v[1499]; }`
		load := func(name, text string) *Module {
			m, err := d.LoadModule(background, driver.ModuleSource{Kind: driver.SourceText, Name: name, Code: []byte(text)}, driver.BuildOptions{})
			check(t, err)
			t.Cleanup(func() { _ = m.Close() })
			return m
		}
		s := newStream(t, d)
		out := words(t, s, 1)
		check(t, bind[tailArgs](t, load("tail.cu", tail), "tail").Launch(s, one, driver.ArgsOf(&tailArgs{out.Ptr(), 200})))
		if got := values(t, s, out)[0]; got != 200 {
			t.Errorf("the kernel of 9 bytes of arguments got %d, want 200", got)
		}
		if d.info.MaxParamBytes < 8192 {
			drivertest.Lacks(t, "cuda-large-arguments", "kernels take no more than 4 KiB of arguments")
		}
		a := hugeArgs{Out: out.Ptr()}
		a.H.V[0], a.H.V[1499] = 40, 2
		check(t, bind[hugeArgs](t, load("huge.cu", huge), "huge").Launch(s, one, driver.ArgsOf(&a)))
		if got := values(t, s, out)[0]; got != 42 {
			t.Errorf("the kernel of 6 KB of arguments got %d, want 42", got)
		}
	}},
	{"LaunchesAllocateNothing", func(t *testing.T, d *Device) {
		if drivertest.Instrumented {
			t.Skip("the race detector and AddressSanitizer allocate")
		}
		s, m := newStream(t, d), functions(t, d)
		out := words(t, s, 1)
		k, u := bind[storeArgs](t, m, "store"), untyped(t, m, "store")
		p, v := out.Ptr().Bits(), uint32(2)
		params := pointers(&p, &v)
		attrs := LaunchAttributes{Cooperative: true, PrioritySet: true}
		var launcher driver.Stream = s
		for what, f := range map[string]func(){
			"LaunchEx":     func() { check(t, k.LaunchEx(launcher, one, attrs, driver.ArgsOf(&storeArgs{out.Ptr(), 1}))) },
			"LaunchParams": func() { check(t, u.LaunchParams(launcher, one, params)) },
		} {
			if n := testing.AllocsPerRun(100, f); n != 0 {
				t.Errorf("%s allocates %g times", what, n)
			}
		}
		check(t, s.Wait(background))
	}},
	{"HostFunctionsAreCalledInOrder", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		mem, err := d.HostAlloc(4, 0)
		check(t, err)
		defer mem.Close()
		word := (*uint32)(unsafe.Pointer(&mem.Bytes()[0]))
		atomic.StoreUint32(word, 0)
		release := hold(t, s)
		check(t, s.HostFunc(rawRaiseWord(), uintptr(unsafe.Pointer(word))))
		if v := atomic.LoadUint32(word); v != 0 {
			t.Errorf("the function was called before the stream came to it")
		}
		release()
		check(t, s.Wait(background))
		if v := atomic.LoadUint32(word); v != 1 {
			t.Errorf("the function has not been called when the stream has finished")
		}
		wantIs(t, "null", s.HostFunc(0, 0), driver.ErrInvalidValue)
	}},
}
