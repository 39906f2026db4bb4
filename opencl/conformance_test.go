package opencl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// hold has a stream wait for a user event.
func hold(t testing.TB, s driver.Stream) (release func()) {
	t.Helper()
	u, err := s.(*Stream).dev.UserEvent()
	if err == nil {
		err = s.WaitEvent(u)
	}
	if err != nil {
		t.Fatalf("holding a stream: %v", err)
	}
	return func() {
		if err := u.Complete(); err != nil {
			t.Errorf("letting a stream go on: %v", err)
		}
		_ = u.Close()
	}
}

// conformance runs the suite against every device, with and without shared
// virtual memory.
func conformance(t *testing.T, change func(*drivertest.Harness)) {
	infos, err := Backend().Devices()
	if err != nil {
		drivertest.Unavailable(t, "opencl", err)
	}
	for _, info := range infos {
		modes := []string{"Buffers"}
		if info.RealAddresses {
			modes = append(modes, "SharedVirtualMemory")
		}
		for _, mode := range modes {
			t.Run(fmt.Sprintf("%d/%s", info.Index, mode), func(t *testing.T) {
				h := drivertest.Harness{
					Backend: "opencl",
					Open: func() (driver.Device, error) {
						d, err := Open(info.Index, DeviceOptions{BuffersOnly: mode == "Buffers"})
						if err != nil {
							return nil, err
						}
						return d, nil
					},
					Sources: drivertest.Sources(".cl"),
					Hold:    hold,
					Exclude: notOn[info.Platform],
				}
				if change != nil {
					change(&h)
				}
				drivertest.Run(t, h)
			})
		}
	}
}

// notOn are the exclusions by platform.
var notOn = map[string]map[string]string{
	"NVIDIA CUDA": {
		"Modules/WarningsAreInTheBuildLog": "the driver keeps compiled programs, and no log with them",
	},
}

func TestConformance(t *testing.T) { conformance(t, nil) }

// oclgrind simulates a device and reports accesses out of bounds, races between
// work-items and uses of what was never written.
func TestConformanceUnderOclgrind(t *testing.T) {
	testDevice(t, DeviceOptions{})
	out := drivertest.RunChild(t, "TestOclgrindConformance", "OCL_ICD_VENDORS="+vendors(t, oclgrindLibrary(t)))
	for _, bad := range []string{"Invalid read", "Invalid write", "Data race", "Uninitialized"} {
		if strings.Contains(out, bad) {
			t.Errorf("oclgrind reports %q:\n%s", bad, drivertest.LastLines(out, 100))
		}
	}
}

const notThreadSafe = "oclgrind 21.10 is not safe for several threads at once"

var notUnderOclgrind = map[string]string{
	"Threads":                                        notThreadSafe,
	"Events/ManyGoroutinesWaitForOneEvent":           notThreadSafe,
	"Waits/WaitsOfManyStreamsEndInAnyOrder":          notThreadSafe,
	"Waits/GoroutinesGoOnWhileOthersWait":            notThreadSafe,
	"Modules/ContextsEndALoad":                       notThreadSafe,
	"Modules/OneModuleIsBuiltManyTimesAtOnce":        notThreadSafe,
	"Lifetime/CloseByManyAtOnceIsCloseOnce":          notThreadSafe,
	"Lifetime/CloseWhileOthersUseGivesThemErrClosed": notThreadSafe,
	"Lifetime/PooledWaitsKeepNothingAlive":           notThreadSafe,
}

func TestOclgrindConformance(t *testing.T) {
	drivertest.OnlyAsChild(t)
	conformance(t, func(h *drivertest.Harness) {
		h.Require, h.Small = "oclgrind", true
		h.Exclude = notUnderOclgrind
		h.Hold = nil // it runs commands in whichever thread waits, and a user event holds up none
	})
}

// Two platforms in one process: each object goes to its own, and errors keep
// them apart.
func TestTwoPlatformsWorkSideBySide(t *testing.T) {
	testDevice(t, DeviceOptions{})
	drivertest.RunChild(t, "TestPlatformsInTurns", "OCL_ICD_VENDORS="+vendors(t, poclLibrary(t), oclgrindLibrary(t)))
}

func TestPlatformsInTurns(t *testing.T) {
	drivertest.OnlyAsChild(t)
	platforms, err := Platforms()
	check(t, err)
	if len(platforms) != 2 {
		t.Fatalf("%d platforms: %v", len(platforms), platforms)
	}
	infos, err := Backend().Devices()
	check(t, err)
	var streams []*Stream
	var kernels []*Kernel
	var buffers []*driver.Buffer[uint32]
	for i := range infos {
		d, err := Open(i, DeviceOptions{})
		check(t, err)
		defer d.Close()
		s := testStream(t, d, driver.StreamOptions{})
		streams, kernels = append(streams, s), append(kernels, kernel[storeArgs](t, d, storeSource, "store"))
		buffers = append(buffers, buffer(t, s, make([]uint32, 8)))
	}
	for round := range uint32(20) {
		for i, s := range streams {
			a := storeArgs{buffers[i].Ptr(), round*10 + uint32(i)}
			check(t, kernels[i].Launch(s, driver.Grid1D(8, 4), driver.ArgsOf(&a)))
			if got := values(t, s, buffers[i])[7]; got != a.Value {
				t.Fatalf("device %d, round %d: got %d", i, round, got)
			}
		}
	}
	a := storeArgs{buffers[0].Ptr(), 1}
	wantIs(t, "a stream of another platform", kernels[0].Launch(streams[1], one, driver.ArgsOf(&a)), driver.ErrDeviceMismatch, infos[0].Name, infos[1].Name)
	wantIs(t, "memory of another platform", streams[0].Copy(buffers[0].Memory(), 0, buffers[1].Memory(), 0, 4), driver.ErrDeviceMismatch)
}
