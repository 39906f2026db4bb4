package hip

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

func pointers[A, B any](a *A, b *B) []unsafe.Pointer {
	return []unsafe.Pointer{unsafe.Pointer(a), unsafe.Pointer(b)}
}

var launchTests = []onDevice{
	{"SharedMemoryIsGivenUpToTheDevices", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		out := words(t, s, 1)
		k := bind[endsArgs](t, functions(t, d), "ends")
		most := uint32(d.facts.shared)
		for _, bytes := range []uint32{1024, 48 << 10, most} {
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
			"allows 65":          {Grid: driver.Dim3{X: 1, Y: 1 << 20}, Block: driver.Dim3{X: 1}},
		} {
			args := outArgs{out.Ptr()}
			wantIs(t, "Launch: "+what, k.Launch(s, cfg, driver.ArgsOf(&args)), driver.ErrInvalidValue, "bounded", what, "hipModuleLaunchKernel:")
			wantIs(t, "LaunchEx: "+what, k.LaunchEx(s, cfg, LaunchAttributes{}, driver.ArgsOf(&args)), driver.ErrInvalidValue, "bounded", what, "hipDrvLaunchKernelEx:")
		}
	}},
	{"LaunchesTakeAttributes", func(t *testing.T, d *Device) {
		s := newStream(t, d)
		out := words(t, s, 1)
		k := bind[storeArgs](t, functions(t, d), "store")
		_, greatest, err := d.StreamPriorities()
		check(t, err)
		for i, a := range []LaunchAttributes{{}, {Cooperative: true}, {PrioritySet: true, Priority: int32(greatest)}} {
			if err := k.LaunchEx(s, one, a, driver.ArgsOf(&storeArgs{out.Ptr(), uint32(i + 1)})); err != nil {
				t.Errorf("with %+v: %v", a, err)
				continue
			}
			if got := values(t, s, out)[0]; got != uint32(i+1) {
				t.Errorf("with %+v the kernel stores %d, want %d", a, got, i+1)
			}
		}
		wantIs(t, "arguments of another size", k.LaunchEx(s, one, LaunchAttributes{}, driver.ArgsOf(&outArgs{out.Ptr()})), driver.ErrSignature, "hipDrvLaunchKernelEx")
		wantIs(t, "no stream", k.LaunchEx(nil, one, LaunchAttributes{}, driver.ArgsOf(&storeArgs{})), driver.ErrInvalidValue)
		wantIs(t, "another device's stream", k.LaunchEx(newStream(t, open(t)), one, LaunchAttributes{}, driver.ArgsOf(&storeArgs{})), driver.ErrDeviceMismatch)
	}},
	{"CooperativeGridsMustFit", func(t *testing.T, d *Device) {
		if !d.facts.cooperative {
			drivertest.Lacks(t, "hip-cooperative", "the device runs no cooperative grids")
		}
		s := newStream(t, d)
		out := words(t, s, 1)
		k := bind[outArgs](t, functions(t, d), "sum")
		cfg := driver.LaunchConfig{Grid: driver.Dim3{X: 1 << 20}, Block: driver.Dim3{X: 256}}
		wantIs(t, "too large a grid", k.LaunchEx(s, cfg, LaunchAttributes{Cooperative: true}, driver.ArgsOf(&outArgs{out.Ptr()})),
			driver.ErrLaunch, "sum", "1048576 blocks", "at once run", "compute units")
		check(t, s.Wait(background))
	}},
	{"LaunchesAllocateNothing", func(t *testing.T, d *Device) {
		if drivertest.Instrumented {
			t.Skip("the race detector and AddressSanitizer allocate")
		}
		s := newStream(t, d)
		out := words(t, s, 1)
		k := bind[storeArgs](t, functions(t, d), "store")
		attrs := LaunchAttributes{Cooperative: true, PrioritySet: true}
		var launcher driver.Stream = s
		launch := func() { check(t, k.LaunchEx(launcher, one, attrs, driver.ArgsOf(&storeArgs{out.Ptr(), 1}))) }
		if n := testing.AllocsPerRun(100, launch); n != 0 {
			t.Errorf("LaunchEx allocates %g times", n)
		}
		p, v := out.Ptr().Bits(), uint32(2)
		params := pointers(&p, &v)
		u := untyped(t, functions(t, d), "store")
		launch = func() { check(t, u.LaunchParams(launcher, one, params)) }
		if n := testing.AllocsPerRun(100, launch); n != 0 {
			t.Errorf("LaunchParams allocates %g times", n)
		}
		check(t, s.Wait(background))
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
		wantIs(t, "no stream", k.LaunchParams(nil, one, params), driver.ErrInvalidValue)
		wantIs(t, "an empty grid", k.LaunchParams(s, driver.LaunchConfig{Block: driver.Dim3{X: 1}}, params), driver.ErrInvalidValue, "the grid is empty")
		wantIs(t, "too large a block", k.LaunchParams(s, driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1 << 20}}, params), driver.ErrInvalidValue, "mix", "allows 1024")
		params[2] = nil
		wantIs(t, "nil", k.LaunchParams(s, one, params), driver.ErrInvalidValue, "parameter 2")
		check(t, untyped(t, m, "nothing").LaunchParams(s, one, nil))
		var large [256]uint32
		large[0], large[255], p = 30, 12, out.Ptr().Bits()
		check(t, untyped(t, m, "large").LaunchParams(s, one, pointers(&large, &p)))
		if got := values(t, s, out)[0]; got != 42 {
			t.Errorf("the kernel of 1 KiB of arguments tells %d, want 42", got)
		}
		type localArgs struct {
			Tile driver.Local[uint32]
			Out  driver.Ptr[uint32]
			N    uint32
		}
		n := uint32(4)
		wantIs(t, "local memory", bind[localArgs](t, m, "ends").LaunchParams(s, one, append(pointers(&n, &p), unsafe.Pointer(&n))),
			driver.ErrSignature, "Tile", "no parameter of HIP's")
		cfg := one
		cfg.SharedBytes = 4 * n
		check(t, untyped(t, m, "ends").LaunchParams(s, cfg, pointers(&p, &n)))
		if got := values(t, s, out)[0]; got != 8 {
			t.Errorf("the kernel with shared memory tells %d, want 8", got)
		}
	}},
	{"WavefrontsAreTheDevices", func(t *testing.T, d *Device) {
		warp, err := d.Attribute(AttrWarpSize)
		check(t, err)
		if d.info.WarpSize != uint32(warp) || warp != 32 && warp != 64 {
			t.Errorf("the wavefront has %d threads, and the attribute is %d", d.info.WarpSize, warp)
		}
		if !isFake() {
			return
		}
		if want := map[string]uint32{"gfx942": 64, "gfx1100": 32}[d.info.Version]; d.info.WarpSize != want {
			t.Errorf("%s has wavefronts of %d, want %d", d.info.Name, d.info.WarpSize, want)
		}
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
