package drivertest

import (
	"fmt"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

type idsArgs struct{ Count, Where driver.Ptr[uint32] }

// ids launches a kernel that counts each work-item and notes where it is.
func ids(e *env, cfg driver.LaunchConfig) {
	e.Helper()
	s := e.stream()
	g, b := cfg.Grid.Normal(), cfg.Block.Normal()
	size := [3]uint32{g.X * b.X, g.Y * b.Y, g.Z * b.Z}
	n := int(size[0] * size[1] * size[2])
	count, where := upload(e, s, make([]uint32, n+1)), upload(e, s, make([]uint32, n+1))
	launch(e, bind[idsArgs](e, "basic", "ids"), s, cfg, idsArgs{count.Ptr(), where.Ptr()})
	c, w := download(e, s, count), download(e, s, where)
	for i := range n {
		x, y, z := uint32(i)%size[0], uint32(i)/size[0]%size[1], uint32(i)/size[0]/size[1]
		want := x%b.X | y%b.Y<<4 | z%b.Z<<8 | x/b.X<<12 | y/b.Y<<16 | z/b.Z<<20
		if c[i] != 1 || w[i] != want {
			e.Fatalf("%v blocks of %v: the work-item at %d %d %d ran %d times and noted %#x, want %#x", cfg.Grid, cfg.Block, x, y, z, c[i], w[i], want)
		}
	}
	if c[n] != 0 {
		e.Errorf("%v blocks of %v: more work-items than there should be", cfg.Grid, cfg.Block)
	}
}

// badLaunch wants an error that names the limit.
func badLaunch(e *env, what string, err, want error, words ...string) {
	e.Helper()
	e.is(what, err, want)
	if err == nil {
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			e.Errorf("%s: the error lacks %q: %v", what, w, err)
		}
	}
}

