package fake_test

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/fake"
	"github.com/triad-gpu/triad/hip"
	"github.com/triad-gpu/triad/kernelcache"
)

func TestAMDsModels(t *testing.T) {
	for _, x := range []struct {
		model  fake.Model
		name   string
		warp   uint32
		target string
	}{
		{fake.MI300X, "AMD Instinct MI300X", 64, "gfx942"},
		{fake.RX7900, "AMD Radeon RX 7900 XTX", 32, "gfx1100"},
		{fake.Model{Name: "MI300X", Devices: 3, Memory: 1 << 30}, "AMD Instinct MI300X", 64, "gfx942"},
	} {
		t.Run(x.name, func(t *testing.T) {
			dev := fake.StartHIP(t, x.model)
			list, err := hip.Backend().Devices()
			check(t, err)
			if len(list) != max(x.model.Devices, 1) {
				t.Errorf("%d devices of %+v", len(list), x.model)
			}
			for i, info := range list {
				if info.Name != x.name || info.WarpSize != x.warp || info.Version != x.target || x.model.Memory != 0 && info.Memory != x.model.Memory {
					t.Errorf("device %d is %+v", i, info)
				}
				d := dev.Other(i)
				s := stream(t, d)
				if got := values(t, s, buffer(t, s, 3))[0]; got != 3 {
					t.Errorf("device %d gives %d", i, got)
				}
			}
		})
	}
}

func TestHIPCallsFailAsAsked(t *testing.T) {
	dev := fake.StartHIP(t, fake.MI300X)
	dev.Fail("hipStreamCreateWithPriority", fake.Unknown, fake.Once)
	if _, err := dev.NewStream(driver.StreamOptions{}); err == nil || !strings.Contains(err.Error(), "hipErrorUnknown") {
		t.Errorf("a failed call: %v", err)
	}
	dev.FailMemory(fake.Always)
	if _, err := dev.Alloc(1); !errors.Is(err, driver.ErrOutOfMemory) {
		t.Errorf("without memory: %v", err)
	}
	dev.FailMemory(fake.Never)
	live := dev.Live("device")
	m, err := dev.Alloc(1000)
	check(t, err)
	if n, b := dev.Live("device")-live, dev.Calls("hipMallocFromPoolAsync"); n != 1 || b < 1 {
		t.Errorf("%d allocations in %d calls; want one", n, b)
	}
	check(t, m.Close())
	release := dev.Block("hipMemGetInfo")
	done := make(chan error)
	go func() {
		_, _, err := dev.MemInfo()
		done <- err
	}()
	for dev.Blocked("hipMemGetInfo") == 0 {
		select {
		case err := <-done:
			t.Fatalf("the call did not wait: %v", err)
		default:
		}
	}
	release()
	check(t, <-done)
}

// Whatever breaks the device, the next test has one that works.
func TestTheNextTestsHIPDeviceWorks(t *testing.T) {
	for name, do := range map[string]func(t *testing.T, dev *fake.HIPDevice){
		"faulted": func(t *testing.T, dev *fake.HIPDevice) {
			s := stream(t, dev)
			b := buffer(t, s, 1)
			dev.Fault(fake.ECC)
			// The call that brings the fault about may meet it.
			if err := errors.Join(b.Fill(s, 2), s.Wait(t.Context())); !errors.Is(err, driver.ErrDeviceFault) {
				t.Errorf("after a fault: %v", err)
			}
		},
		"lost": func(t *testing.T, dev *fake.HIPDevice) {
			dev.Lose(0, fake.NoDevice)
			if _, err := dev.Alloc(16); err == nil {
				t.Error("a lost device has memory")
			}
		},
		"blocked": func(_ *testing.T, dev *fake.HIPDevice) { dev.Block("*") },
	} {
		t.Run(name, func(t *testing.T) { do(t, fake.StartHIP(t, fake.MI300X)) })
		t.Run("after "+name, func(t *testing.T) {
			dev := fake.StartHIP(t, fake.MI300X)
			s := stream(t, dev)
			if got := values(t, s, buffer(t, s, 7))[0]; got != 7 {
				t.Errorf("the device gives %d", got)
			}
		})
	}
}

