package hip

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
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
	{"ImagesAreLoadedAsTheyAre", func(t *testing.T, d *Device) {
		m := functions(t, d)
		code, err := m.Binary()
		check(t, err)
		again, err := d.LoadImage(background, "copy", code)
		check(t, err)
		defer again.Close()
		stores(t, d, again)
		_, err = d.Load(background, driver.ModuleSource{Kind: driver.SourceBinary, Name: "copy", Code: code}, driver.BuildOptions{Flags: []string{"-O2"}})
		wantIs(t, "flags for what nothing compiles", err, driver.ErrUnsupported, "copy")
		_, err = d.Load(background, driver.ModuleSource{Kind: driver.SourcePTX, Name: "x.ptx", Code: []byte("x")}, driver.BuildOptions{})
		wantIs(t, "PTX", err, driver.ErrUnsupported, "x.ptx")
	}},
	{"BadImagesAreRefused", badImages},
	{"CompilersAreIdentified", func(t *testing.T, d *Device) {
		id := d.CompilerID()
		if !strings.Contains(id, d.facts.arch) || !strings.Contains(id, versionText(load().version)) || id != open(t).CompilerID() {
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
	compressed := append([]byte("CCOB"), make([]byte, 40)...)
	binary.LittleEndian.PutUint16(compressed[4:], 2)
	binary.LittleEndian.PutUint32(compressed[8:], 1000)
	for what, image := range map[string][]byte{
		"no image":                   []byte("this is no code object at all"),
		"half a code object":         code[:len(code)/2],
		"the beginning of one":       code[:20],
		"a bundle cut short":         append([]byte("__CLANG_OFFLOAD_BUNDLE__"), 9, 0, 0, 0, 0, 0, 0, 0),
		"a compressed bundle's head": compressed[:10],
		"a compressed bundle cut":    compressed,
	} {
		m, err := d.LoadImage(background, "bad.image", bytes.Clone(image))
		if err == nil {
			_ = m.Close()
		}
		wantIs(t, what, err, driver.ErrBuild, "bad.image")
	}
	_, err = d.LoadImage(background, "bad.image", nil)
	wantIs(t, "nothing", err, driver.ErrInvalidValue, "bad.image")
	stores(t, d, functions(t, d)) // and the process goes on
}
