package driver_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// fakeBackend has devices that cannot do anything but say which they are.
type fakeBackend struct {
	name    string
	devices []*driver.DeviceInfo
	err     error // from Devices
	openErr error
}

func (b *fakeBackend) Name() string                           { return b.name }
func (b *fakeBackend) Probe() driver.Report                   { return driver.Report{Backend: b.name} }
func (b *fakeBackend) Devices() ([]*driver.DeviceInfo, error) { return b.devices, b.err }
func (b *fakeBackend) Open(i int) (driver.Device, error) {
	if b.openErr != nil {
		return nil, b.openErr
	}
	return &fakeDevice{name: fmt.Sprintf("%s:%d", b.name, i)}, nil
}

func fakes(name string, devices ...*driver.DeviceInfo) *fakeBackend {
	for i, d := range devices {
		d.Backend, d.Index = name, i
	}
	return &fakeBackend{name: name, devices: devices}
}

func info(class driver.DeviceClass, name, vendor, platform string) *driver.DeviceInfo {
	return &driver.DeviceInfo{Class: class, Name: name, Vendor: vendor, Platform: platform, Version: "1.0", Memory: 4 << 30}
}

func use(t *testing.T, backends ...driver.Backend) {
	t.Setenv("TRIAD_DEVICE", "")
	t.Cleanup(driver.ReplaceBackends(backends...))
}

func opened(t *testing.T, selector string) string {
	t.Helper()
	d, err := driver.Open(selector)
	if err != nil {
		t.Errorf("Open(%q): %v", selector, err)
		return ""
	}
	return d.(*fakeDevice).name
}

func TestOpenSelectors(t *testing.T) {
	use(t,
		fakes("opencl",
			info(driver.ClassCPU, "pthread-EPYC", "AMD", "Portable Computing Language"),
			info(driver.ClassGPU, "Arc A770", "Intel", "Intel OpenCL Graphics"),
			info(driver.ClassGPU, "H200", "NVIDIA Corporation", "NVIDIA CUDA")),
		fakes("cuda",
			info(driver.ClassGPU, "H200", "NVIDIA", ""),
			info(driver.ClassGPU, "A100", "NVIDIA", "")))
	for selector, want := range map[string]string{
		"":                      "opencl:1",
		"auto":                  "opencl:1",
		" auto ":                "opencl:1",
		"opencl":                "opencl:1",
		"opencl:":               "opencl:1",
		"cuda":                  "cuda:0",
		"CUDA:1":                "cuda:1",
		" cuda : 1 ":            "cuda:1",
		"opencl:0":              "opencl:0",
		"opencl:2":              "opencl:2",
		"opencl:cpu":            "opencl:0",
		"opencl:GPU":            "opencl:1",
		"opencl:nvidia":         "opencl:2",
		"opencl:portable":       "opencl:0",
		"opencl:arc a770":       "opencl:1",
		"cuda:a100":             "cuda:1",
		"opencl:Intel OpenCL G": "opencl:1",
	} {
		if got := opened(t, selector); got != want {
			t.Errorf("Open(%q) opens %s; want %s", selector, got, want)
		}
	}
	for _, selector := range []string{"opencl:3", "opencl:-1", "opencl:accelerator", "opencl:radeon", "opencl:other"} {
		_, err := driver.Open(selector)
		wantErr(t, err, driver.ErrNoDevice, fmt.Sprintf("%q", selector),
			"opencl:0  pthread-EPYC (cpu, 1.0, 4.0 GiB)", "opencl:1  Arc A770", "opencl:2  H200")
	}
	for _, selector := range []string{"metal", "metal:0", "0", ":0", "gpu"} {
		_, err := driver.Open(selector)
		wantErr(t, err, driver.ErrInvalidValue, fmt.Sprintf("%q", selector), "opencl, cuda")
	}
}

