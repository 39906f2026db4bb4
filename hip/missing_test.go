//go:build cgo && linux

package hip

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/injection"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

// missingEnv names the symbol that a child's runtime lacks.
const missingEnv = "TRIAD_TEST_MISSING"

// Each optional function is missing, one at a time: exactly what needs it is gone. A
// sample, unless TRIAD_INJECT is all.
func TestEachOptionalCallIsMissing(t *testing.T) {
	all, err := fakedriver.HIPSymbols()
	check(t, err)
	all = slices.DeleteFunc(all, func(s fakedriver.Symbol) bool { return s.Required })
	if len(all) < 40 {
		t.Fatalf("%d functions are optional", len(all))
	}
	for i, s := range all {
		if os.Getenv(injection.AllEnv) != "all" && i%12 != 5 {
			continue
		}
		env := append(withRuntime(t, 0, "devices=2", s.Name), missingEnv+"="+s.Name)
		drivertest.RunChild(t, "TestWithoutACallInChild", env...)
	}
}

// feature is something of this package that needs functions which a runtime may lack.
type feature struct {
	name  string
	needs []string
	run   func(f *fixture) error
}

// fixture is what features are tried with.
type fixture struct {
	t     *testing.T
	d     *Device
	s     *Stream
	k     *Kernel
	plain *Memory
	keep  []io.Closer
}

func (f *fixture) kept(c io.Closer, err error) error {
	if err == nil {
		f.keep = append(f.keep, c)
	}
	return err
}

func TestWithoutACallInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	missing := os.Getenv(missingEnv)
	d := open(t)
	if load().Has(missing) {
		t.Fatalf("%s is there", missing)
	}
	f := &fixture{t: t, d: d, s: newStream(t, d)}
	f.k = bind[storeArgs](t, functions(t, d), "store")
	var err error
	f.plain, err = d.AllocPlain(1 << 16)
	check(t, err)
	for _, x := range features {
		err := x.run(f)
		switch gone := slices.Contains(x.needs, missing); {
		case gone && (!errors.Is(err, driver.ErrUnsupported) || !strings.Contains(err.Error(), missing) && !strings.Contains(err.Error(), "needs ")):
			t.Errorf("without %s, %s: %v; want an error that says what it needs", missing, x.name, err)
		case !gone && err != nil:
			t.Errorf("without %s, %s: %v", missing, x.name, err)
		}
	}
	check(t, f.s.Wait(t.Context()))
	slices.Reverse(f.keep)
	memorytest.CloseAll(t, append(f.keep, f.plain))
	check(t, d.Wait(t.Context()))
	stores(t, d, functions(t, d))
}
