package kernelcache_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

func TestDefinesAreLiteralsOfTheirType(t *testing.T) {
	type celsius float32
	for _, c := range []struct {
		opt  kernelcache.Option
		want string
	}{
		{kernelcache.Define("V", 5), "5"},
		{kernelcache.Define("V", -5), "(-5)"},
		{kernelcache.Define("V", 0), "0"},
		{kernelcache.Define("V", 1<<31), "2147483648l"},
		{kernelcache.Define("V", math.MinInt32), "(-2147483647-1)"},
		{kernelcache.Define("V", int8(-128)), "(-128)"},
		{kernelcache.Define("V", uint8(255)), "255"},
		{kernelcache.Define("V", uint16(65535)), "65535"},
		{kernelcache.Define("V", uint32(5)), "5u"},
		{kernelcache.Define("V", uint(5)), "5u"},
		{kernelcache.Define("V", uint(1<<32)), "4294967296ul"},
		{kernelcache.Define("V", int64(5)), "5l"},
		{kernelcache.Define("V", int64(math.MinInt32)), "(-2147483648l)"},
		{kernelcache.Define("V", int64(math.MinInt64)), "(-9223372036854775807l-1)"},
		{kernelcache.Define("V", uint64(math.MaxUint64)), "18446744073709551615ul"},
		{kernelcache.Define("V", float32(0.5)), "0.5f"},
		{kernelcache.Define("V", float32(2)), "2.0f"},
		{kernelcache.Define("V", float32(0.1)), "0.1f"},
		{kernelcache.Define("V", float32(1e20)), "1e+20f"},
		{kernelcache.Define("V", celsius(-1.5)), "(-1.5f)"},
		{kernelcache.Define("V", float32(math.Copysign(0, -1))), "(-0.0f)"},
		{kernelcache.Define("V", 0.1), "0.1"},
		{kernelcache.Define("V", -3.0), "(-3.0)"},
		{kernelcache.Define("V", true), "1"},
		{kernelcache.Define("V", false), "0"},
		{kernelcache.DefineName("V", "float4"), "float4"},
		{kernelcache.DefineName("V", "unsigned int"), "unsigned int"},
	} {
		dev := newDevice("opencl")
		mustOn(t, kernelcache.Declare[struct{}](text("kernel f"), "f", c.opt), dev)
		want := driver.BuildOptions{Defines: []driver.Define{{Name: "V", Value: c.want}}}
		if diff := cmp.Diff(want, dev.loads[0].Opts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.want, diff)
		}
		dev.Close()
	}
}

func TestOptionsReachTheBackendInOrder(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	mustOn(t, kernelcache.Declare[struct{}](text("kernel f"), "f",
		kernelcache.Flags("-w", "-I", "a dir"), kernelcache.Define("B", 1), kernelcache.Define("A", 2), kernelcache.Flags("-Werror")), dev)
	want := driver.BuildOptions{
		Flags:   []string{"-w", "-I", "a dir", "-Werror"},
		Defines: []driver.Define{{Name: "B", Value: "1"}, {Name: "A", Value: "2"}},
	}
	if diff := cmp.Diff(want, dev.loads[0].Opts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOptionsThatCouldInjectAreRefused(t *testing.T) {
	for name, opt := range map[string]kernelcache.Option{
		"define: empty name":        kernelcache.Define("", 1),
		"define: digit first":       kernelcache.Define("1N", 1),
		"define: assignment":        kernelcache.Define("N=1 -DM", 1),
		"define: macro with args":   kernelcache.Define("N(x)", 1),
		"define: newline":           kernelcache.Define("N\n", 1),
		"define: letter not ASCII":  kernelcache.Define("Ñ", 1),
		"define: infinity":          kernelcache.Define("N", math.Inf(1)),
		"define: NaN":               kernelcache.Define("N", float32(math.NaN())),
		"name: empty":               kernelcache.DefineName("N", ""),
		"name: code":                kernelcache.DefineName("N", "x; y"),
		"name: option":              kernelcache.DefineName("N", "x -cl-opt"),
		"name: newline":             kernelcache.DefineName("N", "x\ny"),
		"name: quote":               kernelcache.DefineName("N", `x"`),
		"name: two spaces":          kernelcache.DefineName("N", "x  y"),
		"name: bad macro":           kernelcache.DefineName("N N", "x"),
		"flag: empty":               kernelcache.Flags("-w", ""),
		"flag: newline":             kernelcache.Flags("-w\n-x"),
		"flag: NUL":                 kernelcache.Flags("-w\x00"),
		"flag: a define behind -D":  kernelcache.Flags("-DN=1"),
		"flag: a define after a -D": kernelcache.Flags("-D", "N=1"),
	} {
		wantErr(t, kernelcache.Declare[struct{}](text("kernel f"), "f", opt).Err(), driver.ErrInvalidValue)
		if t.Failed() {
			t.Fatal(name)
		}
	}
	twice := kernelcache.Declare[struct{}](text("kernel f"), "f", kernelcache.Define("N", 1), kernelcache.DefineName("N", "x"))
	wantErr(t, twice.Err(), driver.ErrInvalidValue, "macro N is defined twice", "as 1 and as x")
}
