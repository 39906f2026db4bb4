package driver_test

import (
	"math"
	"math/big"
	"testing"

	"golang.org/x/exp/constraints"

	"github.com/triad-gpu/triad/driver"
)

// blocksOf is how many blocks cover n elements, by arithmetic that can't overflow;
// 0 for what can't be covered.
func blocksOf[N constraints.Integer](n N, block uint32) uint32 {
	if n <= 0 || block == 0 {
		return 0
	}
	b := new(big.Int).SetUint64(uint64(block))
	q := new(big.Int).SetUint64(uint64(n))
	q.Add(q, b).Sub(q, big.NewInt(1)).Div(q, b)
	if q.BitLen() > 32 {
		return 0
	}
	return uint32(q.Uint64())
}

// checkGrids holds the grids of any numbers against that.
func checkGrids[N constraints.Integer](t *testing.T, n [3]N, block [3]uint32) {
	t.Helper()
	for dims, got := range map[int]driver.LaunchConfig{
		1: driver.Grid1D(n[0], block[0]),
		2: driver.Grid2D(n[0], n[1], block[0], block[1]),
		3: driver.Grid3D(n[0], n[1], n[2], block[0], block[1], block[2]),
	} {
		want := driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 1, Y: 1, Z: 1}}
		grid, threads := []*uint32{&want.Grid.X, &want.Grid.Y, &want.Grid.Z}, []*uint32{&want.Block.X, &want.Block.Y, &want.Block.Z}
		empty := false
		for i := range dims {
			*grid[i], *threads[i] = blocksOf(n[i], block[i]), block[i]
			empty = empty || *grid[i] == 0
		}
		if empty {
			want.Grid = driver.Dim3{}
		}
		if got != want {
			t.Errorf("%v elements in blocks of %v, %d dimensions: %+v, want %+v", n, block, dims, got, want)
		}
	}
}

// A grid covers what it is to cover, whatever the numbers and their type, or is
// empty; and volumes stay at the greatest number where they would exceed it.
func FuzzGrid(f *testing.F) {
	for _, n := range []int64{0, 1, -1, 255, 256, 257, math.MaxInt32, math.MaxUint32, math.MaxInt64, math.MinInt64} {
		f.Add(n, int64(1), n, uint32(256), uint32(1), uint32(math.MaxUint32))
		f.Add(int64(7), n, int64(0), uint32(0), uint32(3), uint32(2))
	}
	f.Fuzz(func(t *testing.T, x, y, z int64, bx, by, bz uint32) {
		block := [3]uint32{bx, by, bz}
		checkGrids(t, [3]int64{x, y, z}, block)
		checkGrids(t, [3]uint64{uint64(x), uint64(y), uint64(z)}, block)
		checkGrids(t, [3]int32{int32(x), int32(y), int32(z)}, block)
		checkGrids(t, [3]uint16{uint16(x), uint16(y), uint16(z)}, block)
		checkGrids(t, [3]int8{int8(x), int8(y), int8(z)}, block)

		d := driver.Dim3{X: bx, Y: by, Z: bz}
		volume := new(big.Int).SetUint64(uint64(bx))
		volume.Mul(volume, new(big.Int).SetUint64(max(uint64(by), 1))).Mul(volume, new(big.Int).SetUint64(max(uint64(bz), 1)))
		want := uint64(math.MaxUint64)
		if volume.IsUint64() {
			want = volume.Uint64()
		}
		if got := d.Volume(); got != want {
			t.Errorf("the volume of %v is %d, want %d", d, got, want)
		}
	})
}
