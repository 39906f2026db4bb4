package drivertest

import (
	"bytes"
	"math"
	"math/rand/v2"

	"github.com/triad-gpu/triad/driver"
)

func random(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// filled is device memory with the given content.
func (e *env) filled(s driver.Stream, content []byte) driver.Memory {
	e.Helper()
	m := e.memory(uint64(len(content)))
	e.ok(s.CopyFromHost(background, m, 0, content))
	return m
}

func (e *env) content(s driver.Stream, m driver.Memory) []byte {
	e.Helper()
	b := make([]byte, m.Size())
	e.ok(s.CopyToHost(background, b, m, 0))
	return b
}

var memoryTests = []test{
	{"EverySizeRoundTrips", func(e *env) {
		s := e.stream()
		for _, n := range []int{1, 2, 3, 7, 64, 4095, 4096, 65537, e.scale(8 << 20)} {
			want := random(n, uint64(n))
			m := e.filled(s, want)
			if m.Size() != uint64(n) || m.Addr() == 0 || m.Device() != e.dev {
				e.Errorf("%d bytes: Size %d, Addr %#x", n, m.Size(), m.Addr())
			}
			if !bytes.Equal(e.content(s, m), want) {
				e.Errorf("%d bytes came back changed", n)
			}
		}
	}},
	{"NothingCanBeAllocated", func(e *env) {
		s := e.stream()
		m, other := e.memory(0), e.memory(8)
		if m.Size() != 0 || m.Addr() != 0 {
			e.Errorf("0 bytes have Size %d and Addr %#x", m.Size(), m.Addr())
		}
		p, _ := driver.PatternOf(uint8(1))
		e.ok(s.CopyFromHost(background, m, 0, nil))
		e.ok(s.CopyToHost(background, nil, m, 0))
		e.ok(s.Copy(m, 0, other, 0, 0))
		e.ok(s.Fill(m, 0, 0, p))
		part, err := m.Slice(0, 0)
		e.ok(err)
		e.atEnd(part)
		h := e.host(0)
		if len(h.Bytes()) != 0 {
			e.Errorf("0 bytes of host memory have %d", len(h.Bytes()))
		}
		b := buffer[uint32](e, 0)
		if !b.Ptr().IsNil() || b.Len() != 0 {
			e.Errorf("an empty buffer has Len %d and Ptr %#x", b.Len(), b.Ptr().Bits())
		}
		closeAll(e, part)
		e.is("one byte into nothing", s.CopyFromHost(background, m, 0, []byte{1}), driver.ErrInvalidValue)
	}},
	{"TooMuchIsOutOfMemoryAndHarmless", func(e *env) {
		s := e.stream()
		// Beyond MaxAlloc some drivers allocate all the same.
		for _, n := range []uint64{max(e.dev.Info().Memory, e.dev.Info().MaxAlloc) + 1<<30, 1 << 50, math.MaxUint64 &^ 4095, math.MaxUint64} {
			m, err := e.dev.Alloc(n)
			e.is("Alloc", err, driver.ErrOutOfMemory)
			if err == nil {
				closeAll(e, m)
			}
		}
		h, err := e.dev.AllocHost(1 << 50)
		e.is("AllocHost", err, driver.ErrOutOfMemory)
		if err == nil {
			closeAll(e, h)
		}
		_, err = driver.Alloc[[16]uint64](e.dev, math.MaxInt)
		e.is("driver.Alloc", err, driver.ErrOutOfMemory)
		_, err = driver.Alloc[uint32](e.dev, -1)
		e.is("driver.Alloc of -1", err, driver.ErrInvalidValue)
		want := random(1000, 5)
		if got := e.content(s, e.filled(s, want)); !bytes.Equal(got, want) {
			e.Error("after running out of memory, memory does not work")
		}
	}},
	{"SlicesShareTheMemory", func(e *env) {
		s := e.stream()
		const n, off, size = 16384, 4096, 8192
		want := random(n, 1)
		m := e.filled(s, want)
		part, err := m.Slice(off, size)
		e.ok(err)
		e.atEnd(part)
		defer part.Close()
		if part.Size() != size || part.Device() != e.dev || part.Addr() == 0 {
			e.Errorf("Size %d, Addr %#x", part.Size(), part.Addr())
		}
		if got := e.content(s, part); !bytes.Equal(got, want[off:off+size]) {
			e.Error("the slice reads something else")
		}
		change := random(100, 2)
		e.ok(s.CopyFromHost(background, part, 10, change))
		copy(want[off+10:], change)
		inner, err := part.Slice(4096, 1000)
		e.ok(err)
		e.atEnd(inner)
		defer inner.Close()
		e.ok(s.CopyFromHost(background, inner, 0, change))
		copy(want[off+4096:], change)
		if !bytes.Equal(e.content(s, m), want) {
			e.Error("what was written to slices is not in the memory, or elsewhere")
		}
		if e.dev.Info().RealAddresses && inner.Addr() != m.Addr()+off+4096 {
			e.Errorf("a slice of a slice is at %#x, want %#x", inner.Addr(), m.Addr()+off+4096)
		}
	}},
	{"SlicesAreArgumentsOfKernels", func(e *env) {
		s := e.stream()
		b := upload(e, s, make([]uint32, 4096))
		part, err := b.Slice(2048, 2048+64)
		e.ok(err)
		e.atEnd(part)
		defer part.Close()
		launch(e, bind[storeArgs](e, "basic", "store"), s, driver.Grid1D(64, 16), storeArgs{part.Ptr(), 9})
		for i, v := range download(e, s, b) {
			if in := i >= 2048 && i < 2048+64; v == 9 != in {
				e.Fatalf("element %d is %d", i, v)
			}
		}
	}},
	{"SlicesOutOfRangeAreRefused", func(e *env) {
		m := e.memory(4096)
		for _, r := range [][2]uint64{{4097, 0}, {0, 4097}, {4096, 1}, {math.MaxUint64, 2}, {2, math.MaxUint64}, {math.MaxUint64 - 1, math.MaxUint64}} {
			_, err := m.Slice(r[0], r[1])
			e.is("Slice", err, driver.ErrInvalidValue)
		}
		b := buffer[uint32](e, 16)
		for _, r := range [][2]int{{-1, 2}, {3, 2}, {0, 17}} {
			_, err := b.Slice(r[0], r[1])
			e.is("Buffer.Slice", err, driver.ErrInvalidValue)
		}
	}},
	{"SlicesKeepTheMemoryAlive", func(e *env) {
		s := e.stream()
		want := random(8192, 3)
		m, err := e.dev.Alloc(8192)
		e.ok(err)
		e.atEnd(m)
		e.ok(s.CopyFromHost(background, m, 0, want))
		part, err := m.Slice(4096, 4096)
		e.ok(err)
		e.atEnd(part)
		closeAll(e, m)
		if m.Addr() != driver.PtrClosed {
			e.Errorf("closed memory's Addr is %#x, want PtrClosed", m.Addr())
		}
		for range 4 {
			e.filled(s, random(8192, 99)) // would take the place if it were free
		}
		if got := e.content(s, part); !bytes.Equal(got, want[4096:]) {
			e.Error("the slice's content went with the memory")
		}
		closeAll(e, part)
		e.is("closed slice", s.CopyToHost(background, make([]byte, 1), part, 0), driver.ErrClosed)
	}},
	{"PointersAreOffsetWhereTheyAreAddresses", func(e *env) {
		s := e.stream()
		b := upload(e, s, make([]uint32, 256))
		p, err := b.Ptr().Offset(100)
		if !e.dev.Info().RealAddresses {
			e.is("Offset", err, driver.ErrUnsupported)
			if !b.Ptr().IsHandle() {
				e.Error("without real addresses, a pointer should be a handle")
			}
			return
		}
		e.ok(err)
		if b.Ptr().IsHandle() || p.Bits() != b.Ptr().Bits()+400 {
			e.Errorf("%#x moved by 100 is %#x", b.Ptr().Bits(), p.Bits())
		}
		launch(e, bind[storeArgs](e, "basic", "store"), s, driver.Grid1D(16, 16), storeArgs{p, 3})
		for i, v := range download(e, s, b) {
			if in := i >= 100 && i < 116; v == 3 != in {
				e.Fatalf("element %d is %d", i, v)
			}
		}
		back, err := p.Offset(-100)
		e.ok(err)
		if back != b.Ptr() {
			e.Error("forth and back is elsewhere")
		}
		_, err = driver.PtrFrom[uint32](0).Offset(1)
		e.is("Offset of null", err, driver.ErrInvalidValue)
	}},
	{"HostMemoryIsMemory", func(e *env) {
		h := e.host(100_000)
		if len(h.Bytes()) != 100_000 || h.Size() != 100_000 || h.Device() != e.dev {
			e.Fatalf("%d bytes, Size %d", len(h.Bytes()), h.Size())
		}
		want := random(100_000, 4)
		copy(h.Bytes(), want)
		if !bytes.Equal(h.Bytes(), want) {
			e.Error("host memory does not keep what is stored")
		}
		closeAll(e, h)
		if h.Bytes() != nil {
			e.Error("closed host memory has bytes")
		}
		hb, err := driver.AllocHost[float64](e.dev, 10)
		e.ok(err)
		e.atEnd(hb)
		defer hb.Close()
		if len(hb.Slice()) != 10 || hb.Len() != 10 {
			e.Errorf("a HostBuffer of 10 has %d", len(hb.Slice()))
		}
	}},
	{"ElementsThatNoDeviceHasAreRefused", func(e *env) {
		_, err := driver.Alloc[*int](e.dev, 1)
		e.is("Alloc[*int]", err, driver.ErrSignature)
		_, err = driver.Alloc[string](e.dev, 1)
		e.is("Alloc[string]", err, driver.ErrSignature)
		_, err = driver.AllocHost[[]byte](e.dev, 1)
		e.is("AllocHost[[]byte]", err, driver.ErrSignature)
		_, err = driver.Alloc[uint32](nil, 1)
		e.is("Alloc on nil", err, driver.ErrInvalidValue)
	}},
	{"LaunchesWithClosedMemoryAreRefused", func(e *env) {
		s, k := e.stream(), bind[storeArgs](e, "basic", "store")
		b := buffer[uint32](e, 16)
		part, err := b.Slice(0, 16)
		e.ok(err)
		e.atEnd(part)
		closeAll(e, b, part)
		for _, a := range []storeArgs{{b.Ptr(), 1}, {part.Ptr(), 1}} {
			e.is("Launch", k.Launch(s, one, driver.ArgsOf(&a)), driver.ErrClosed)
		}
		e.wait(s)
	}},
	{"ClosedMemoryIsRefused", func(e *env) {
		s := e.stream()
		m, other := e.memory(64), e.memory(64)
		h := e.host(64)
		closeAll(e, m, h)
		p, _ := driver.PatternOf(uint32(1))
		_, slice := m.Slice(0, 1)
		r, x := driver.Rect{}, driver.Extent{Bytes: 4, Rows: 2}
		for what, err := range map[string]error{
			"Slice": slice, "Copy to": s.Copy(m, 0, other, 0, 4), "Copy from": s.Copy(other, 0, m, 0, 4), "Fill": s.Fill(m, 0, 4, p),
			"CopyFromHost": s.CopyFromHost(background, m, 0, make([]byte, 4)), "CopyToHost": s.CopyToHost(background, make([]byte, 4), m, 0),
			"CopyRect to": s.CopyRect(m, r, other, r, x), "CopyRect from": s.CopyRect(other, r, m, r, x), "Copy from host": s.Copy(other, 0, h, 0, 4),
		} {
			e.is(what, err, driver.ErrClosed)
		}
	}},
}
