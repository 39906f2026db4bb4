package drivertest

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/triad-gpu/triad/driver"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) }

// modelRect is the copy of a region in plain Go.
func modelRect(dst []byte, dr driver.Rect, src []byte, sr driver.Rect, x driver.Extent) {
	rows, slices := max(x.Rows, 1), max(x.Slices, 1)
	at := func(r driver.Rect, z, y uint64) uint64 {
		row := r.RowPitch
		if row == 0 {
			row = x.Bytes
		}
		slice := r.SlicePitch
		if slice == 0 {
			slice = row * rows
		}
		return r.Offset + z*slice + y*row
	}
	for z := range slices {
		for y := range rows {
			copy(dst[at(dr, z, y):at(dr, z, y)+x.Bytes], src[at(sr, z, y):at(sr, z, y)+x.Bytes])
		}
	}
}

// randomRect is a placement of the region, and how many bytes it reaches.
func randomRect(r *rand.Rand, x driver.Extent) (driver.Rect, int) {
	rows, slices := max(x.Rows, 1), max(x.Slices, 1)
	out := driver.Rect{Offset: uint64(r.IntN(200))}
	row := x.Bytes
	if r.IntN(3) > 0 {
		row += uint64(r.IntN(20))
		out.RowPitch = row
	}
	slice := row * rows
	if r.IntN(3) > 0 {
		slice += uint64(r.IntN(3)) * row
		out.SlicePitch = slice
	}
	return out, int(out.Offset + (slices-1)*slice + (rows-1)*row + x.Bytes)
}

var rectTests = []test{
	{"TwoDimensionalRegionsAgreeWithAModel", func(e *env) { rects(e, 1) }},
	{"ThreeDimensionalRegionsAgreeWithAModel", func(e *env) { rects(e, 5) }},
	{"ZeroRowsAndSlicesCountAsOne", func(e *env) {
		s := e.stream()
		src := random(100, 1)
		a, b := e.filled(s, src), e.filled(s, make([]byte, 100))
		e.ok(s.CopyRect(b, driver.Rect{Offset: 10}, a, driver.Rect{Offset: 50}, driver.Extent{Bytes: 20}))
		want := make([]byte, 100)
		copy(want[10:], src[50:70])
		if !bytes.Equal(e.content(s, b), want) {
			e.Error("wrong content")
		}
	}},
	{"NothingIsCopiedOfAnEmptyRegion", func(e *env) {
		s, a, b := e.stream(), e.memory(10), e.memory(10)
		e.ok(s.CopyRect(a, driver.Rect{}, b, driver.Rect{}, driver.Extent{Bytes: 0, Rows: 4, Slices: 2}))
		e.wait(s)
	}},
	{"RegionsBeyondTheEndAreRefused", func(e *env) {
		s, a, b := e.stream(), e.memory(1000), e.memory(1000)
		const big = math.MaxUint64
		fit := driver.Rect{RowPitch: 100}
		for _, x := range []struct {
			r driver.Rect
			x driver.Extent
		}{
			{driver.Rect{RowPitch: 100, Offset: 1}, driver.Extent{Bytes: 100, Rows: 10}},
			{fit, driver.Extent{Bytes: 100, Rows: 11}},
			{fit, driver.Extent{Bytes: 101, Rows: 2}},
			{driver.Rect{Offset: 1001}, driver.Extent{Bytes: 1}},
			{driver.Rect{Offset: big}, driver.Extent{Bytes: 1}},
			{driver.Rect{RowPitch: big}, driver.Extent{Bytes: 1, Rows: 2}},
			{driver.Rect{RowPitch: 1 << 63}, driver.Extent{Bytes: 1, Rows: 3}},
			{driver.Rect{SlicePitch: big / 2}, driver.Extent{Bytes: 1, Rows: 1, Slices: 4}},
			{driver.Rect{RowPitch: 10, SlicePitch: 15}, driver.Extent{Bytes: 10, Rows: 2, Slices: 2}},
			{driver.Rect{}, driver.Extent{Bytes: big}},
			{driver.Rect{}, driver.Extent{Bytes: 1 << 32, Rows: 1 << 32}},
			{driver.Rect{}, driver.Extent{Bytes: 1, Rows: 1 << 40, Slices: 1 << 40}},
		} {
			what := fmt.Sprintf("%+v of %+v", x.x, x.r)
			e.is("to "+what, s.CopyRect(a, x.r, b, driver.Rect{}, x.x), driver.ErrInvalidValue)
			e.is("from "+what, s.CopyRect(a, driver.Rect{}, b, x.r, x.x), driver.ErrInvalidValue)
		}
		e.ok(s.CopyRect(a, fit, b, fit, driver.Extent{Bytes: 100, Rows: 10}))
		e.wait(s)
	}},
	{"SlicePitchesAreMultiplesOfRowPitches", func(e *env) {
		s, a, b := e.stream(), e.memory(1000), e.memory(1000)
		odd, x := driver.Rect{RowPitch: 10, SlicePitch: 25}, driver.Extent{Bytes: 10, Rows: 2, Slices: 2}
		e.is("to", s.CopyRect(a, odd, b, driver.Rect{}, x), driver.ErrInvalidValue)
		e.is("from", s.CopyRect(a, driver.Rect{}, b, odd, x), driver.ErrInvalidValue)
	}},
	{"OverlapIsRefused", func(e *env) {
		s, a := e.stream(), e.memory(1000)
		r := driver.Rect{RowPitch: 10}
		e.is("onto itself", s.CopyRect(a, r, a, r, driver.Extent{Bytes: 5, Rows: 5}), driver.ErrInvalidValue)
		e.is("a row on", s.CopyRect(a, driver.Rect{RowPitch: 10, Offset: 10}, a, r, driver.Extent{Bytes: 10, Rows: 5}), driver.ErrInvalidValue)
		e.ok(s.CopyRect(a, driver.Rect{RowPitch: 10, Offset: 500}, a, r, driver.Extent{Bytes: 10, Rows: 5}))
		e.wait(s)
	}},
}

func rects(e *env, maxSlices int) {
	s, r := e.stream(), newRand(uint64(maxSlices))
	for round := range max(e.scale(60), 9) {
		x := driver.Extent{Bytes: uint64(1 + r.IntN(40)), Rows: uint64(1 + r.IntN(9)), Slices: uint64(1 + r.IntN(maxSlices))}
		dr, dn := randomRect(r, x)
		sr, sn := randomRect(r, x)
		from, to := ends[round%3], ends[round/3%3]
		src, want := random(sn+r.IntN(10), uint64(round)), random(dn+r.IntN(10), uint64(round+1000))
		a, b := from.make(e, s, src), to.make(e, s, want)
		if err := s.CopyRect(b, dr, a, sr, x); err != nil {
			e.Errorf("%s %+v to %s %+v, %+v: %v", from.name, sr, to.name, dr, x, err)
			continue
		}
		modelRect(want, dr, src, sr, x)
		if !bytes.Equal(to.read(e, s, b), want) {
			e.Errorf("%s %+v to %s %+v, %+v: wrong content", from.name, sr, to.name, dr, x)
		}
	}
}