func TestHIPKernelsAreGoFunctions(t *testing.T) {
	dev := fake.StartHIP(t, fake.MI300X)
	s := stream(t, dev)
	b := buffer(t, s, 1, 2, 3)
	step := fake.NewFunc("step", func(_ fake.Grid, a stepArgs) error {
		list := fake.Slice(a.Data, int(a.N))
		for i := range list {
			list[i]++
		}
		return nil
	})
	cfg := driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 64}}
	a := stepArgs{b.Ptr(), 3}
	k := fake.Kernel(t, dev, "step", func(g fake.Grid, a stepArgs) error { fake.Slice(a.Data, 1)[0] += 10; return nil })
	check(t, k.Launch(s, cfg, driver.ArgsOf(&a)))
	declared := kernelcache.Declare[stepArgs](fake.Source(t, dev, step), "step")
	check(t, declared.Launch(s, cfg, a))
	source := kernelcache.FromText(kernelcache.Text{Name: "t", HIP: fake.Text(t, dev, step)})
	check(t, kernelcache.Declare[stepArgs](source, "step").Launch(s, cfg, a))
	if got := values(t, s, b); !slices.Equal(got, []uint32{13, 4, 5}) {
		t.Errorf("the kernels leave %v", got)
	}
	if n := dev.KernelRuns("step"); n != 3 || dev.KernelErr() != nil {
		t.Errorf("%d kernels ran, with error %v", n, dev.KernelErr())
	}
	// Beyond its memory the kernel faults, as on a GPU.
	a.N = 1 << 20
	check(t, declared.Launch(s, cfg, a))
	if err := s.Wait(t.Context()); !errors.Is(err, driver.ErrDeviceFault) || !errors.Is(dev.KernelErr(), fake.IllegalAddress) {
		t.Errorf("%v; the kernel says %v", err, dev.KernelErr())
	}
}

// CUDA's fake and HIP's are two machines in one: neither sees what the other is told.
func TestBothVendorsAtOnce(t *testing.T) {
	nvidia, amd := fake.Start(t, fake.H200), fake.StartHIP(t, fake.MI300X)
	nvidia.FailMemory(fake.Always)
	if _, err := nvidia.Alloc(16); !errors.Is(err, driver.ErrOutOfMemory) {
		t.Errorf("NVIDIA's: %v", err)
	}
	s := stream(t, amd)
	if got := values(t, s, buffer(t, s, 5))[0]; got != 5 {
		t.Errorf("AMD's gives %d", got)
	}
}

// HIP C++ becomes code objects, whose kernels are verified, with or without a compiler
// that made the image just now; images in C have no metadata, and are loaded as well.
func TestHIPSignaturesAreVerified(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		drivertest.Lacks(t, "c++", "there is no C++ compiler")
	}
	text := driver.ModuleSource{Kind: driver.SourceText, Name: "fill.hip", Code: []byte(
		`extern "C" __global__ void fill(unsigned *out, unsigned v) { out[blockIdx.x] = v + blockIdx.x; }`)}
	good, err := driver.SignatureOf[stepArgs]()
	check(t, err)
	bad, err := driver.SignatureOf[struct{ N, Data driver.Ptr[uint32] }]()
	check(t, err)
	for _, model := range []fake.Model{fake.MI300X, fake.RX7900} {
		t.Run(model.Name, func(t *testing.T) {
			dev := fake.StartHIP(t, model)
			load := func(src driver.ModuleSource) driver.Module {
				m, err := dev.Load(t.Context(), src, driver.BuildOptions{})
				check(t, err)
				t.Cleanup(func() { _ = m.Close() })
				return m
			}
			m := load(text)
			code, err := m.Binary()
			check(t, err)
			again := load(driver.ModuleSource{Kind: driver.SourceBinary, Name: "again", Code: code})
			plain := load(driver.ModuleSource{Kind: driver.SourceBinary, Name: "c", Code: fake.CompileC(t, dev, cText)})
			s := stream(t, dev)
			for _, x := range []struct {
				name     string
				m        driver.Module
				verified bool
			}{{"compiled", m, true}, {"loaded again", again, true}, {"in C", plain, false}} {
				k, err := x.m.Kernel(t.Context(), "fill", good)
				check(t, err)
				if k.Verified() != x.verified {
					t.Errorf("%s, verified: %v", x.name, k.Verified())
				}
				data := buffer(t, s, 0, 0, 0)
				a := stepArgs{data.Ptr(), 40}
				check(t, k.Launch(s, driver.Grid1D(3, 1), driver.ArgsOf(&a)))
				if got := values(t, s, data); got[0] != 40 || got[2] != 42 {
					t.Errorf("%s, the kernel left %v", x.name, got)
				}
				check(t, k.Close())
				wrong, err := x.m.Kernel(t.Context(), "fill", bad)
				if err == nil {
					_ = wrong.Close()
				}
				if x.verified != errors.Is(err, driver.ErrSignature) {
					t.Errorf("%s, a pointer for a value: %v", x.name, err)
				}
			}
		})
	}
}
