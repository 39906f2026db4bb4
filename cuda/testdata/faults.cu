// Kernels that fail, each in a way of its own, and such as only compute-sanitizer finds
// fault with. They run on a device only.

extern "C" __global__ void poke(unsigned *p) { *p = 1; }

extern "C" __global__ void trap(unsigned *p) { asm volatile("trap;"); }

extern "C" __global__ void misaligned(unsigned *p) { *(unsigned *)((char *)p + 1) = 1; }

// All threads write the same shared word at once.
extern "C" __global__ void races(unsigned *p) {
    __shared__ volatile unsigned last;
    last = threadIdx.x;
    p[0] = last;
}

// What p points to has never been written.
extern "C" __global__ void reads(unsigned *p) { p[0] = p[1 + threadIdx.x] + 1; }

// Some threads of a warp wait for the others, which don't come.
extern "C" __global__ void diverges(unsigned *p) {
    if (threadIdx.x < 16) asm volatile("bar.sync 0;");
    p[0] = 1;
}
