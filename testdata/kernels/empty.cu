// Kernels that do nothing, for measuring what a launch costs.

extern "C" __global__ void empty0() {}

extern "C" __global__ void empty4(float a, float *x, float *y, unsigned int n) {}

extern "C" __global__ void empty16(float *p0, float *p1, float *p2, float *p3, float *p4, float *p5, float *p6,
                                   float *p7, float a0, float a1, float a2, float a3, unsigned int n0,
                                   unsigned int n1, unsigned int n2, unsigned int n3) {}
