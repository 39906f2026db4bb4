//go:build cgo && linux

package hip

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

// generationEnv is the version that the fake runtime of a child speaks.
const generationEnv = "TRIAD_TEST_GENERATION"

// The runtimes of HIP 5, 6 and 7 differ in their names, structs, values and functions.
// 5.2 is the oldest, 6.0 has the struct of properties and the types of memory that are
// there today.
var generations = []int{50200, 50700, 60000, 60400, 70000}

func TestGenerations(t *testing.T) {
	for _, version := range generations {
		t.Run(versionText(version), func(t *testing.T) {
			env := append(withRuntime(t, version, ""), generationEnv+"="+strconv.Itoa(version))
			drivertest.RunChild(t, "TestAGenerationInChild", append(env, "TRIAD_FAKE=devices=2")...)
			if !testing.Short() || version == oldest {
				drivertest.RunChild(t, "TestConformanceOfAGenerationInChild", env...)
			}
		})
	}
}

func generation(t *testing.T) int {
	t.Helper()
	drivertest.OnlyAsChild(t)
	version, err := strconv.Atoi(os.Getenv(generationEnv))
	check(t, err)
	return version
}

func TestAGenerationInChild(t *testing.T) {
	version := generation(t)
	t.Run("IsToldByItsLibrary", func(t *testing.T) { probed(t, version) })
	t.Run("LacksWhatCameLater", func(t *testing.T) { lacksLater(t, version) })
	t.Run("HasItsOwnValues", ownValues)
	t.Run("LastErrors", func(t *testing.T) { lastErrors(t, version) })
	t.Run("Images", func(t *testing.T) { runOnDevice(t, slices.Concat(verifyTests, imageTests)) })
	if !testing.Short() {
		t.Run("Damage", func(t *testing.T) { runOnDevice(t, damageTests) })
	}
}

// Of the suite, the subjects that meet what differs.
func TestConformanceOfAGenerationInChild(t *testing.T) {
	generation(t)
	conformance(t, func(h *drivertest.Harness) {
		h.Subjects = []string{"Memory", "Copies", "Rectangles", "Streams", "Events", "StreamOrder", "Launches", "Errors", "Mismatches"}
	})
}

// probed compares what is said of the runtime and of the device with what they are.
func probed(t *testing.T, version int) {
	r := Backend().Probe()
	check(t, r.Err)
	if want := "libamdhip64.so." + strconv.Itoa(version/10000); filepath.Base(r.Loaded) != want || r.Version != versionText(version) {
		t.Errorf("%s speaks %s; want %s and %s", r.Loaded, r.Version, want, versionText(version))
	}
	missing, err := fakedriver.NewerHIP(version)
	check(t, err)
	for _, symbol := range missing {
		if load().Has(symbol) || !slices.ContainsFunc(r.Missing, func(s string) bool { return strings.Contains(s, symbol) }) {
			t.Errorf("%s came later, and is there: %v; missing are %v", symbol, load().Has(symbol), r.Missing)
		}
	}
	d := open(t)
	info := d.Info()
	if d.Arch() != "gfx942:sramecc+:xnack-" || info.Version != "gfx942" || info.WarpSize != 64 || info.ComputeUnits != 304 || info.Driver != versionText(version) {
		t.Errorf("the device is %q, %+v", d.Arch(), info)
	}
}

