// Kernels and variables for tests of what lies beyond the contract.

typedef unsigned int uint;

extern "C" {
__constant__ uint table[4] = {1, 2, 3, 4};
__device__ uint total = 7;
}

extern "C" __global__ void nothing() {}

extern "C" __global__ void store(uint *out, uint value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

// Adds the table to the total, and tells both.
extern "C" __global__ void sum(uint *out) {
    for (uint i = 0; i < 4; i++) total += table[i];
    out[0] = total;
}

struct mixed {
    unsigned char a;
    double b;
};

extern "C" __global__ void mix(unsigned char a, mixed b, uint *out, unsigned short c) {
    out[0] = a;
    out[1] = b.a;
    out[2] = (uint)b.b;
    out[3] = c;
}

struct kilobytes {
    uint at[256];
};

extern "C" __global__ void large(kilobytes a, uint *out) { out[0] = a.at[0] + a.at[255]; }

// Writes at both ends of n words of dynamic shared memory.
extern "C" __global__ void ends(uint *out, uint n) {
    extern __shared__ uint room[];
    room[n - 1] = n;
    room[0] = n;
    out[0] = room[0] + room[n - 1];
}

extern "C" __global__ void __launch_bounds__(64) bounded(uint *out) { out[0] = blockDim.x; }
