// Kernels of several subjects.

typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned long ulong;

extern "C" __global__ void nothing() {}

extern "C" __global__ void store(uint *out, uint value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

extern "C" __global__ void add(uint *x, uint value) { x[blockIdx.x * blockDim.x + threadIdx.x] += value; }

extern "C" __global__ void saxpy(float a, const float *x, float *y, uint n) {
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

// Keeps one thread busy for n steps, and tells the compiler nothing about it.
extern "C" __global__ void spin(uint *x, ulong n) {
    uint v = x[0];
    for (ulong i = 0; i < n; i++) v = v * 1664525u + 1013904223u + (uint)i;
    x[0] = v;
}

// Counts each thread at its place in a box of the grid's size, and notes its
// place in its block and its block's.
extern "C" __global__ void ids(uint *count, uint *where) {
    ulong nx = gridDim.x * blockDim.x, ny = gridDim.y * blockDim.y;
    ulong x = blockIdx.x * blockDim.x + threadIdx.x;
    ulong y = blockIdx.y * blockDim.y + threadIdx.y;
    ulong z = blockIdx.z * blockDim.z + threadIdx.z;
    ulong at = (z * ny + y) * nx + x;
    count[at] += 1;
    where[at] = threadIdx.x | threadIdx.y << 4 | threadIdx.z << 8 | blockIdx.x << 12 | blockIdx.y << 16 |
                blockIdx.z << 20;
}

// CUDA before version 13 has no way to require one block; this bounds its volume.
extern "C" __global__ void __launch_bounds__(8) fixed_block(uint *out) {
    uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * gridDim.x * blockDim.x + x] = 1;
}

// Its two parts of shared memory, driver.Local on the host's side, are no
// parameters: they lie one behind the other, each aligned to 16 bytes.
extern "C" __global__ void reverse(uint *x) {
    extern __shared__ uint shared[];
    uint i = threadIdx.x, n = blockDim.x, at = blockIdx.x * n;
    uint *a = shared, *b = shared + (n + 3) / 4 * 4;
    a[i] = x[at + i];
    b[n - 1 - i] = x[at + i] * 2;
    __syncthreads();
    x[at + i] = a[n - 1 - i] + b[i];
}

extern "C" __global__ void is_null(const uint *p, uint *out) { out[0] = p == 0; }

extern "C" __global__ void flag(uchar yes, uint *out) { out[0] = yes; }
