package kernelcache_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
	"github.com/triad-gpu/triad/kernelcache/diskcache"
)

// onDisk turns the disk cache on, in a folder of the test's own.
func onDisk(t testing.TB) (dir string) {
	dir = filepath.Join(t.TempDir(), "cache")
	t.Setenv(diskcache.EnvSwitch, "")
	t.Setenv(diskcache.EnvDir, dir)
	return dir
}

// restart stands for another process: a device and a declaration of their own.
// It returns the kernel and what the hook was told.
func restart(t testing.TB, code string, change func(*fakeDevice), opts ...kernelcache.Option) (*fakeKernel, kernelcache.Resolution) {
	t.Helper()
	dev := newDevice("opencl")
	t.Cleanup(func() { dev.Close() })
	if change != nil {
		change(dev)
	}
	var res kernelcache.Resolution
	h := &kernelcache.Hook{Resolved: func(r *kernelcache.Resolution) { res = *r }}
	k, err := kernelcache.Declare[struct{}](text(code), "f", opts...).On(kernelcache.WithHook(ctx, h), dev)
	if err != nil {
		t.Fatal(err)
	}
	return k.(*fakeKernel), res
}

func wantOrigin(t testing.TB, what string, res kernelcache.Resolution, want kernelcache.Origin) {
	t.Helper()
	if res.Origin != want {
		t.Errorf("%s: from %s (%s); want %s", what, res.Origin, res.DiskNote, want)
	}
}

func entries(t testing.TB, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*.kernel"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestBinariesSurviveARestart(t *testing.T) {
	dir := onDisk(t)
	_, res := restart(t, "kernel f", nil, kernelcache.Define("N", 1))
	wantOrigin(t, "the first time", res, kernelcache.FromCompiler)
	if res.DiskNote != "" || res.Times.Store <= 0 || res.Times.Disk <= 0 || len(entries(t, dir)) != 1 {
		t.Errorf("%+v, %d entries", res, len(entries(t, dir)))
	}
	k, res := restart(t, "kernel f", nil, kernelcache.Define("N", 1))
	wantOrigin(t, "the second time", res, kernelcache.FromDisk)
	if k.module.code != "kernel f" || !k.Verified() || k.module.desc != "facts of kernel f" || res.Log != "log of kernel f" {
		t.Errorf("code %q, description %q, log %q", k.module.code, k.module.desc, res.Log)
	}
	load := k.module.dev.loads[0]
	if len(k.module.dev.loads) != 1 || load.Src.Kind != driver.SourceBinary || len(load.Opts.Defines) != 0 {
		t.Errorf("loads %+v", k.module.dev.loads)
	}
	if res.Times.Disk <= 0 || res.Times.Compile != 0 {
		t.Errorf("times %+v", res.Times)
	}
}

// What the binary depends on is part of its key.
func TestDiskKeyIsComplete(t *testing.T) {
	onDisk(t)
	restart(t, "kernel f", nil, kernelcache.Define("N", 1))
	_, res := restart(t, "kernel f", nil, kernelcache.Define("N", 1))
	wantOrigin(t, "nothing differs", res, kernelcache.FromDisk)
	for what, change := range map[string]func(*fakeDevice){
		"device":   func(d *fakeDevice) { d.info.Name = "Other" },
		"vendor":   func(d *fakeDevice) { d.info.Vendor = "Other" },
		"driver":   func(d *fakeDevice) { d.info.Driver = "2" },
		"version":  func(d *fakeDevice) { d.info.Version = "2" },
		"platform": func(d *fakeDevice) { d.info.Platform = "Other" },
		"compiler": func(d *fakeDevice) { d.compiler = "2" },
	} {
		_, res := restart(t, "kernel f", change, kernelcache.Define("N", 1))
		wantOrigin(t, "another "+what, res, kernelcache.FromCompiler)
	}
	_, res = restart(t, "kernel f ", nil, kernelcache.Define("N", 1))
	wantOrigin(t, "another text", res, kernelcache.FromCompiler)
	_, res = restart(t, "kernel f", nil, kernelcache.Define("N", 2))
	wantOrigin(t, "another macro", res, kernelcache.FromCompiler)
	_, res = restart(t, "kernel f", nil, kernelcache.Define("N", 1), kernelcache.Flags("-w"))
	wantOrigin(t, "another flag", res, kernelcache.FromCompiler)
}

func TestTextsThatDependOnOthersStayOffDisk(t *testing.T) {
	dir := onDisk(t)
	for _, code := range []string{
		"kernel f\n#include \"other.h\"", "kernel f\n# inc\\\nlude <x>", "kernel f\n# inc??/\nlude <x>", "kernel f\n#include_next <x>",
		"kernel f\n%:include <x>", "kernel f __TIME__", "kernel f\n#import \"x\"", "kernel f\n#embed <x>",
	} {
		for range 2 {
			_, res := restart(t, code, nil)
			wantOrigin(t, code, res, kernelcache.FromCompiler)
			if res.DiskNote == "" {
				t.Errorf("%q: no note", code)
			}
		}
	}
	for _, flag := range []string{"-include=x.h", "-imacros=x", "@options", "--pre-include=x"} {
		_, res := restart(t, "kernel f", nil, kernelcache.Flags(flag))
		wantOrigin(t, flag, res, kernelcache.FromCompiler)
	}
	if n := len(entries(t, dir)); n != 0 {
		t.Errorf("%d entries", n)
	}
}

func TestCacheOff(t *testing.T) {
	dir := onDisk(t)
	t.Setenv(diskcache.EnvSwitch, "off")
	for range 2 {
		_, res := restart(t, "kernel f", nil)
		wantOrigin(t, "off", res, kernelcache.FromCompiler)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder was made: %v", err)
	}
}

