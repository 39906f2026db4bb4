package cuda

import (
	"errors"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// fits tells whether the fake device runs a grid of that shape in no time: it runs
// one thread after the other.
func fits(cfg driver.LaunchConfig) bool {
	g, b := cfg.Grid.Normal().Volume(), cfg.Block.Normal().Volume()
	return g <= 1<<16 && b <= 1<<10 && g*b <= 1<<18
}

// Whatever the shape of a launch and whatever its attributes, the launch happens or
// fails with an error of the contract's, and the device goes on working.
func FuzzLaunch(f *testing.F) {
	d := open(f)
	if !isFake() {
		drivertest.Lacks(f, "fake-cuda", "this is for the fake driver, and "+load().Path+" is a real one")
	}
	m := functions(f, d)
	s := newStream(f, d)
	kernels := []*Kernel{bind[struct{}](f, m, "nothing"), bind[struct{ Out driver.Ptr[uint32] }](f, m, "bounded")}
	mem, err := d.Alloc(4096)
	check(f, err)
	f.Cleanup(func() { _ = mem.Close() })
	type out struct{ Out driver.Ptr[uint32] }
	none, args := struct{}{}, out{driver.PtrFrom[uint32](mem.Addr())}

	f.Add(uint32(1), uint32(1), uint32(1), uint32(1), uint32(1), uint32(1), uint32(0), []byte{})
	f.Add(uint32(0), uint32(0), uint32(0), uint32(64), uint32(0), uint32(0), uint32(0), []byte{1})
	f.Add(uint32(1<<31), uint32(1), uint32(1), uint32(1), uint32(1), uint32(1), uint32(0), []byte{2, 1, 2, 1, 1})
	f.Add(uint32(1<<32-1), uint32(1<<32-1), uint32(1<<32-1), uint32(1<<32-1), uint32(1<<32-1), uint32(1<<32-1), uint32(1<<32-1), []byte{3, 255, 255, 255, 255, 255, 255})
	f.Add(uint32(8), uint32(1), uint32(1), uint32(32), uint32(1), uint32(1), uint32(200<<10), []byte{2, 2, 8, 1, 1, 1, 1})
	f.Add(uint32(8), uint32(65536), uint32(1), uint32(1), uint32(1), uint32(65), uint32(1<<20), []byte{0, 0, 0, 4, 0, 2, 9})
	f.Fuzz(func(t *testing.T, gx, gy, gz, bx, by, bz, shared uint32, how []byte) {
		cfg := driver.LaunchConfig{Grid: driver.Dim3{X: gx, Y: gy, Z: gz}, Block: driver.Dim3{X: bx, Y: by, Z: bz}, SharedBytes: shared}
		next := func() byte {
			if len(how) == 0 {
				return 0
			}
			b := how[0]
			how = how[1:]
			return b
		}
		which := next()
		k, ref := kernels[0], driver.ArgsOf(&none)
		if which&1 != 0 {
			k, ref = kernels[1], driver.ArgsOf(&args)
		}
		if which&4 != 0 {
			ref = driver.ArgRef{}
		}
		var a LaunchAttributes
		if which&2 != 0 {
			bits := next()
			a = LaunchAttributes{
				Cluster: driver.Dim3{X: uint32(next()), Y: uint32(next()), Z: uint32(next())}, ClusterPolicy: ClusterPolicy(int8(next())),
				Cooperative: bits&1 != 0, ProgrammaticSerialization: bits&2 != 0,
				Priority: int32(int8(next())), PrioritySet: bits&4 != 0, Domain: SyncDomain(int8(next())), DomainSet: bits&8 != 0,
				SharedCarveout: int32(int8(next())), CarveoutSet: bits&16 != 0,
			}
		}
		possible := uint64(gx) <= d.info.MaxGrid[0] && uint64(gy) <= d.info.MaxGrid[1] && uint64(gz) <= d.info.MaxGrid[2] && cfg.Block.Normal().Volume() <= d.info.MaxBlockVolume
		if possible && !fits(cfg) {
			return // it would run, for hours
		}
		var err error
		if which&2 != 0 {
			err = k.LaunchEx(s, cfg, a, ref)
		} else {
			err = k.Launch(s, cfg, ref)
		}
		if e := (*driver.Error)(nil); err != nil && (!errors.As(err, &e) || e.Kind == nil || errors.Is(err, driver.ErrClosed) || errors.Is(err, driver.ErrDeviceLost)) {
			t.Errorf("%+v %+v: %v", cfg, a, err)
		}
		if err == nil && (gx == 0 || bx == 0 || !possible) {
			t.Errorf("%+v %+v was launched", cfg, a)
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatalf("after %+v %+v the stream says %v", cfg, a, err)
		}
	})
}