// lacksLater makes every call that needs a function of a later version.
func lacksLater(t *testing.T, version int) {
	d := open(t)
	s, m := newStream(t, d), functions(t, d)
	k := bind[storeArgs](t, m, "store")
	mem := words(t, s, 16)
	host := memorytest.NewManaged(t, rig, d, 4096)
	array, err := d.NewArray(ArrayOptions{Width: 8, Height: 8, Format: FormatUint8, Surface: true})
	check(t, err)
	defer array.Close()
	mip, err := d.NewMipmap(ArrayOptions{Width: 8, Height: 8, Format: FormatUint8}, 2)
	check(t, err)
	defer mip.Close()
	closed := func(c interface{ Close() error }, err error) error {
		if err == nil {
			_ = c.Close()
		}
		return err
	}
	for _, x := range []struct {
		symbol string
		since  int
		call   func() error
	}{
		{"hipDeviceSetLimit", 50300, func() error { return d.SetLimit(LimitMallocHeapSize, 1<<20) }},
		{"hipLaunchHostFunc", 50300, func() error {
			if version >= 50300 {
				return nil // there is no C function here for it to call
			}
			return s.HostFunc(1, 0)
		}},
		{"hipCreateSurfaceObject", 50300, func() error { x, err := array.Surface(); return closed(x, err) }},
		{"hipModuleLaunchCooperativeKernel", 50500, func() error {
			return k.LaunchEx(s, one, LaunchAttributes{Cooperative: true}, driver.ArgsOf(&storeArgs{mem.Ptr(), 1}))
		}},
		{"hipArray3DGetDescriptor", 50600, func() error { x, err := mip.Level(1); return closed(x, err) }},
		{"MaxSize", 60200, func() error { x, err := d.NewPool(PoolOptions{MaxSize: 1 << 20}); return closed(x, err) }},
		{"hipEventRecordWithFlags", 60400, func() (err error) {
			e := newEvent(t, d)
			capture(t, s, captureRelaxed, func() { err = s.RecordExternal(e) })
			return err
		}},
		{"hipStreamSetAttribute", 70000, func() error { return s.SetSyncPolicy(SyncBlocking) }},
		{"hipStreamGetAttribute", 70000, func() error { _, err := s.SyncPolicy(); return err }},
		{"hipDrvLaunchKernelEx", 70000, func() error {
			return k.LaunchEx(s, one, LaunchAttributes{PrioritySet: true}, driver.ArgsOf(&storeArgs{mem.Ptr(), 1}))
		}},
		{"hipStreamGetId", 70100, func() error { _, err := s.ID(); return err }},
		{"hipMemAdvise_v2", 70100, func() error { return host.Advise(0, 4096, PreferredLocation, NUMALocation(0)) }},
		{"hipMemPrefetchAsync_v2", 70100, func() error { return s.Prefetch(host, 0, 4096, NUMALocation(0)) }},
	} {
		err := x.call()
		if x.since <= version {
			if err != nil {
				t.Errorf("%s is there: %v", x.symbol, err)
			}
			continue
		}
		wantIs(t, x.symbol, err, driver.ErrUnsupported, x.symbol, versionText(x.since), versionText(version))
	}
	check(t, s.Wait(background))
	// What has a way around, in every version.
	done := make(chan error, 1)
	check(t, s.Then(func(err error) { done <- err }))
	check(t, <-done)
	check(t, host.Advise(0, 4096, PreferredLocation, d.Location()))
	check(t, s.Prefetch(host, 0, 4096, d.Location()))
	check(t, mem.Fill(s, 7))
	p, err := d.AllocPitched(64, 4, 4)
	check(t, err)
	defer p.Close()
	check(t, s.FillRect(p, p.Rect(0, 0), driver.Extent{Bytes: 64, Rows: 4}, driver.Pattern{Bytes: [16]byte{1, 2, 3, 4}, Len: 4}))
	other, err := Open(1, DeviceOptions{})
	check(t, err)
	defer other.Close()
	there := memorytest.Scratch(t, other, 256)
	err = s.CopyPeerRect(there, driver.Rect{}, p, driver.Rect{RowPitch: p.Pitch()}, driver.Extent{Bytes: 64, Rows: 4})
	if version >= 70100 {
		check(t, err)
	} else if err != nil {
		wantIs(t, "CopyPeerRect", err, driver.ErrUnsupported, "hipMemcpy3DPeerAsync", "HIP 7.1")
	}
	check(t, s.Wait(background))
	stores(t, d, m)
}

// ownValues uses what has other values or layouts in another version.
func ownValues(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	plain, err := d.AllocPlain(1 << 16)
	check(t, err)
	h, err := d.HostAlloc(1<<16, 0)
	check(t, err)
	m := memorytest.NewManaged(t, rig, d, 4096)
	for what, x := range map[string]struct {
		addr uint64
		want PointerKind
	}{
		"device memory": {plain.Addr(), PointerDevice}, "host memory": {h.Addr(), PointerHost}, "managed memory": {m.Addr(), PointerDevice},
		"no memory": {64, PointerUnknown},
	} {
		if info, err := d.PointerInfo(x.addr); info.Kind != x.want || info.Managed != (what == "managed memory") || err != nil {
			t.Errorf("%s is %+v, error %v", what, info, err)
		}
	}
	// Copies of arrays have the struct whose numbers became larger.
	a, err := d.NewArray(ArrayOptions{Width: 32, Height: 8, Format: FormatUint8})
	check(t, err)
	want := memorytest.Pattern(256)
	check(t, s.CopyFromHost(background, plain, 0, want))
	check(t, s.CopyToArray(a, Texels{}, plain, driver.Rect{}, Texels{32, 8, 1}))
	check(t, s.Fill(plain, 0, 256, driver.Pattern{Len: 1}))
	check(t, s.CopyFromArray(plain, driver.Rect{}, a, Texels{}, Texels{32, 8, 1}))
	if got := memorytest.Content(t, s, plain, 256); string(got) != string(want) {
		t.Error("other bytes came through an array")
	}
	exported, err := plain.ExportIPC()
	check(t, err)
	if exported == (IPCMemory{}) {
		t.Error("nothing stands for the memory")
	}
	for _, c := range []io.Closer{a, plain, h} {
		check(t, c.Close())
	}
}

// lastErrors sees that no call of ours leaves an error for hipGetLastError: that of an
// unfinished stream counts as one before HIP 7.
func lastErrors(t *testing.T, version int) {
	d := open(t)
	s := newStream(t, d)
	release := hold(t, s)
	left := lastError(t, func() {
		for end := time.Now().Add(time.Second); time.Now().Before(end); {
			if done, err := s.Query(); !done {
				check(t, err)
				return
			}
		}
		t.Error("a stream that is held is done")
	})
	release()
	if left != 0 {
		t.Errorf("%s: error %d was left behind", versionText(version), left)
	}
	left = lastError(t, func() {
		if _, err := d.AllocPlain(1 << 60); err == nil {
			t.Error("an exbibyte was allocated")
		}
	})
	if left != 0 {
		t.Errorf("%s: error %d was left behind by an allocation", versionText(version), left)
	}
}
