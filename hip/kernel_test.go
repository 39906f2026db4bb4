package hip

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
)

var (
	_ driver.Occupier       = (*Kernel)(nil)
	_ driver.BlockSuggester = (*Kernel)(nil)
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
		half, err := k.Occupancy(driver.Dim3{X: 32}, uint32(d.facts.shared/2))
		if half < 1 || half > 4 || err != nil {
			t.Errorf("%d blocks fit that use half of the most shared memory of a block, error %v", half, err)
		}
		for what, x := range map[string]struct {
			block  driver.Dim3
			shared uint32
		}{
			"too many threads":       {driver.Dim3{X: 1024, Y: 2}, 0},
			"too large a dimension":  {driver.Dim3{X: 1, Y: 1, Z: uint32(d.info.MaxBlock[2]) + 1}, 0},
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
		wantIs(t, "too much shared memory", err, driver.ErrInvalidValue, "1.0 GiB", driver.ByteSize(d.facts.shared))
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
			wantIs(t, x.what+" LaunchEx", x.k.LaunchEx(s, one, LaunchAttributes{}, driver.ArgsOf(&storeArgs{})), x.want)
			if !overCUDA() || x.k == nil { // whose parameters aren't known
				wantIs(t, x.what+" LaunchParams", x.k.LaunchParams(s, one, pointers(new(uint64), new(uint32))), x.want)
			}
		}
	}},
}
