// Kernels of the tests of the fake driver.

extern "C" __global__ void saxpy(float a, const float *x, float *y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void __launch_bounds__(512) reverse(unsigned *x) {
    extern __shared__ unsigned part[];
    unsigned i = threadIdx.x, n = blockDim.x, at = blockIdx.x * n;
    part[i] = x[at + i];
    __syncthreads();
    x[at + i] = part[n - 1 - i];
}

// Its threads meet at a barrier several times, and its shared memory is static.
extern "C" __global__ void sum(const unsigned *x, unsigned *out) {
    __shared__ unsigned part[256];
    unsigned i = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y;
    part[i] = x[blockIdx.x * n + i];
    for (unsigned half = n / 2; half; half /= 2) {
        __syncthreads();
        if (i < half) part[i] += part[i + half];
    }
    if (!i) atomicAdd(out, part[0]);
}

struct odd {
    char c;
    double d[2];
    short s;
};

// A parameter of each size, and one whose alignment is larger than its place.
extern "C" __global__ void mixed(char a, odd b, float4 c, short d, uchar3 e, unsigned long long f, double *out) {
    out[0] = a;
    out[1] = b.c + b.d[0] + b.d[1] + b.s;
    out[2] = c.x + c.y + c.z + c.w;
    out[3] = d;
    out[4] = e.x + e.y + e.z;
    out[5] = (double)f;
}

struct alignas(128) wide {
    long s[16];
};
extern "C" __global__ void sixteen(char a, wide b, wide *out) {
    for (int i = 0; i < 16; i++) out[threadIdx.x].s[15 - i] = b.s[i] + a;
}

extern "C" __global__ void places(unsigned *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    out[(z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x] += 1 + x + 100 * y + 10000 * z;
}

namespace deep {
namespace er {
__global__ void inner(int *x) { *x = 7; }
}
template <class T, int n> __global__ void scale(T *x, T by) {
    for (int i = 0; i < n; i++) x[i] *= by;
}
}

extern "C" __global__ void __block_size__((4, 2, 1)) fixed(unsigned *out) { atomicAdd(out, 1u); }

__constant__ int table[4] = {1, 2, 3, 4};
__device__ unsigned counter;
extern "C" __global__ void lookup(int *out) {
    out[threadIdx.x] = table[threadIdx.x];
    atomicAdd(&counter, 1u);
}

extern "C" __global__ void trap() { __trap(); }

// Only the third thread of a block that waits at a barrier fails.
extern "C" __global__ void fails(int yes) {
    __syncthreads();
    assert(!yes || threadIdx.x != 2);
    __syncthreads();
}
