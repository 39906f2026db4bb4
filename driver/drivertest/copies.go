package drivertest

import (
	"bytes"
	"math"
	"slices"

	"github.com/triad-gpu/triad/driver"
)

// end is one kind of end that a copy can have.
type end struct {
	name string
	make func(e *env, s driver.Stream, content []byte) driver.Memory
	read func(e *env, s driver.Stream, m driver.Memory) []byte
}

var ends = []end{
	{"device", (*env).filled, (*env).content},
	{"slice", func(e *env, s driver.Stream, content []byte) driver.Memory {
		m := e.memory(uint64(len(content)) + 8192)
		part, err := m.Slice(4096, uint64(len(content)))
		e.ok(err)
		e.atEnd(part)
		e.Cleanup(func() { closeAll(e, part) })
		e.ok(s.CopyFromHost(background, part, 0, content))
		return part
	}, (*env).content},
	{"host", func(e *env, s driver.Stream, content []byte) driver.Memory {
		h := e.host(uint64(len(content)))
		copy(h.Bytes(), content)
		return h
	}, func(e *env, s driver.Stream, m driver.Memory) []byte {
		e.wait(s)
		return bytes.Clone(m.(driver.HostMemory).Bytes())
	}},
}

func fillTest[T any](e *env, s driver.Stream, v T, wantBytes []byte) {
	e.Helper()
	size := uint64(len(wantBytes))
	p, err := driver.PatternOf(v)
	e.ok(err)
	want := random(1024, size)
	m := e.filled(s, want)
	off, n := 4*size, 20*size
	e.ok(s.Fill(m, off, n, p))
	copy(want[off:], bytes.Repeat(wantBytes, 20))
	if diff := differs(want, e.content(s, m)); diff != "" {
		e.Errorf("a pattern of %d bytes: %s", size, diff)
	}
	for _, bad := range [][2]uint64{{1, size}, {size, size + 1}, {1024, size}, {math.MaxUint64 - size + 1, size}} {
		if size == 1 && bad[0] < 1024 {
			continue // everything is a multiple of 1
		}
		e.is("Fill", s.Fill(m, bad[0], bad[1], p), driver.ErrInvalidValue)
	}
}

