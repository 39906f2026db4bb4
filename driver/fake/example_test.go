package fake_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/fake"
	"github.com/triad-gpu/triad/kernelcache"
)

// What follows is a program that someone might have: it doubles numbers on a GPU, in
// as many pieces as the memory makes necessary, and begins again on another opening
// of the device when that one is lost.

type doubleArgs struct {
	Data driver.Ptr[float32]
	N    uint32
}

var (
	doubleSource = kernelcache.FromText(kernelcache.Text{Name: "double", CUDA: `
		extern "C" __global__ void twice(float *data, unsigned n) {
			unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
			if (i < n) data[i] *= 2;
		}`})
	twice = kernelcache.Declare[doubleArgs](doubleSource, "twice")
)

// double doubles data on a device, and returns in how many pieces.
func double(ctx context.Context, dev driver.Device, data []float32) (pieces int, err error) {
	s, err := dev.NewStream(driver.StreamOptions{})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	for size := len(data); len(data) > 0; {
		buf, err := driver.Alloc[float32](dev, size)
		if errors.Is(err, driver.ErrOutOfMemory) && size > 1024 {
			size /= 2
			continue
		}
		if err != nil {
			return pieces, err
		}
		n := min(size, len(data))
		err = piece(ctx, s, buf, data[:n])
		if err := errors.Join(err, buf.Close()); err != nil {
			return pieces, err
		}
		data = data[n:]
		pieces++
	}
	return pieces, nil
}

func piece(ctx context.Context, s driver.Stream, buf *driver.Buffer[float32], data []float32) error {
	if err := buf.CopyFrom(ctx, s, data); err != nil {
		return err
	}
	if err := twice.Launch(s, driver.Grid1D(len(data), 256), doubleArgs{buf.Ptr(), uint32(len(data))}); err != nil {
		return err
	}
	return buf.CopyTo(ctx, s, data)
}

// doubleAnyway is double on the first of some devices that isn't lost.
func doubleAnyway(ctx context.Context, data []float32, open ...func() (driver.Device, error)) error {
	var errs error
	for _, open := range open {
		dev, err := open()
		if err == nil {
			input := append([]float32{}, data...)
			if _, err = double(ctx, dev, input); err == nil {
				copy(data, input)
				return dev.Close()
			}
			_ = dev.Close()
		}
		if !errors.Is(err, driver.ErrDeviceLost) {
			return err
		}
		errs = errors.Join(errs, err)
	}
	return fmt.Errorf("every device was lost: %w", errs)
}

// twiceInGo is the kernel as a Go function, so that the tests need no compiler of
// C++; without it the text above would be compiled.
func twiceInGo(_ fake.Grid, a doubleArgs) error {
	for i := range fake.Slice(a.Data, int(a.N)) {
		fake.Slice(a.Data, int(a.N))[i] *= 2
	}
	return nil
}

func TestMain(m *testing.M) { fake.Main(m, fake.Driver{}) }

func start(t *testing.T, model fake.Model) *fake.Device {
	t.Helper()
	dev := fake.Start(t, model)
	if err := doubleSource.Redefine(t.Context(), kernelcache.Text{CUDA: fake.Text(t, dev, fake.NewFunc("twice", twiceInGo))}); err != nil {
		t.Fatal(err)
	}
	return dev
}

func numbers(n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(i)
	}
	return list
}

func wantDoubled(t *testing.T, list []float32) {
	t.Helper()
	for i, v := range list {
		if v != 2*float32(i) {
			t.Fatalf("number %d is %v, want %v", i, v, 2*float32(i))
		}
	}
}

// A test of a user's: with less memory than the data there are more pieces, all of
// them right, and nothing of them is left.
func TestLessMemoryMeansMorePieces(t *testing.T) {
	model := fake.H200
	model.Memory = 1 << 20
	dev := start(t, model)
	data := numbers(1 << 20) // 4 MiB
	pieces, err := double(t.Context(), dev, data)
	if err != nil {
		t.Fatal(err)
	}
	wantDoubled(t, data)
	if pieces < 4 {
		t.Errorf("4 MiB were doubled in %d pieces of a device with 1 MiB", pieces)
	}
	if n := dev.Live("device"); n != 0 {
		t.Errorf("%d allocations, of %d bytes, were not freed", n, dev.Bytes("device"))
	}
}

// Memory that becomes less while the program runs makes two pieces of one, and an
// error once there is none.
func TestMemoryRunsOutLater(t *testing.T) {
	dev := start(t, fake.H200)
	data := numbers(4096)
	if pieces, err := double(t.Context(), dev, data); err != nil || pieces != 1 {
		t.Fatalf("%d pieces, %v", pieces, err)
	}
	dev.SetMemory(12 << 10)
	if pieces, err := double(t.Context(), dev, numbers(4096)); err != nil || pieces != 2 {
		t.Errorf("%d pieces, %v; want 2", pieces, err)
	}
	dev.FailMemory(fake.Always)
	if _, err := double(t.Context(), dev, numbers(4096)); !errors.Is(err, driver.ErrOutOfMemory) {
		t.Errorf("without any memory: %v", err)
	}
}

// A test of a user's: when the first device goes the second one does the work.
func TestAnotherDeviceTakesOver(t *testing.T) {
	model := fake.H200
	model.Devices = 2
	dev := start(t, model)
	openings := func(index int) func() (driver.Device, error) {
		return func() (driver.Device, error) { return cuda.Backend().Open(index) }
	}
	dev.Lose(0, fake.DeviceUnavailable)
	data := numbers(1000)
	if err := doubleAnyway(t.Context(), data, openings(0), openings(1)); err != nil {
		t.Fatal(err)
	}
	wantDoubled(t, data)
	dev.Lose(1, fake.DeviceUnavailable)
	if err := doubleAnyway(t.Context(), data, openings(0), openings(1)); !errors.Is(err, driver.ErrDeviceLost) {
		t.Errorf("with both devices lost: %v", err)
	}
	dev.Return(1)
	if err := doubleAnyway(t.Context(), numbers(10), openings(0), openings(1)); err != nil {
		t.Errorf("once the second is back: %v", err)
	}
}