var launchTests = []test{
	{"IDsAreRightInOneDimension", func(e *env) {
		ids(e, one)
		ids(e, driver.Grid1D(12*5, 12))
		ids(e, driver.LaunchConfig{Grid: driver.Dim3{X: 7}, Block: driver.Dim3{X: 3}})
	}},
	{"IDsAreRightInTwoDimensions", func(e *env) {
		ids(e, driver.Grid2D(12, 10, 4, 2))
		ids(e, driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 5}, Block: driver.Dim3{X: 1, Y: 3}})
	}},
	{"IDsAreRightInThreeDimensions", func(e *env) {
		ids(e, driver.Grid3D(6, 4, 8, 3, 2, 2))
		ids(e, driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 3}, Block: driver.Dim3{X: 1, Y: 1, Z: 2}})
		ids(e, driver.LaunchConfig{Grid: driver.Dim3{X: 2, Y: 0, Z: 3}, Block: driver.Dim3{X: 2}})
	}},
	{"SaxpyIsRight", func(e *env) {
		type args struct {
			A    float32
			X, Y driver.Ptr[float32]
			N    uint32
		}
		s := e.stream()
		n := e.scale(100_000) + 37
		x, y := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = float32(i%1000), float32(i%77)
		}
		dx, dy := upload(e, s, x), upload(e, s, y)
		launch(e, bind[args](e, "basic", "saxpy"), s, driver.Grid1D(n, 64), args{3, dx.Ptr(), dy.Ptr(), uint32(n)})
		for i, got := range download(e, s, dy) {
			if want := 3*x[i] + y[i]; got != want {
				e.Fatalf("element %d is %v, want %v", i, got, want)
			}
		}
	}},
	{"EmptyShapesAreRefused", func(e *env) {
		s, k := e.stream(), bind[storeArgs](e, "basic", "store")
		a := storeArgs{buffer[uint32](e, 1).Ptr(), 1}
		for what, cfg := range map[string]driver.LaunchConfig{
			"grid": {Block: driver.Dim3{X: 1}}, "block": {Grid: driver.Dim3{X: 1}}, "everything": {},
			"no elements": driver.Grid1D(0, 16), "fewer than none": driver.Grid1D(-5, 16), "no block": driver.Grid1D(5, 0), "no rows": driver.Grid2D(5, 0, 1, 1),
		} {
			badLaunch(e, what, k.Launch(s, cfg, driver.ArgsOf(&a)), driver.ErrInvalidValue, "empty", "store")
		}
		e.wait(s)
	}},
	{"OversizedBlocksNameTheLimit", func(e *env) {
		s, k, info := e.stream(), bind[storeArgs](e, "basic", "store"), e.dev.Info()
		a := storeArgs{buffer[uint32](e, 1).Ptr(), 1}
		for d := range 3 {
			limit := info.MaxBlock[d]
			if limit == 0 || limit >= 1<<32-1 {
				continue
			}
			n := [3]uint32{1, 1, 1}
			n[d] = uint32(limit) + 1
			cfg := driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: n[0], Y: n[1], Z: n[2]}}
			badLaunch(e, fmt.Sprintf("dimension %d", d), k.Launch(s, cfg, driver.ArgsOf(&a)), driver.ErrInvalidValue, fmt.Sprint(limit), fmt.Sprint(limit+1), "store")
		}
		limit := info.MaxBlockVolume
		cfg := driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: uint32(limit), Y: 2}}
		if limit <= info.MaxBlock[0] {
			badLaunch(e, "volume", k.Launch(s, cfg, driver.ArgsOf(&a)), driver.ErrInvalidValue, fmt.Sprint(limit), fmt.Sprint(2*limit))
		}
		e.wait(s)
	}},
	{"BlocksOtherThanTheRequiredOneAreRefused", func(e *env) {
		type args struct{ Out driver.Ptr[uint32] }
		s, k := e.stream(), bind[args](e, "basic", "fixed_block")
		out := upload(e, s, make([]uint32, 64))
		a := args{out.Ptr()}
		attrs, err := k.Attributes()
		e.ok(err)
		if attrs.RequiredBlock == [3]uint64{} {
			// Its language can't require a block, but bounds the number of threads.
			badLaunch(e, "a larger block", k.Launch(s, driver.Grid2D(8, 8, 4, 4), driver.ArgsOf(&a)), driver.ErrInvalidValue, "16", "8", "fixed_block")
		} else {
			badLaunch(e, "another block", k.Launch(s, driver.Grid2D(8, 8, 2, 4), driver.ArgsOf(&a)), driver.ErrInvalidValue, "4 2 1", "fixed_block")
		}
		launch(e, k, s, driver.Grid2D(8, 8, 4, 2), a)
		for i, v := range download(e, s, out) {
			if v != 1 {
				e.Fatalf("element %d is %d", i, v)
			}
		}
	}},
	{"LocalMemoryOfNoSizeIsRefused", func(e *env) {
		type args struct {
			X    driver.Ptr[uint32]
			A, B driver.Local[uint32]
		}
		s, k := e.stream(), bind[args](e, "basic", "reverse")
		a := args{X: buffer[uint32](e, 16).Ptr(), A: driver.LocalOf[uint32](16)}
		badLaunch(e, "0 bytes", k.Launch(s, driver.Grid1D(16, 16), driver.ArgsOf(&a)), driver.ErrSignature, "parameter 2", "B", "driver.LocalOf")
		e.wait(s)
	}},
	{"ClosedKernelsAreRefused", func(e *env) {
		s, k := e.stream(), bind[storeArgs](e, "basic", "store")
		a := storeArgs{buffer[uint32](e, 1).Ptr(), 1}
		closeAll(e, k)
		e.is("Launch", k.Launch(s, one, driver.ArgsOf(&a)), driver.ErrClosed)
		_, err := k.Attributes()
		e.is("Attributes", err, driver.ErrClosed)
	}},
	{"RefusedLaunchesLeaveTheStreamUsable", func(e *env) {
		s, k := e.stream(), bind[storeArgs](e, "basic", "store")
		x := upload(e, s, []uint32{0})
		a := storeArgs{x.Ptr(), 1}
		for range e.scale(100) {
			e.is("Launch", k.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1 << 31}}, driver.ArgsOf(&a)), driver.ErrInvalidValue)
		}
		e.wait(s)
		launch(e, k, s, one, storeArgs{x.Ptr(), 8})
		if got := download(e, s, x)[0]; got != 8 {
			e.Errorf("got %d", got)
		}
	}},
	{"ArgumentsMayChangeRightAfterTheLaunch", func(e *env) {
		s, k := e.stream(), bind[storeArgs](e, "basic", "store")
		n := max(e.scale(200), 4)
		list := make([]*driver.Buffer[uint32], n)
		for i := range list {
			list[i] = buffer[uint32](e, 1)
		}
		release := e.hold(s)
		var a storeArgs
		for i := range list {
			a = storeArgs{list[i].Ptr(), uint32(i)}
			e.ok(k.Launch(s, one, driver.ArgsOf(&a)))
			a = storeArgs{Value: 0xdead}
		}
		release()
		e.wait(s)
		for i, b := range list {
			if got := download(e, s, b)[0]; got != uint32(i) {
				e.Fatalf("launch %d stored %d", i, got)
			}
		}
	}},
}
