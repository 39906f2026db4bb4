package cuda

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/cuda/nvrtc"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

var moduleTests = []onDevice{
	{"GlobalsAreReadAndWritten", func(t *testing.T, d *Device) {
		s, m := newStream(t, d), functions(t, d)
		table, err := m.Global("table")
		check(t, err)
		defer table.Close()
		if table.Size() != 16 {
			t.Errorf("the table has %d bytes, want 16", table.Size())
		}
		part, err := table.Slice(4, 8)
		check(t, err)
		b, err := driver.BufferOf[uint32](part)
		check(t, err)
		if got := values(t, s, b); got[0] != 2 || got[1] != 3 {
			t.Errorf("the middle of the table is %v, want 2 and 3", got)
		}
		check(t, b.CopyFrom(background, s, []uint32{20, 30}))
		out := words(t, s, 1)
		k := bind[outArgs](t, m, "sum")
		check(t, k.Launch(s, one, driver.ArgsOf(&outArgs{out.Ptr()})))
		if got := values(t, s, out)[0]; got != 7+1+20+30+4 {
			t.Errorf("the kernel sums up %d, want 62", got)
		}
		check(t, part.Close())
	}},
	{"GlobalsKeepTheirModule", func(t *testing.T, d *Device) {
		s, m := newStream(t, d), functions(t, d)
		total, err := m.Global("total")
		check(t, err)
		check(t, m.Close())
		b, err := driver.BufferOf[uint32](total)
		check(t, err)
		if got := values(t, s, b)[0]; got != 7 {
			t.Errorf("the variable has %d, want 7", got)
		}
		check(t, total.Close())
		_, err = m.Global("total")
		wantIs(t, "a closed module's", err, driver.ErrClosed)
		var none *Module
		_, err = none.Global("total")
		wantIs(t, "a nil module's", err, driver.ErrInvalidValue)
	}},
	{"UnknownGlobalsAreNamed", func(t *testing.T, d *Device) {
		m := functions(t, d)
		for _, name := range []string{"", "none", "total\x00"} {
			_, err := m.Global(name)
			wantIs(t, "variable "+name, err, driver.ErrNotFound, "functions.cu")
		}
	}},
	{"ImagesAreLoadedByWhatTheyAre", func(t *testing.T, d *Device) {
		m := functions(t, d)
		code, err := m.Binary()
		check(t, err)
		again, err := d.LoadImage(background, "copy", code, ImageOptions{MaxRegisters: 32, LineInfo: true, Level: Opt3, LoadCache: LoadCacheCG})
		check(t, err)
		defer again.Close()
		stores(t, d, again)
		flagged, err := d.LoadModule(background, driver.ModuleSource{Kind: driver.SourceBinary, Name: "copy", Code: code},
			driver.BuildOptions{Flags: []string{"-maxrregcount=32", "--opt-level=3", "-O2", "-lineinfo", "-dlcm=ca"}})
		check(t, err)
		defer flagged.Close()
		stores(t, d, flagged)
	}},
	{"PTXIsCompiledWithOptions", func(t *testing.T, d *Device) {
		major, minor := d.ComputeCapability()
		arch, _, err := nvrtc.Target(major, minor, load().version)
		if err != nil {
			drivertest.Unavailable(t, "nvrtc", err)
		}
		r, err := nvrtc.Compile(background, nvrtc.Program{Name: "functions.cu", Code: functionsSource},
			nvrtc.Options{Arch: strings.Replace(arch, "sm_", "compute_", 1)})
		check(t, err)
		if isFake() {
			drivertest.Lacks(t, "ptx", "the fake compiler makes no PTX")
		}
		ctx, cancel := context.WithCancel(background)
		defer cancel()
		// The driver keeps what it has compiled, and then tells nothing of it.
		ptx := fmt.Appendf(r.PTX, "\n// %d\n", time.Now().UnixNano())
		m, err := d.LoadImage(ctx, "functions.ptx", ptx, ImageOptions{MaxRegisters: 40, Verbose: true, LineInfo: true, Target: d.arch()})
		check(t, err)
		defer m.Close()
		stores(t, d, m)
		if log := m.BuildLog(); !strings.Contains(log, "registers") {
			t.Errorf("the log tells no registers: %q", log)
		}
		cancel()
		_, err = d.LoadImage(ctx, "functions.ptx", r.PTX, ImageOptions{})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("with a context that has ended: error %v", err)
		}
	}},
	{"WrongOptionsAreNamed", func(t *testing.T, d *Device) {
		for _, x := range []struct {
			o    ImageOptions
			want string
		}{
			{ImageOptions{Target: "90"}, `"90"`}, {ImageOptions{Target: "sm_"}, `"sm_"`}, {ImageOptions{Target: "sm_90x"}, `"sm_90x"`},
			{ImageOptions{Level: 9}, "9"}, {ImageOptions{LoadCache: 9}, "9"}, {ImageOptions{Prefer: 9}, "9"},
		} {
			_, err := d.LoadImage(background, "x", []byte("x"), x.o)
			wantIs(t, x.want, err, driver.ErrInvalidValue, x.want)
		}
		for flag, want := range map[string]string{
			"--fast": "--maxrregcount=N", "-maxrregcount": "--maxrregcount=N", "-maxrregcount=many": "--maxrregcount=N", "-maxrregcount=0": "--maxrregcount=N",
			"-O7": "0…4", "-g=1": "--device-debug", "-dlcm=cv": "ca|cg", "-arch=90": "sm_NN", "": "--verbose",
		} {
			_, err := d.Load(background, driver.ModuleSource{Kind: driver.SourcePTX, Name: "x.ptx", Code: []byte("x")}, driver.BuildOptions{Flags: []string{flag}})
			wantIs(t, "flag "+flag, err, driver.ErrInvalidValue, "x.ptx", `"`+flag+`"`, want)
		}
	}},
	{"BadImagesAreRefused", badImages},
	{"DisassemblyIsTheToolkits", disassembly},
	{"CompilersAreIdentified", func(t *testing.T, d *Device) {
		id := d.CompilerID()
		if !strings.Contains(id, d.arch()) || !strings.Contains(id, versionText(load().version)) || id != open(t).CompilerID() {
			t.Errorf("the compilers are %q", id)
		}
	}},
}

