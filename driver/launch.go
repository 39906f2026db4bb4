package driver

import "golang.org/x/exp/constraints"

// Dim3 is a size in up to three dimensions. A zero Y or Z counts as 1, so that
// Dim3{X: 256} is one-dimensional; a zero X is an error where a size is needed.
type Dim3 struct{ X, Y, Z uint32 }

// Volume is X·Y·Z, zero Y and Z counting as 1. It does not overflow.
func (d Dim3) Volume() uint64 {
	d = d.Normal()
	// The product of three 32-bit numbers can exceed 64 bits; no device comes
	// near that, so saturate instead of wrapping round to something plausible.
	xy := uint64(d.X) * uint64(d.Y)
	if xy > ^uint64(0)/uint64(d.Z) {
		return ^uint64(0)
	}
	return xy * uint64(d.Z)
}

// Normal is d with Y and Z set to 1 where they are 0: what a backend hands to
// its driver. X stays as it is.
func (d Dim3) Normal() Dim3 {
	if d.Y == 0 {
		d.Y = 1
	}
	if d.Z == 0 {
		d.Z = 1
	}
	return d
}

// LaunchConfig is the shape of a launch, a plain value that costs nothing to
// pass. The words are CUDA's: a grid of blocks of threads. OpenCL calls a block
// a work-group and a thread a work-item, and its global size is Grid times
// Block in each dimension.
type LaunchConfig struct {
	Grid  Dim3 // blocks in the grid
	Block Dim3 // threads in a block

	// SharedBytes is dynamic shared memory per block in bytes, on top of what
	// Local parameters ask for. OpenCL has no such thing outside of Local
	// parameters and refuses a value other than 0.
	SharedBytes uint32
}

// Grid1D covers n elements with blocks of the given number of threads. The last
// block may reach beyond n, so the kernel compares its index with n. A size of
// zero or less, a block of zero and a grid beyond 2³²−1 blocks give an empty
// Grid, which every launch refuses.
func Grid1D[N constraints.Integer](n N, block uint32) LaunchConfig {
	return LaunchConfig{
		Grid:  grid(blocks(n, block), 1, 1),
		Block: Dim3{block, 1, 1},
	}
}

// Grid2D covers nx by ny elements with blocks of bx by by threads; see Grid1D.
func Grid2D[N constraints.Integer](nx, ny N, bx, by uint32) LaunchConfig {
	return LaunchConfig{
		Grid:  grid(blocks(nx, bx), blocks(ny, by), 1),
		Block: Dim3{bx, by, 1},
	}
}

// Grid3D covers nx by ny by nz elements with blocks of bx by by by bz threads;
// see Grid1D.
func Grid3D[N constraints.Integer](nx, ny, nz N, bx, by, bz uint32) LaunchConfig {
	return LaunchConfig{
		Grid:  grid(blocks(nx, bx), blocks(ny, by), blocks(nz, bz)),
		Block: Dim3{bx, by, bz},
	}
}

// grid empties the whole grid when one side is empty: in a Dim3 a zero Y would
// count as 1 and launch a row of blocks for an image without rows.
func grid(x, y, z uint32) Dim3 {
	if x == 0 || y == 0 || z == 0 {
		return Dim3{}
	}
	return Dim3{x, y, z}
}

// blocks is ceil(n / block) without overflow, and 0 for what cannot be covered.
func blocks[N constraints.Integer](n N, block uint32) uint32 {
	if n <= 0 || block == 0 {
		return 0
	}
	q := (uint64(n)-1)/uint64(block) + 1
	if q > 1<<32-1 {
		return 0
	}
	return uint32(q)
}
