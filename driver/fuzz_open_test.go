package driver_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// Whatever the selector, Open gives the device that it means, or an error that
// repeats it.
func FuzzSelector(f *testing.F) {
	for _, s := range []string{
		"", "auto", "opencl", "opencl:", "cuda:0", " CUDA : 1 ", "opencl:cpu", "opencl:accelerator", "opencl:İntel", "cuda:h200",
		"opencl:00", "opencl:+2", "opencl:-1", "cuda:99999999999999999999", "metal:0", ":", "::", "auto:1", "opencl:auto", "cuda:\x00", "\xff:\xff", "cuda:0:1",
	} {
		f.Add(s, "")
		f.Add("auto", s)
	}
	backends := []*fakeBackend{
		fakes("opencl", info(driver.ClassCPU, "pthread-EPYC", "AMD", "Portable Computing Language"), info(driver.ClassGPU, "Arc A770", "Intel", "Intel OpenCL Graphics"),
			info("dsp", "Hexagon", "Qualcomm", "")),
		fakes("cuda", info(driver.ClassGPU, "H200", "NVIDIA", ""), info(driver.ClassGPU, "A100", "NVIDIA", "")),
	}
	f.Fuzz(func(t *testing.T, selector, env string) {
		if strings.ContainsRune(env, 0) {
			return // no environment variable has one
		}
		use(t, backends[0], backends[1])
		t.Setenv("TRIAD_DEVICE", env)
		means := strings.TrimSpace(selector)
		if means == "" || means == "auto" {
			means = strings.TrimSpace(env)
		}
		d, err := driver.Open(selector)
		if err != nil {
			if !errors.Is(err, driver.ErrNoDevice) && !errors.Is(err, driver.ErrInvalidValue) || !strings.Contains(err.Error(), strconv.Quote(means)) {
				t.Errorf("Open(%q) with %q: %v", selector, env, err)
			}
			return
		}
		opened := d.(*fakeDevice).name
		if again, err := driver.Open(opened); err != nil || again.(*fakeDevice).name != opened {
			t.Errorf("Open(%q) opens %q, and that %v, %v", selector, opened, again, err)
		}
		if means == "" || means == "auto" {
			if opened != "opencl:1" {
				t.Errorf("the first GPU is opencl:1, and %q opened %q", selector, opened)
			}
			return
		}
		name, which, _ := strings.Cut(means, ":")
		name, which = strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(which))
		i := slices.IndexFunc(backends, func(b *fakeBackend) bool { return b.name == name })
		if i < 0 || !strings.HasPrefix(opened, name+":") {
			t.Fatalf("%q opens %q", means, opened)
		}
		index, err := strconv.Atoi(strings.TrimPrefix(opened, name+":"))
		if err != nil {
			t.Fatal(err)
		}
		have := backends[i].devices[index]
		said := strings.ToLower(strings.Join([]string{have.Name, have.Vendor, have.Platform, have.Version}, "\n"))
		n, err := strconv.Atoi(which)
		switch {
		case which == "" || which == string(have.Class) || which == string(driver.ClassOther) && have.Class == "dsp":
		case err == nil && n == index:
		case err == nil || !strings.Contains(said, which):
			t.Errorf("%q opens %q, %+v", means, opened, have)
		}
	})
}
