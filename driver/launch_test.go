package driver_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/triad-gpu/triad/driver"
)

const maxBlocks = math.MaxUint32

func TestGrid1D(t *testing.T) {
	for _, c := range []struct {
		name string
		got  driver.LaunchConfig
		want uint32 // blocks
	}{
		{"one", driver.Grid1D(1, 256), 1},
		{"full", driver.Grid1D(256, 256), 1},
		{"one over", driver.Grid1D(257, 256), 2},
		{"zero", driver.Grid1D(0, 256), 0},
		{"negative", driver.Grid1D(-1, 256), 0},
		{"least", driver.Grid1D(int64(math.MinInt64), 256), 0},
		{"no block", driver.Grid1D(10, 0), 0},
		{"int8", driver.Grid1D(int8(127), 2), 64},
		{"uint8", driver.Grid1D(uint8(255), 256), 1},
		{"most blocks", driver.Grid1D(uint64(maxBlocks), 1), maxBlocks},
		{"too many blocks", driver.Grid1D(uint64(maxBlocks)+1, 1), 0},
		{"most with large blocks", driver.Grid1D(uint64(maxBlocks)*1024, 1024), maxBlocks},
		{"one too many", driver.Grid1D(uint64(maxBlocks)*1024+1, 1024), 0},
		{"all of uint64", driver.Grid1D(uint64(math.MaxUint64), math.MaxUint32), 0},
		{"all of int64", driver.Grid1D(int64(math.MaxInt64), math.MaxUint32), 1<<31 + 1},
	} {
		want := driver.Dim3{X: c.want, Y: 1, Z: 1}
		if c.want == 0 {
			want = driver.Dim3{}
		}
		if c.got.Grid != want {
			t.Errorf("%s: grid %v; want %v", c.name, c.got.Grid, want)
		}
	}
	want := driver.LaunchConfig{Grid: driver.Dim3{X: 4, Y: 1, Z: 1}, Block: driver.Dim3{X: 256, Y: 1, Z: 1}}
	if diff := cmp.Diff(want, driver.Grid1D(1000, 256)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGrid2DAnd3D(t *testing.T) {
	for _, c := range []struct{ got, want driver.LaunchConfig }{
		{driver.Grid2D(1920, 1080, 16, 8), driver.LaunchConfig{Grid: driver.Dim3{X: 120, Y: 135, Z: 1}, Block: driver.Dim3{X: 16, Y: 8, Z: 1}}},
		{driver.Grid2D(17, 1, 16, 8), driver.LaunchConfig{Grid: driver.Dim3{X: 2, Y: 1, Z: 1}, Block: driver.Dim3{X: 16, Y: 8, Z: 1}}},
		{driver.Grid3D(5, 6, 7, 2, 3, 4), driver.LaunchConfig{Grid: driver.Dim3{X: 3, Y: 2, Z: 2}, Block: driver.Dim3{X: 2, Y: 3, Z: 4}}},
		// Nothing on one side is nothing at all, not a row of blocks.
		{driver.Grid2D(100, 0, 16, 8), driver.LaunchConfig{Block: driver.Dim3{X: 16, Y: 8, Z: 1}}},
		{driver.Grid2D(0, 100, 16, 8), driver.LaunchConfig{Block: driver.Dim3{X: 16, Y: 8, Z: 1}}},
		{driver.Grid2D(100, 100, 16, 0), driver.LaunchConfig{Block: driver.Dim3{X: 16, Y: 0, Z: 1}}},
		{driver.Grid3D(5, 6, -7, 2, 3, 4), driver.LaunchConfig{Block: driver.Dim3{X: 2, Y: 3, Z: 4}}},
		{driver.Grid3D(5, 1<<40, 7, 2, 3, 4), driver.LaunchConfig{Block: driver.Dim3{X: 2, Y: 3, Z: 4}}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestDim3(t *testing.T) {
	for _, c := range []struct {
		d    driver.Dim3
		want uint64
	}{
		{driver.Dim3{}, 0},
		{driver.Dim3{X: 256}, 256},
		{driver.Dim3{X: 2, Z: 3}, 6},
		{driver.Dim3{Y: 5, Z: 3}, 0},
		{driver.Dim3{X: math.MaxUint32, Y: math.MaxUint32, Z: 1}, math.MaxUint32 * math.MaxUint32},
		{driver.Dim3{X: math.MaxUint32, Y: math.MaxUint32, Z: 2}, math.MaxUint64}, // saturated
		{driver.Dim3{X: math.MaxUint32, Y: math.MaxUint32, Z: math.MaxUint32}, math.MaxUint64},
		{driver.Dim3{X: 1 << 31, Y: 1 << 31, Z: 2}, 1 << 63},
		{driver.Dim3{X: 1 << 31, Y: 1 << 31, Z: 4}, math.MaxUint64},
	} {
		if got := c.d.Volume(); got != c.want {
			t.Errorf("%v has volume %d; want %d", c.d, got, c.want)
		}
	}
	if got, want := (driver.Dim3{X: 0, Y: 0, Z: 7}).Normal(), (driver.Dim3{X: 0, Y: 1, Z: 7}); got != want {
		t.Errorf("Normal: %v; want %v", got, want)
	}
}
