// Kernels that fail, each in a way of its own. They run on a device only.

extern "C" __global__ void poke(unsigned *p) { *p = 1; }

extern "C" __global__ void trap(unsigned *p) { asm volatile("trap;"); }

extern "C" __global__ void misaligned(unsigned *p) { *(unsigned *)((char *)p + 1) = 1; }