// Whatever is wrong with the disk, the kernel is right and nobody hears of it
// but hooks.
func TestTroubleWithTheDiskCostsACompileAtMost(t *testing.T) {
	for what, spoil := range map[string]func(t *testing.T, dir, entry string){
		"a flipped bit": func(t *testing.T, _, entry string) {
			b, _ := os.ReadFile(entry)
			b[len(b)/2] ^= 1
			write(t, entry, b)
		},
		"cut off":            func(t *testing.T, _, entry string) { b, _ := os.ReadFile(entry); write(t, entry, b[:len(b)-9]) },
		"emptied":            func(t *testing.T, _, entry string) { write(t, entry, nil) },
		"a folder in place":  func(t *testing.T, _, entry string) { os.Remove(entry); os.Mkdir(entry, 0o700) },
		"writable by others": func(t *testing.T, _, entry string) { os.Chmod(entry, 0o666) },
		"open folder":        func(t *testing.T, dir, _ string) { os.Chmod(dir, 0o777) },
		"read-only, emptied": func(t *testing.T, dir, entry string) { write(t, entry, nil); os.Chmod(dir, 0o500) },
		"folder gone":        func(t *testing.T, dir, _ string) { os.RemoveAll(dir) },
		"a file as folder":   func(t *testing.T, dir, _ string) { os.RemoveAll(dir); write(t, dir, []byte("x")) },
		"another's entry": func(t *testing.T, dir, entry string) {
			restart(t, "kernel f other", nil)
			for _, e := range entries(t, dir) {
				if e != entry {
					os.Rename(e, entry)
				}
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			dir := onDisk(t)
			restart(t, "kernel f", nil)
			spoil(t, dir, entries(t, dir)[0])
			k, res := restart(t, "kernel f", nil)
			wantOrigin(t, what, res, kernelcache.FromCompiler)
			if k.module.code != "kernel f" {
				t.Errorf("the kernel of %q", k.module.code)
			}
		})
	}
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestUnusableLimitIsANote(t *testing.T) {
	onDisk(t)
	t.Setenv(diskcache.EnvLimit, "lots")
	_, res := restart(t, "kernel f", nil)
	if res.Origin != kernelcache.FromCompiler || res.DiskNote == "" {
		t.Errorf("%+v", res)
	}
}

// A binary that the driver refuses is removed, and the text compiled and stored.
func TestRefusedBinaryIsCompiledAnew(t *testing.T) {
	dir := onDisk(t)
	restart(t, "kernel f", nil)
	other := func(d *fakeDevice) { d.dialect = "another kind of " }
	k, res := restart(t, "kernel f", other)
	wantOrigin(t, "refused", res, kernelcache.FromCompiler)
	if k.module.code != "kernel f" || len(entries(t, dir)) != 1 {
		t.Errorf("%q, %d entries", k.module.code, len(entries(t, dir)))
	}
	_, res = restart(t, "kernel f", other)
	wantOrigin(t, "after that", res, kernelcache.FromDisk)
}

// What a later kernel adds to the module's description reaches the disk.
func TestDescriptionGrowsOnDisk(t *testing.T) {
	onDisk(t)
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f kernel g")
	h := mustOn(t, kernelcache.Declare[struct{}](src, "f"), dev)
	h.module.desc = "more facts"
	mustOn(t, kernelcache.Declare[struct{}](src, "g"), dev)
	k, res := restart(t, "kernel f kernel g", nil)
	wantOrigin(t, "a restart", res, kernelcache.FromDisk)
	if k.module.desc != "more facts" {
		t.Errorf("description %q", k.module.desc)
	}
}

func TestRedefineUsesTheDisk(t *testing.T) {
	onDisk(t)
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	mustOn(t, f, dev)
	redefine(t, src, "kernel f // 2")
	var origins []kernelcache.Origin
	h := &kernelcache.Hook{Resolved: func(r *kernelcache.Resolution) { origins = append(origins, r.Origin) }}
	for _, v := range []string{"1", "2"} {
		if err := src.Redefine(kernelcache.WithHook(ctx, h), kernelcache.Text{OpenCL: "kernel f // " + v}); err != nil {
			t.Fatal(err)
		}
		if k := mustOn(t, f, dev); k.module.code != "kernel f // "+v {
			t.Errorf("%q after redefining to %s", k.module.code, v)
		}
	}
	if len(origins) != 2 || origins[0] != kernelcache.FromDisk || origins[1] != kernelcache.FromDisk {
		t.Errorf("origins %v", origins)
	}
}

// A binary of the driver's that is not to be had is no error.
func TestModulesWithoutBinaries(t *testing.T) {
	dir := onDisk(t)
	_, res := restart(t, "kernel f", func(d *fakeDevice) { d.noBinaries = true })
	wantOrigin(t, "no binary", res, kernelcache.FromCompiler)
	if res.DiskNote == "" || len(entries(t, dir)) != 0 {
		t.Errorf("note %q, %d entries", res.DiskNote, len(entries(t, dir)))
	}
}

// A device closed during the load from disk is closed, not a damaged entry.
func TestDeviceClosedDuringLoadFromDiskKeepsTheEntry(t *testing.T) {
	dir := onDisk(t)
	restart(t, "kernel f", nil)
	dev := blocking("opencl")
	dev.heedContext = true
	done := make(chan error)
	go func() { done <- kernelcache.Declare[struct{}](text("kernel f"), "f").Bind(context.Background(), dev) }()
	<-dev.loading
	dev.Close()
	wantErr(t, <-done, driver.ErrClosed)
	<-dev.ended
	if len(entries(t, dir)) != 1 {
		t.Error("the entry was removed")
	}
}