var copyTests = []test{
	{"EveryDirectionWorks", func(e *env) {
		s := e.stream()
		for _, from := range ends {
			for _, to := range ends {
				source, want := random(5000, 1), random(6000, 2)
				src, dst := from.make(e, s, source), to.make(e, s, want)
				e.ok(s.Copy(dst, 17, src, 29, 4001))
				copy(want[17:], source[29:29+4001])
				if !bytes.Equal(to.read(e, s, dst), want) {
					e.Errorf("%s to %s: wrong content", from.name, to.name)
				}
			}
		}
	}},
	{"OneAllocationCopiesWithinItself", func(e *env) {
		s := e.stream()
		for _, k := range ends {
			want := random(4096, 3)
			m := k.make(e, s, want)
			e.ok(s.Copy(m, 0, m, 1024, 1024)) // they touch and don't overlap
			copy(want[:1024], want[1024:2048])
			e.ok(s.Copy(m, 3072, m, 0, 1000))
			copy(want[3072:], want[:1000])
			if !bytes.Equal(k.read(e, s, m), want) {
				e.Errorf("%s: wrong content", k.name)
			}
		}
	}},
	{"OverlapIsRefused", func(e *env) {
		s := e.stream()
		m := e.memory(16384)
		a, err := m.Slice(0, 8192)
		e.ok(err)
		e.atEnd(a)
		defer a.Close()
		b, err := m.Slice(4096, 8192)
		e.ok(err)
		e.atEnd(b)
		defer b.Close()
		e.is("shifted by one", s.Copy(m, 1, m, 0, 2), driver.ErrInvalidValue)
		e.is("shifted back", s.Copy(m, 0, m, 99, 100), driver.ErrInvalidValue)
		e.is("onto itself", s.Copy(m, 5, m, 5, 1), driver.ErrInvalidValue)
		e.is("through slices", s.Copy(a, 0, b, 0, 4097), driver.ErrInvalidValue)
		e.ok(s.Copy(a, 0, b, 0, 4096))
		h := e.host(100)
		e.is("on the host", s.Copy(h, 1, h, 0, 50), driver.ErrInvalidValue)
		e.wait(s)
	}},
	{"RangesBeyondTheEndAreRefused", func(e *env) {
		s := e.stream()
		m, o, h := e.memory(100), e.memory(100), e.host(100)
		const big = math.MaxUint64
		for _, r := range [][3]uint64{{0, 0, 101}, {1, 0, 100}, {0, 1, 100}, {101, 0, 0}, {0, 101, 0}, {big, 0, 1}, {0, big, 1}, {0, 0, big}, {50, 0, big - 10}, {big, big, big}} {
			e.is("Copy", s.Copy(m, r[0], o, r[1], r[2]), driver.ErrInvalidValue)
			e.is("Copy from the host", s.Copy(m, r[0], h, r[1], r[2]), driver.ErrInvalidValue)
			e.is("Copy to the host", s.Copy(h, r[0], m, r[1], r[2]), driver.ErrInvalidValue)
		}
		for _, off := range []uint64{91, 101, big, big - 9} {
			e.is("CopyFromHost", s.CopyFromHost(background, m, off, make([]byte, 10)), driver.ErrInvalidValue)
			e.is("CopyToHost", s.CopyToHost(background, make([]byte, 10), m, off), driver.ErrInvalidValue)
		}
		b := buffer[uint32](e, 4)
		e.is("Buffer.CopyFrom", b.CopyFrom(background, s, make([]uint32, 5)), driver.ErrInvalidValue)
		e.is("Buffer.CopyTo", b.CopyTo(background, s, make([]uint32, 5)), driver.ErrInvalidValue)
		e.is("Buffer.CopyBuffer", b.CopyBuffer(s, b, 5), driver.ErrInvalidValue)
		e.is("Buffer.CopyBuffer of -1", b.CopyBuffer(s, b, -1), driver.ErrInvalidValue)
		e.ok(s.Copy(m, 100, o, 100, 0))
	}},
	{"NilAndForeignMemoryIsRefused", func(e *env) {
		s, m := e.stream(), e.memory(16)
		p, _ := driver.PatternOf(uint32(1))
		far := bufferOn[byte](e, e.open(), 16).Memory()
		for _, x := range []struct {
			name string
			m    driver.Memory
			want error
		}{{"nil", nil, driver.ErrInvalidValue}, {"a stranger's", strangeMemory{}, driver.ErrDeviceMismatch}, {"another device's", far, driver.ErrDeviceMismatch}} {
			e.is("Copy to "+x.name, s.Copy(x.m, 0, m, 0, 4), x.want)
			e.is("Copy from "+x.name, s.Copy(m, 0, x.m, 0, 4), x.want)
			e.is("Fill of "+x.name, s.Fill(x.m, 0, 4, p), x.want)
			e.is("CopyFromHost to "+x.name, s.CopyFromHost(background, x.m, 0, make([]byte, 4)), x.want)
			e.is("CopyToHost from "+x.name, s.CopyToHost(background, make([]byte, 4), x.m, 0), x.want)
			e.is("CopyRect to "+x.name, s.CopyRect(x.m, driver.Rect{}, m, driver.Rect{}, driver.Extent{Bytes: 4}), x.want)
		}
	}},
	{"FillRepeatsPatternsOfEverySize", func(e *env) {
		s := e.stream()
		fillTest(e, s, uint8(0xa1), []byte{0xa1})
		fillTest(e, s, [2]uint8{1, 2}, []byte{1, 2})
		fillTest(e, s, [4]uint8{1, 2, 3, 4}, []byte{1, 2, 3, 4})
		fillTest(e, s, [8]uint8{1, 2, 3, 4, 5, 6, 7, 8}, []byte{1, 2, 3, 4, 5, 6, 7, 8})
		b := []byte{16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
		fillTest(e, s, [16]uint8(b), b)
		f := buffer[float64](e, 10)
		e.ok(f.Fill(s, 1.5))
		if got := download(e, s, f); !slices.Equal(got, slices.Repeat([]float64{1.5}, 10)) {
			e.Errorf("filled with 1.5: %v", got)
		}
	}},
	{"FillRefusesOtherPatterns", func(e *env) {
		_, err := driver.PatternOf([3]uint8{})
		e.is("PatternOf of 3 bytes", err, driver.ErrInvalidValue)
		s, m := e.stream(), e.memory(96)
		for _, n := range []uint8{0, 3, 5, 12, 17, 255} {
			e.is("Fill", s.Fill(m, 0, 96, driver.Pattern{Len: n}), driver.ErrInvalidValue)
		}
	}},
	{"PinnedBuffersCopyBothWays", func(e *env) {
		s := e.stream()
		h, err := driver.AllocHost[uint32](e.dev, 1000)
		e.ok(err)
		e.atEnd(h)
		defer h.Close()
		b := buffer[uint32](e, 1000)
		for i := range h.Slice() {
			h.Slice()[i] = uint32(i * 3)
		}
		e.ok(b.CopyFromPinned(s, h))
		launch(e, bind[storeArgs](e, "basic", "add"), s, driver.Grid1D(992, 32), storeArgs{b.Ptr(), 5})
		e.ok(b.CopyToPinned(s, h))
		e.wait(s)
		for i, v := range h.Slice() {
			want := uint32(i * 3)
			if i < 992 {
				want += 5
			}
			if v != want {
				e.Fatalf("element %d is %d, want %d", i, v, want)
			}
		}
	}},
	{"HostSlicesNeedNotBeGoMemory", func(e *env) {
		s := e.stream()
		pages, free := mapped(e, 1<<16)
		defer free()
		pinned := e.host(1 << 16)
		for name, host := range map[string][]byte{"mapped": pages, "pinned": pinned.Bytes()} {
			want := random(len(host), 8)
			copy(host, want)
			m := e.memory(uint64(len(host)))
			e.ok(s.CopyFromHost(background, m, 0, host))
			clear(host)
			e.ok(s.CopyToHost(background, host, m, 0))
			if !bytes.Equal(host, want) {
				e.Errorf("%s memory as host slice: wrong content", name)
			}
		}
	}},
	{"HostSlicesMayBePartsOfLargerOnes", func(e *env) {
		s := e.stream()
		want := random(3000, 9)
		m := e.filled(s, want[1000:2000])
		got := make([]byte, 3000)
		e.ok(s.CopyToHost(background, got[1000:2000], m, 0))
		if !bytes.Equal(got[1000:2000], want[1000:2000]) || bytes.ContainsFunc(got[:1000], notZero) || bytes.ContainsFunc(got[2000:], notZero) {
			e.Error("the copy wrote something else, or elsewhere")
		}
	}},
	{"RandomCopiesAgreeWithAModel", func(e *env) {
		s := e.stream()
		const n = 4096
		model := [3][]byte{random(n, 1), random(n, 2), random(n, 3)}
		var mem [3]driver.Memory
		for i, k := range ends {
			mem[i] = k.make(e, s, model[i])
		}
		r := newRand(7)
		for range max(e.scale(300), 20) {
			a, b := r.IntN(3), r.IntN(3)
			size := r.IntN(n / 3)
			to, from := r.IntN(n-size), r.IntN(n-size)
			if err := s.Copy(mem[a], uint64(to), mem[b], uint64(from), uint64(size)); a == b && size > 0 && to < from+size && from < to+size {
				e.is("overlap", err, driver.ErrInvalidValue)
				continue
			} else if err != nil {
				e.Fatalf("%d bytes from %d of %s to %d of %s: %v", size, from, ends[b].name, to, ends[a].name, err)
			}
			copy(model[a][to:to+size], model[b][from:from+size])
		}
		for i, k := range ends {
			if !bytes.Equal(k.read(e, s, mem[i]), model[i]) {
				e.Errorf("%s: wrong content", k.name)
			}
		}
	}},
}

func notZero(r rune) bool { return r != 0 }

// strangeMemory is memory of no backend.
type strangeMemory struct{ driver.Memory }
