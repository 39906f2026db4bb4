package driver_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/triad-gpu/triad/driver"
)

func mustAlloc[T any](t testing.TB, n int) *driver.Buffer[T] {
	t.Helper()
	b, err := driver.Alloc[T](&fakeDevice{}, n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBufferCopies(t *testing.T) {
	s := &fakeStream{}
	b := mustAlloc[int32](t, 4)
	if err := b.CopyFrom(ctx, s, []int32{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	c := mustAlloc[int32](t, 3)
	if err := c.CopyBuffer(s, b, 2); err != nil {
		t.Fatal(err)
	}
	got := make([]int32, 3)
	if err := c.CopyTo(ctx, s, got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int32{1, 2, 0}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	h, err := driver.AllocHost[int32](&fakeDevice{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.CopyToPinned(s, h); err != nil {
		t.Fatal(err)
	}
	h.Slice()[0] += 10
	if err := c.CopyFromPinned(s, h); err != nil {
		t.Fatal(err)
	}
	if err := c.CopyTo(ctx, s, got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int32{11, 2, 0}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBufferBoundsAndNilStreams(t *testing.T) {
	s := &fakeStream{}
	b, small := mustAlloc[int32](t, 4), mustAlloc[int32](t, 2)
	h, err := driver.AllocHost[int32](&fakeDevice{}, 5)
	if err != nil {
		t.Fatal(err)
	}
	five := make([]int32, 5)
	for _, err := range []error{
		b.CopyFrom(ctx, s, five),
		b.CopyTo(ctx, s, five),
		b.CopyBuffer(s, mustAlloc[int32](t, 5), 5),
		b.CopyFromPinned(s, h),
		b.CopyToPinned(s, h),
	} {
		wantErr(t, err, driver.ErrInvalidValue, "5 elements", "has 4")
	}
	wantErr(t, b.CopyBuffer(s, small, 3), driver.ErrInvalidValue, "source", "has 2")
	wantErr(t, b.CopyBuffer(s, small, -1), driver.ErrInvalidValue, "-1 elements")
	for _, r := range [][2]int{{-1, 2}, {3, 2}, {0, 5}, {5, 5}} {
		_, err := b.Slice(r[0], r[1])
		wantErr(t, err, driver.ErrInvalidValue, "of 4")
	}
	for _, err := range []error{
		b.CopyFrom(ctx, nil, nil), b.CopyTo(ctx, nil, nil), b.CopyBuffer(nil, small, 0),
		b.CopyFromPinned(nil, h), b.CopyToPinned(nil, h), b.Fill(nil, 0),
	} {
		wantErr(t, err, driver.ErrInvalidValue, "stream is nil")
	}
	if s.calls != 0 {
		t.Errorf("%d refused calls reached the stream", s.calls)
	}
}

func TestBufferSliceFillAndClose(t *testing.T) {
	s := &fakeStream{}
	b := mustAlloc[int32](t, 4)
	part, err := b.Slice(1, 3)
	if err != nil {
		t.Fatal(err)
	}
	if part.Len() != 2 || part.Ptr().Bits() != b.Ptr().Bits()+4 {
		t.Errorf("%d elements at %#x", part.Len(), part.Ptr().Bits())
	}
	if err := part.Fill(s, 7); err != nil {
		t.Fatal(err)
	}
	got := make([]int32, 4)
	b.CopyTo(ctx, s, got)
	if diff := cmp.Diff([]int32{0, 7, 7, 0}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.Close()
	if !b.Ptr().IsNil() || !b.Memory().(*fakeMemory).closed {
		t.Error("Close did not close the memory")
	}
	wantErr(t, mustAlloc[[3]int32](t, 1).Fill(s, [3]int32{}), driver.ErrInvalidValue, "pattern of 12 bytes")
}

// Memory that is no multiple of the element still fills as many as fit.
func TestBufferOf(t *testing.T) {
	m := &fakeMemory{data: make([]byte, 11)}
	b, err := driver.BufferOf[int32](m)
	if err != nil || b.Len() != 2 {
		t.Fatalf("%d elements, %v; want 2", b.Len(), err)
	}
	if err := b.Fill(&fakeStream{}, -1); err != nil || m.data[7] != 0xff || m.data[8] != 0 {
		t.Errorf("%v, % x", err, m.data)
	}
	_, err = driver.BufferOf[int](m)
	wantErr(t, err, driver.ErrSignature, "int32")
	_, err = driver.BufferOf[int32](nil)
	wantErr(t, err, driver.ErrInvalidValue, "memory is nil")
}

func TestAllocRefuses(t *testing.T) {
	dev := &fakeDevice{}
	_, err := driver.Alloc[float32](nil, 1)
	wantErr(t, err, driver.ErrInvalidValue, "device is nil")
	_, err = driver.Alloc[float32](dev, -1)
	wantErr(t, err, driver.ErrInvalidValue, "-1 elements")
	_, err = driver.Alloc[driver.Float16](dev, math.MaxInt)
	wantErr(t, err, driver.ErrOutOfMemory, "64 B")
	_, err = driver.AllocHost[driver.Float16](dev, math.MaxInt)
	wantErr(t, err, driver.ErrOutOfMemory, "AllocHost")
	_, err = driver.Alloc[struct{}](dev, 1)
	wantErr(t, err, driver.ErrSignature, "no size")
	_, err = driver.Alloc[[]float32](dev, 1)
	wantErr(t, err, driver.ErrSignature, "Go slice")
	_, err = driver.Alloc[struct{ P *int32 }](dev, 1)
	wantErr(t, err, driver.ErrSignature, ".P ", "Go pointer")
	if dev.next != 0 {
		t.Error("a refused allocation reached the device")
	}
	dev.err = errors.New("full")
	if _, err = driver.Alloc[float32](dev, 1); err != dev.err {
		t.Errorf("got %v; want the device's error", err)
	}
	if _, err = driver.AllocHost[float32](dev, 1); err != dev.err {
		t.Errorf("got %v; want the device's error", err)
	}
}

func TestBuffersOfEveryKind(t *testing.T) {
	if b := mustAlloc[float32](t, 0); b.Len() != 0 || b.Memory().Size() != 0 {
		t.Error("an empty buffer is not empty")
	}
	for _, c := range []struct{ got, want uint64 }{
		{mustAlloc[driver.Float3](t, 3).Memory().Size(), 48},
		{mustAlloc[driver.Packed3[float32]](t, 3).Memory().Size(), 36},
		{mustAlloc[complex128](t, 3).Memory().Size(), 48},
		{mustAlloc[driver.Ptr[float32]](t, 3).Memory().Size(), 24},
		{mustAlloc[[5]uint8](t, 3).Memory().Size(), 15},
	} {
		if c.got != c.want {
			t.Errorf("%d bytes; want %d", c.got, c.want)
		}
	}
}

func TestHostBuffer(t *testing.T) {
	h, err := driver.AllocHost[driver.Float2](&fakeDevice{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	h.Slice()[2] = driver.Float2{X: 1, Y: 2}
	if len(h.Slice()) != 3 || h.Len() != 3 || h.Slice()[2].Y != 2 || h.Ptr().IsNil() || h.Memory().Size() != 24 {
		t.Errorf("%v, %d elements, %d bytes", h.Slice(), h.Len(), h.Memory().Size())
	}
	h.Close()
	if h.Slice() != nil || !h.Ptr().IsNil() {
		t.Error("usable after Close")
	}
}

func TestPatternOf(t *testing.T) {
	p, err := driver.PatternOf(uint32(0x01020304))
	if err != nil || p.Len != 4 || p.Bytes[0] == p.Bytes[3] || p.Bytes[4] != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := driver.PatternOf(driver.Double2{}); err != nil || p.Len != 16 {
		t.Errorf("%+v, %v", p, err)
	}
	_, err = driver.PatternOf([3]uint8{})
	wantErr(t, err, driver.ErrInvalidValue, "pattern of 3 bytes", "1, 2, 4, 8 and 16")
	_, err = driver.PatternOf(driver.Double4{})
	wantErr(t, err, driver.ErrInvalidValue, "pattern of 32 bytes")
}

func TestBufferCallsDoNotAllocate(t *testing.T) {
	if instrumented {
		t.Skip("the race detector and AddressSanitizer allocate")
	}
	var s driver.Stream = &fakeStream{}
	b, host := mustAlloc[float32](t, 8), make([]float32, 8)
	if n := testing.AllocsPerRun(100, func() {
		b.CopyFrom(ctx, s, host)
		b.CopyTo(ctx, s, host)
		b.CopyBuffer(s, b, 4)
		b.Fill(s, 1)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
