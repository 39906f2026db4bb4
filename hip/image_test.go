package hip

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/hip/codeobject"
	"github.com/triad-gpu/triad/hip/hiprtc"
)

// compiled is code for an architecture, whether or not there is a device of it.
func compiled(t *testing.T, arch, code string) []byte {
	t.Helper()
	needMetadata(t)
	r, err := hiprtc.Compile(t.Context(), hiprtc.Program{Name: "store.hip", Code: []byte(code)}, hiprtc.Options{Arch: arch})
	check(t, err)
	return r.Code
}

const storeCode = `extern "C" __global__ void store(unsigned *out, unsigned value) { out[0] = value; }`

// bundleOf is a bundle as Clang makes them: names and codes in turn.
func bundleOf(parts ...[]byte) []byte {
	out := binary.LittleEndian.AppendUint64([]byte("__CLANG_OFFLOAD_BUNDLE__"), uint64(len(parts)/2))
	at := len(out)
	for i := 0; i < len(parts); i += 2 {
		at += 3*8 + len(parts[i])
	}
	for i := 0; i < len(parts); i += 2 {
		at = (at + 4095) &^ 4095
		for _, n := range []int{at, len(parts[i+1]), len(parts[i])} {
			out = binary.LittleEndian.AppendUint64(out, uint64(n))
		}
		out = append(out, parts[i]...)
		at += len(parts[i+1])
	}
	for i := 1; i < len(parts); i += 2 {
		out = append(out, make([]byte, -len(out)&4095)...)
		out = append(out, parts[i]...)
	}
	return out
}

func bundled(arch string) []byte { return []byte("hipv4-amdgcn-amd-amdhsa--" + arch) }

// otherArch is an architecture that a device is not of.
func otherArch(d *Device) string {
	if strings.HasPrefix(d.arch(), "gfx90a") {
		return "gfx1030"
	}
	return "gfx90a"
}

var imageTests = []onDevice{
	{"CodeForTheDeviceIsTakenOutOfABundle", func(t *testing.T, d *Device) {
		arch, other := d.arch(), otherArch(d)
		theirs, ours := compiled(t, other, storeCode), compiled(t, arch, storeCode)
		host := []byte("host-x86_64-unknown-linux-gnu-")
		m, err := d.LoadImage(t.Context(), "both", bundleOf(host, nil, bundled(other), theirs, bundled(arch), ours))
		check(t, err)
		defer m.Close()
		stores(t, d, m)
		if k := bind[storeArgs](t, m, "store"); !k.Verified() {
			t.Errorf("the kernel is not verified: %s", k.Unverified())
		}
		_, err = d.LoadImage(t.Context(), "theirs", bundleOf(host, nil, bundled(other), theirs))
		wantIs(t, "a bundle for others", err, driver.ErrBuild, "theirs", arch, "it has code for "+other)
	}},
	{"CodeForOthersIsRefused", func(t *testing.T, d *Device) {
		others := []string{otherArch(d)}
		if isFake() && strings.Contains(d.arch(), "xnack-") { // others don't tell of every feature
			others = append(others, strings.Replace(d.arch(), "xnack-", "xnack+", 1))
		}
		for _, other := range others {
			_, err := d.LoadImage(t.Context(), "theirs", compiled(t, other, storeCode))
			wantIs(t, other, err, driver.ErrBuild, "theirs", d.arch(), "it has code for "+other)
		}
	}},
	{"CodeIsWhatWasAskedFor", func(t *testing.T, d *Device) {
		for _, arch := range []string{d.arch(), strings.SplitN(d.arch(), ":", 2)[0]} {
			code := compiled(t, arch, storeCode)
			o, err := codeobject.Parse(code, arch)
			check(t, err)
			if o.Target != arch || len(o.Kernels) != 1 || o.Kernels[0].Name != "store" {
				t.Errorf("for %s: the code is for %s, with %+v", arch, o.Target, o.Kernels)
			}
			m, err := d.LoadImage(t.Context(), arch, code)
			check(t, err)
			stores(t, d, m)
			check(t, m.Close())
		}
	}},
}

// damageTests load an image many times.
var damageTests = []onDevice{
	{"DamagedImagesAreSurvived", func(t *testing.T, d *Device) {
		if !isFake() {
			drivertest.Lacks(t, "hip-damage", "AMD's runtime may end the process")
		}
		whole, err := functions(t, d).Binary()
		check(t, err)
		// The headers, the file's own and the native image's, the tables at the end, and
		// some of what is between.
		native := bytes.LastIndex(whole, []byte("\x7fELF"))
		if native <= 0 {
			t.Fatal("no native image is in the code object")
		}
		var places []int
		for at := range whole {
			if at < 512 || at >= native && at < native+512 || at >= len(whole)-300 || at%509 == 0 {
				places = append(places, at)
			}
		}
		for _, bundle := range []bool{false, true} {
			for i, at := range places {
				if bundle && testing.Short() && i%10 != 0 {
					continue // out of the bundle, it is the image of before
				}
				image := slices.Clone(whole)
				image[at] ^= 0x81
				if bundle {
					image = bundleOf(bundled(d.arch()), image)
				}
				m, err := d.LoadImage(t.Context(), "damaged", image)
				if err != nil {
					wantIs(t, "damaged", err, driver.ErrBuild, "damaged")
					continue
				}
				_, _ = m.KernelNames()
				check(t, m.Close())
			}
		}
		runtime.GC()
		stores(t, d, functions(t, d))
	}},
}
