package cuda

import (
	"errors"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

var (
	_ driver.Occupier       = (*Kernel)(nil)
	_ driver.BlockSuggester = (*Kernel)(nil)
	_ driver.Disassembler   = (*Module)(nil)
	_ driver.Compiler       = (*Device)(nil)
)

var kernelTests = []onDevice{
	{"OccupancyCountsBlocks", func(t *testing.T, d *Device) {
		m := functions(t, d)
		k := bind[storeArgs](t, m, "store")
		small, err := k.Occupancy(driver.Dim3{X: 32}, 0)
		check(t, err)
		large, err := k.Occupancy(driver.Dim3{X: 16, Y: 16, Z: 4}, 0)
		if large < 1 || small < large || err != nil {
			t.Errorf("%d blocks of 32 threads fit, and %d of 1024, error %v", small, large, err)
		}
		half, err := k.Occupancy(driver.Dim3{X: 32}, uint32(d.facts.sharedOptIn/2))
		if half < 1 || half > 4 || err != nil {
			t.Errorf("%d blocks fit that use half of the most shared memory of a block, error %v", half, err)
		}
		for what, x := range map[string]struct {
			block  driver.Dim3
			shared uint32
		}{
			"too many threads":       {driver.Dim3{X: 1024, Y: 2}, 0},
			"too large a dimension":  {driver.Dim3{X: 1, Y: 1, Z: 1000}, 0},
			"too much shared memory": {driver.Dim3{X: 32}, 1 << 30},
		} {
			if n, err := k.Occupancy(x.block, x.shared); n != 0 || err != nil {
				t.Errorf("%s: %d blocks, error %v", what, n, err)
			}
		}
		_, err = k.Occupancy(driver.Dim3{}, 0)
		wantIs(t, "an empty block", err, driver.ErrInvalidValue, "store")
		b := bind[outArgs](t, m, "bounded")
		if n, err := b.Occupancy(driver.Dim3{X: 65}, 0); n != 0 || err != nil {
			t.Errorf("beyond its bound: %d blocks, error %v", n, err)
		}
	}},
	{"BlocksAreSuggested", func(t *testing.T, d *Device) {
		m := functions(t, d)
		k := bind[storeArgs](t, m, "store")
		b, err := k.SuggestBlock(0)
		if b.X < 32 || b.X > 1024 || b.X%32 != 0 || b.Y != 1 || b.Z != 1 || err != nil {
			t.Errorf("suggested is %v, error %v", b, err)
		}
		if b, err := bind[outArgs](t, m, "bounded").SuggestBlock(0); b.X > 64 || b.X < 1 || err != nil {
			t.Errorf("of at most 64 threads %v is suggested, error %v", b, err)
		}
		_, err = k.SuggestBlock(1 << 30)
		wantIs(t, "too much shared memory", err, driver.ErrInvalidValue, "1.0 GiB", driver.ByteSize(d.facts.sharedOptIn))
		n, err := k.AvailableDynamicShared(2, driver.Dim3{X: 64})
		if n == 0 || n > d.facts.sharedOptIn || err != nil {
			t.Errorf("two blocks can have %d bytes each, error %v", n, err)
		}
		_, err = k.AvailableDynamicShared(0, driver.Dim3{X: 64})
		wantIs(t, "no blocks", err, driver.ErrInvalidValue)
	}},
	{"ClustersAreCounted", func(t *testing.T, d *Device) {
		k := bind[storeArgs](t, functions(t, d), "store")
		cfg := driver.LaunchConfig{Grid: driver.Dim3{X: 8}, Block: driver.Dim3{X: 64}}
		n, err := k.MaxActiveClusters(cfg, driver.Dim3{X: 2})
		if errors.Is(err, driver.ErrUnsupported) {
			drivertest.Lacks(t, "cuda-clusters", err.Error())
		}
		if n < 1 || err != nil {
			t.Errorf("%d clusters of 2 blocks run at once, error %v", n, err)
		}
		if n, err := k.MaxPotentialClusterSize(cfg); n < 1 || n > 16 || err != nil {
			t.Errorf("a cluster has at most %d blocks, error %v", n, err)
		}
		_, err = k.MaxActiveClusters(driver.LaunchConfig{}, driver.Dim3{X: 2})
		wantIs(t, "an empty grid", err, driver.ErrInvalidValue)
	}},
	{"KernelsAreLoadedAhead", func(t *testing.T, d *Device) {
		k := bind[storeArgs](t, functions(t, d), "store")
		if yes, err := k.Loaded(); !yes || err != nil {
			t.Errorf("the kernel is loaded: %v, error %v", yes, err)
		}
		if mode, err := ModuleLoading(); mode != EagerLoading && mode != LazyLoading || err != nil {
			t.Errorf("the loading mode is %d, error %v", mode, err)
		}
		check(t, k.SetCacheConfig(CachePreferL1))
		wantIs(t, "no such preference", k.SetCacheConfig(-3), driver.ErrInvalidValue, "store")
	}},
	{"ClosedAndNilKernelsSaySo", func(t *testing.T, d *Device) {
		k := bind[storeArgs](t, functions(t, d), "store")
		s := newStream(t, d)
		check(t, k.Close())
		var none *Kernel
		for _, x := range []struct {
			what string
			k    *Kernel
			want error
		}{{"closed", k, driver.ErrClosed}, {"nil", none, driver.ErrInvalidValue}} {
			_, err := x.k.Occupancy(driver.Dim3{X: 1}, 0)
			wantIs(t, x.what+" Occupancy", err, x.want)
			_, err = x.k.SuggestBlock(0)
			wantIs(t, x.what+" SuggestBlock", err, x.want)
			_, err = x.k.MaxPotentialClusterSize(one)
			wantIs(t, x.what+" MaxPotentialClusterSize", err, x.want)
			wantIs(t, x.what+" LaunchEx", x.k.LaunchEx(s, one, LaunchAttributes{}, driver.ArgsOf(&storeArgs{})), x.want)
			wantIs(t, x.what+" LaunchParams", x.k.LaunchParams(s, one, pointers(new(uint64), new(uint32))), x.want)
		}
	}},
}

// newerCalls came after CUDA 11.4.
var newerCalls = []string{
	"cuLaunchKernelEx", "cuFuncGetParamInfo", "cuFuncLoad", "cuFuncIsLoaded", "cuFuncGetName", "cuCtxGetId", "cuCtxSetFlags", "cuStreamGetId",
	"cuModuleGetLoadingMode", "cuOccupancyMaxActiveClusters", "cuOccupancyMaxPotentialClusterSize",
}

func TestMissingCallsAreNamedInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	d := open(t)
	s, m := newStream(t, d), functions(t, d)
	k := bind[storeArgs](t, m, "store")
	_, loaded := k.Loaded()
	_, id := d.ContextID()
	_, streamID := s.ID()
	_, mode := ModuleLoading()
	_, active := k.MaxActiveClusters(one, driver.Dim3{X: 1})
	_, potential := k.MaxPotentialClusterSize(one)
	_, inferred := m.Bind(background, "store", nil)
	_, options := d.LoadImage(background, "x", []byte("x"), ImageOptions{MinBlocksPerSM: 1})
	for symbol, err := range map[string]error{
		"cuLaunchKernelEx":                   k.LaunchEx(s, one, LaunchAttributes{}, driver.ArgsOf(&storeArgs{})),
		"cuFuncGetParamInfo":                 k.LaunchParams(s, one, pointers(new(uint64), new(uint32))),
		"cuFuncIsLoaded":                     loaded,
		"cuCtxGetId":                         id,
		"cuCtxSetFlags":                      d.SetContextFlags(BlockingSync),
		"cuStreamGetId":                      streamID,
		"cuModuleGetLoadingMode":             mode,
		"cuOccupancyMaxActiveClusters":       active,
		"cuOccupancyMaxPotentialClusterSize": potential,
		"MinBlocksPerSM":                     options,
	} {
		wantIs(t, symbol, err, driver.ErrUnsupported, symbol, "CUDA 11.4")
	}
	wantIs(t, "parameters that aren't told", inferred, driver.ErrUnsupported, "cuFuncGetParamInfo")
	stores(t, d, m)
}

// Arguments are given as they lie only where the driver says that it wants them so.
func TestArgumentsArePackedWhereTheyLieAsTheDriverWantsThem(t *testing.T) {
	two := []planParam{{offset: 0, size: 4}, {offset: 8, size: 8}}
	for _, x := range []struct {
		what           string
		params, locals []planParam
		places         []paramPlace
		want           uint32
	}{
		{"the same places", two, nil, []paramPlace{{0, 4}, {8, 8}}, 16},
		{"no padding at the end", two[1:], nil, []paramPlace{{8, 8}}, 16},
		{"another place", two, nil, []paramPlace{{0, 4}, {16, 8}}, 0},
		{"a driver that tells nothing", two, nil, nil, 0},
		{"no parameters", nil, nil, nil, 0},
		{"local memory", two, []planParam{{offset: 16, size: 8}}, []paramPlace{{0, 4}, {8, 8}}, 0},
	} {
		if got := packed(x.params, x.locals, x.places); got != x.want {
			t.Errorf("%s: %d bytes, want %d", x.what, got, x.want)
		}
	}
}
