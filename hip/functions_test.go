package hip

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// onDevice are tests that hold on every device, real or not.
type onDevice struct {
	name string
	run  func(t *testing.T, d *Device)
}

// runOnDevice runs them, each with an opening of its own.
func runOnDevice(t *testing.T, list []onDevice) {
	if load().Err != nil {
		drivertest.Unavailable(t, "hip", load().Err)
	}
	for _, x := range list {
		t.Run(x.name, func(t *testing.T) { x.run(t, open(t)) })
	}
}

func newEvent(t testing.TB, d *Device) *Event {
	t.Helper()
	e, err := d.Event(driver.EventOptions{})
	check(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// functionsSource is the text of functions.cu, which is HIP C++ as well.
var functionsSource = sync.OnceValues(func() ([]byte, error) { return os.ReadFile("../cuda/testdata/functions.cu") })

// functionsImage is functions.cu as machine code; all devices of a machine with tests
// are of one kind.
var functionsImage struct {
	sync.Mutex
	code []byte
}

// functions are the kernels and variables of cuda/testdata/functions.cu.
func functions(t testing.TB, d *Device) *Module {
	t.Helper()
	functionsImage.Lock()
	defer functionsImage.Unlock()
	text, err := functionsSource()
	check(t, err)
	src := driver.ModuleSource{Kind: driver.SourceText, Name: "functions.cu", Code: text}
	if functionsImage.code != nil {
		src.Kind, src.Code = driver.SourceBinary, functionsImage.code
	}
	m, err := d.LoadModule(t.Context(), src, driver.BuildOptions{})
	if err != nil {
		if errors.Is(err, driver.ErrUnavailable) {
			drivertest.Unavailable(t, "hiprtc", err)
		}
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	functionsImage.code, err = m.Binary()
	check(t, err)
	return m
}

// bind binds a kernel of functions.cu to an argument struct.
func bind[A any](t testing.TB, m *Module, name string) *Kernel {
	t.Helper()
	sig, err := driver.SignatureOf[A]()
	check(t, err)
	k, err := m.Bind(t.Context(), name, sig)
	check(t, err)
	t.Cleanup(func() { _ = k.Close() })
	return k
}

// untyped binds a kernel of which the driver tells the parameters.
func untyped(t testing.TB, m *Module, name string) *Kernel {
	t.Helper()
	k, err := m.Bind(t.Context(), name, nil)
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, "hip-paraminfo", err.Error())
	}
	check(t, err)
	t.Cleanup(func() { _ = k.Close() })
	return k
}

// words allocates n words of device memory, all zero.
func words(t testing.TB, s *Stream, n int) *driver.Buffer[uint32] {
	t.Helper()
	b, err := driver.Alloc[uint32](s.dev, n)
	check(t, err)
	t.Cleanup(func() { _ = b.Close() })
	check(t, b.CopyFrom(t.Context(), s, make([]uint32, n)))
	return b
}

func values(t testing.TB, s *Stream, b *driver.Buffer[uint32]) []uint32 {
	t.Helper()
	list := make([]uint32, b.Len())
	check(t, b.CopyTo(t.Context(), s, list))
	return list
}

type endsArgs struct {
	Out driver.Ptr[uint32]
	N   uint32
}

type outArgs struct{ Out driver.Ptr[uint32] }

var one = driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}

var background = context.Background()