func TestOpenFollowsTheEnvironment(t *testing.T) {
	use(t, fakes("opencl", info(driver.ClassGPU, "a", "", ""), info(driver.ClassCPU, "b", "", "")))
	for env, want := range map[string]string{"": "opencl:0", "auto": "opencl:0", "opencl:cpu": "opencl:1", " opencl:1 ": "opencl:1"} {
		t.Setenv("TRIAD_DEVICE", env)
		for _, selector := range []string{"auto", ""} {
			if got := opened(t, selector); got != want {
				t.Errorf("TRIAD_DEVICE=%q: %q opens %s; want %s", env, selector, got, want)
			}
		}
	}
	t.Setenv("TRIAD_DEVICE", "opencl:1")
	if got := opened(t, "opencl:0"); got != "opencl:0" {
		t.Errorf("the environment overrules a selector: %s", got)
	}
	t.Setenv("TRIAD_DEVICE", "opencl:9")
	_, err := driver.Open("auto")
	wantErr(t, err, driver.ErrNoDevice, `"opencl:9" (from TRIAD_DEVICE)`, "opencl:0")
	t.Setenv("TRIAD_DEVICE", "metal")
	_, err = driver.Open("auto")
	wantErr(t, err, driver.ErrInvalidValue, "from TRIAD_DEVICE")
}

func TestAutoPrefersByClassAcrossBackends(t *testing.T) {
	cpu := fakes("opencl", info(driver.ClassOther, "o", "", ""), info(driver.ClassCPU, "c", "", ""))
	acc := fakes("hip", info(driver.ClassAccelerator, "a", "", ""))
	gpu := fakes("cuda", info(driver.ClassGPU, "g", "", ""))
	odd := fakes("odd", info("toaster", "t", "", ""))
	broken := &fakeBackend{name: "broken", err: driver.Errorf("broken", "dlopen", driver.ErrLibraryNotFound, "libbroken.so")}
	for _, c := range []struct {
		backends []driver.Backend
		want     string
	}{
		{[]driver.Backend{broken, cpu, acc, gpu}, "cuda:0"},
		{[]driver.Backend{cpu, acc}, "hip:0"},
		{[]driver.Backend{odd, cpu}, "opencl:1"},
		{[]driver.Backend{odd}, "odd:0"},
	} {
		use(t, c.backends...)
		if got := opened(t, "auto"); got != c.want {
			t.Errorf("auto opens %s; want %s", got, c.want)
		}
	}
	use(t, odd)
	if got := opened(t, "odd"); got != "odd:0" {
		t.Errorf("a backend by its name opens %s; want odd:0", got)
	}
}

func TestOpenWithNothingToOpen(t *testing.T) {
	use(t)
	_, err := driver.Open("auto")
	wantErr(t, err, driver.ErrUnavailable, "driver/all")

	missing := driver.Errorf("cuda", "dlopen", driver.ErrLibraryNotFound, "libcuda.so.1 is not there")
	none := driver.Errorf("opencl", "clGetPlatformIDs", driver.ErrNoDevice, "no platform")
	use(t, &fakeBackend{name: "cuda", err: missing}, &fakeBackend{name: "opencl", err: none})
	_, err = driver.Open("auto")
	wantErr(t, err, driver.ErrNoDevice, "libcuda.so.1 is not there", "no platform")
	wantErr(t, err, driver.ErrLibraryNotFound)
	_, err = driver.Open("cuda")
	if err != error(missing) {
		t.Errorf("Open(cuda): %v; want the backend's own error", err)
	}

	use(t, fakes("opencl"))
	_, err = driver.Open("opencl")
	wantErr(t, err, driver.ErrNoDevice, "(none)")

	failing := fakes("opencl", info(driver.ClassGPU, "a", "", ""))
	failing.openErr = errors.New("busy")
	use(t, failing)
	if _, err = driver.Open("auto"); err != failing.openErr {
		t.Errorf("got %v; want the backend's error", err)
	}
}

func TestRegister(t *testing.T) {
	use(t)
	a, b := fakes("a"), fakes("b")
	driver.Register(a)
	driver.Register(b)
	list := driver.Backends()
	if len(list) != 2 || list[0] != driver.Backend(a) || list[1] != driver.Backend(b) {
		t.Errorf("Backends: %v", list)
	}
	list[0] = nil // a copy
	if driver.Backends()[0] == nil {
		t.Error("Backends returns the registry itself")
	}
	defer func() {
		if recover() == nil {
			t.Error("registering a name twice does not panic")
		}
	}()
	driver.Register(fakes("a"))
}
