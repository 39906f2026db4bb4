package kernelcache_test

import (
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

func binary(backend, arch, code string) kernelcache.Binary {
	return kernelcache.Binary{Backend: backend, Arch: arch, Code: []byte("binary of kernel f " + code)}
}

func TestBinariesByArchitecture(t *testing.T) {
	src := kernelcache.FromBinaries("f",
		binary("cuda", "sm_80", "80"), binary("cuda", "", "ptx"), binary("cuda", "sm_90", "90"),
		binary("hip", "gfx942", "any"), binary("hip", "gfx942:xnack-", "xnack-"),
		binary("opencl", "Fake", "named"), binary("opencl", "", "other"),
	)
	f := kernelcache.Declare[struct{}](src, "f")
	for _, c := range []struct{ backend, name, version, want string }{
		{"cuda", "Fake", "compute capability 8.0", "80"},
		{"cuda", "Fake", "compute capability 9.0", "90"},
		{"cuda", "Fake", "compute capability 10.0", "ptx"},
		{"hip", "Fake", "gfx942:xnack-", "xnack-"},
		{"hip", "Fake", "gfx942:xnack+", "any"},
		{"hip", "Fake", "gfx942", "any"},
		{"opencl", "Fake", "OpenCL 3.0", "named"},
		{"opencl", "Other", "OpenCL 3.0", "other"},
	} {
		dev := newDevice(c.backend)
		dev.info.Name, dev.info.Version = c.name, c.version
		k := mustOn(t, f, dev)
		if k.module.code != "kernel f "+c.want || dev.loads[0].Src.Kind != driver.SourceBinary || dev.loads[0].Src.Name != "f" {
			t.Errorf("%+v: got %q", c, k.module.code)
		}
		dev.Close()
	}
	dev := newDevice("hip")
	dev.info.Version = "gfx90a:xnack-"
	defer dev.Close()
	wantErr(t, f.Bind(ctx, dev), driver.ErrNotFound, "gfx90a", "hip gfx942", "cuda, any architecture")
}

func TestBinariesAreNotStoredAgain(t *testing.T) {
	dir := onDisk(t)
	dev := newDevice("opencl")
	defer dev.Close()
	mustOn(t, kernelcache.Declare[struct{}](kernelcache.FromBinaries("f", binary("opencl", "", "")), "f"), dev)
	if n := len(entries(t, dir)); n != 0 {
		t.Errorf("%d entries", n)
	}
}

func TestBadBinaries(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	for says, src := range map[string]*kernelcache.Source{
		"no binaries":       kernelcache.FromBinaries("f"),
		"empty":             kernelcache.FromBinaries("f", kernelcache.Binary{Backend: "opencl"}),
		`"vulkan"`:          kernelcache.FromBinaries("f", binary("vulkan", "", "")),
		"use FromText":      kernelcache.FromBinaries("f", kernelcache.Binary{Backend: "opencl", Kind: driver.SourceText, Code: []byte("x")}),
		"binary 1, for hip": kernelcache.FromBinaries("f", binary("opencl", "", ""), kernelcache.Binary{Backend: "hip", Arch: "gfx942"}),
	} {
		k := kernelcache.Declare[struct{}](src, "f")
		if k.Err() == nil || !strings.Contains(k.Err().Error(), says) {
			t.Errorf("Err is %v; want %q", k.Err(), says)
		}
		if k.Bind(ctx, dev) == nil {
			t.Errorf("%s: bound", says)
		}
	}
}

func TestConstants(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	spirv := kernelcache.FromBinaries("f", kernelcache.Binary{Backend: "opencl", Kind: driver.SourceSPIRV, Code: []byte("kernel f")})
	type small int8
	opts := []kernelcache.Option{
		kernelcache.Constant(1, true), kernelcache.Constant(2, small(-2)), kernelcache.Constant(3, uint16(3)),
		kernelcache.Constant(4, 4), kernelcache.Constant(5, int64(-5)), kernelcache.Constant(6, float32(1)),
		kernelcache.Constant(7, 1.0), kernelcache.Constant(8, uint32(1<<31)), kernelcache.Constant(9, uint(9)),
	}
	base := mustOn(t, kernelcache.Declare[struct{}](spirv, "f", opts...), dev)
	got := dev.loads[0].Opts.Constants
	for i, want := range []string{
		"\x01", "\xfe", "\x03\x00", "\x04\x00\x00\x00", "\xfb\xff\xff\xff\xff\xff\xff\xff", "\x00\x00\x80\x3f",
		"\x00\x00\x00\x00\x00\x00\xf0\x3f", "\x00\x00\x00\x80", "\x09\x00\x00\x00",
	} {
		if i >= len(got) || got[i].ID != uint32(i+1) || string(got[i].Value) != want { // on a little-endian machine
			t.Fatalf("constant %d: %v; want %x", i+1, got, want)
		}
	}
	// Part of the key: value, type and id each make another module.
	seen := map[*fakeModule]string{base.module: "all"}
	for name, o := range map[string]kernelcache.Option{
		"4 is 4": kernelcache.Constant(4, 4), "4 is 5": kernelcache.Constant(4, 5), "5 is 4": kernelcache.Constant(5, 4), "wider": kernelcache.Constant(4, int64(4)),
	} {
		m := mustOn(t, kernelcache.Declare[struct{}](spirv, "f", o), dev).module
		if was, ok := seen[m]; ok {
			t.Errorf("%s shares the module of %s", name, was)
		}
		seen[m] = name
	}
	twice := kernelcache.Declare[struct{}](spirv, "f", kernelcache.Constant(1, 1), kernelcache.Constant(1, 2))
	wantErr(t, twice.Err(), driver.ErrInvalidValue, "constant 1", "twice")
	wide := kernelcache.Declare[struct{}](spirv, "f", kernelcache.Constant(1, 1<<40))
	wantErr(t, wide.Err(), driver.ErrInvalidValue, "constant 1", "int64")
	wantErr(t, kernelcache.Declare[struct{}](text("kernel f"), "f", kernelcache.Constant(1, 1)).Bind(ctx, dev), driver.ErrInvalidValue, "SPIR-V", "Define")
	wantErr(t, kernelcache.Declare[struct{}](spirv, "f", kernelcache.Define("A", 1)).Bind(ctx, dev), driver.ErrInvalidValue, "Constant")
}
