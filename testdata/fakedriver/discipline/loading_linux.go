package discipline

import (
	"syscall"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// Signals checks, in a process that has not used its driver yet, that neither loading
// nor using one changes how signals are handled. The setting signals=1 has the fake
// drivers try.
func Signals(t *testing.T, b Backend) {
	t.Helper()
	use := func() {
		r := loaded(t, b)
		x := r.newSet(r.open(0, 0))
		r.ok(x.launch())
		r.ok(x.s.Wait(background))
		x.close(r)
	}
	drivertest.SignalsStay(t, use, func(s syscall.Signal, flags uint64) bool {
		return s == syscall.SIGFPE && flags&drivertest.OnStack != 0 // a driver's kernels may need it; see triad_signals.h
	})
}

func loaded(t *testing.T, b Backend) *rig {
	t.Helper()
	ctl, err := control.Open(b.Library)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t, b, ctl}
}

// Versions are what a driver may say of itself, true or not.
var Versions = []string{"0", "-1", "1", "9000", "11020", "99990", "1073741824"}

// Liar checks a driver that says a version which it is not of, as the environment has
// it: either it can't be used, which an error of the contract says, or it works.
func Liar(t *testing.T, b Backend) {
	t.Helper()
	d, err := b.Opens[0](0)
	if err != nil {
		if _, ok := err.(*driver.Error); !ok {
			t.Errorf("the error is a %T: %v", err, err)
		}
		t.Logf("it is not used: %v", err)
		return
	}
	r := loaded(t, b)
	x := r.newSet(d)
	r.everything(x, func(name string, f func() error) {
		if err := f(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	x.close(r)
	r.ok(d.Close())
	t.Logf("it is used, as %s", d.Info().Driver)
}