// stores launches the module's kernel store.
func stores(t *testing.T, d *Device, m *Module) {
	t.Helper()
	s := newStream(t, d)
	out := words(t, s, 1)
	check(t, bind[storeArgs](t, m, "store").Launch(s, one, driver.ArgsOf(&storeArgs{out.Ptr(), 11})))
	if got := values(t, s, out)[0]; got != 11 {
		t.Errorf("the kernel stores %d, want 11", got)
	}
}

func badImages(t *testing.T, d *Device) {
	code, err := functions(t, d).Binary()
	check(t, err)
	load := func(image []byte) error {
		m, err := d.LoadImage(background, "bad.image", image, ImageOptions{})
		if err == nil {
			_ = m.Close()
		}
		return err
	}
	changed := func(at int, b byte) []byte {
		c := bytes.Clone(code)
		c[at] = b
		return c
	}
	for what, image := range map[string][]byte{
		"no image":                []byte("this is neither PTX nor machine code"),
		"half a cubin":            code[:len(code)/2],
		"the beginning of one":    code[:20],
		"another class of ELF":    changed(4, 1),
		"another processor's ELF": changed(18, 0xf3),
		"PTX of a newer CUDA":     []byte(".version 99.0\n.target sm_90\n.address_size 64\n"),
		"PTX for a newer device":  []byte(".version 8.0\n.target sm_999\n.address_size 64\n"),
		"PTX that is wrong":       []byte(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f() { nonsense; }\n"),
		"PTX with a NUL":          []byte(".version 8.0\n\x00.target sm_80\n"),
		"half a fatbin's header":  fatbinMagic,
		"a fatbin cut short":      append(bytes.Clone(fatbinMagic), 1, 0, 16, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0),
	} {
		err := load(image)
		wantIs(t, what, err, driver.ErrBuild, "bad.image")
	}
	wantIs(t, "nothing", load(nil), driver.ErrInvalidValue, "bad.image")
	major, _ := d.ComputeCapability()
	other := "sm_80"
	if major == 8 {
		other = "sm_90"
	}
	r, err := nvrtc.Compile(background, nvrtc.Program{Name: "functions.cu", Code: functionsSource}, nvrtc.Options{Arch: other})
	check(t, err)
	wantIs(t, "another architecture's", load(r.CUBIN), driver.ErrBuild, d.arch(), d.info.Name)
	stores(t, d, functions(t, d)) // and the process goes on
}

func disassembly(t *testing.T, d *Device) {
	m := functions(t, d)
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("CUDA_HOME", "")
	t.Setenv("CUDA_PATH", "")
	var _ driver.Disassembler = m
	text, err := m.Disassembly()
	if findTool("nvdisasm") == "" {
		wantIs(t, "without the tool", err, driver.ErrUnsupported, "nvdisasm", "PATH")
	} else if !strings.Contains(text, "store") || err != nil {
		t.Errorf("the installed tool's text lacks the kernel, error %v", err)
	}
	script := func(text string) {
		t.Helper()
		check(t, os.WriteFile(filepath.Join(dir, "nvdisasm"), []byte("#!/bin/sh\n"+text), 0o755))
	}
	script("echo \"code of $2 with $1\"; test -s \"$2\"\n")
	if text, err := m.Disassembly(); !strings.Contains(text, "code.cubin with -c") || err != nil {
		t.Errorf("the tool's text is %q, error %v", text, err)
	}
	script("echo broken >&2; exit 3\n")
	_, err = m.Disassembly()
	wantIs(t, "a tool that fails", err, driver.ErrUnsupported, "exit status 3", "broken")
	check(t, m.Close())
	_, err = m.Disassembly()
	wantIs(t, "a closed module", err, driver.ErrClosed)
}
