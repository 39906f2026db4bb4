// Kernels that do nothing, for measuring what a launch costs.

__kernel void empty0(void) {}

__kernel void empty4(float a, __global float *x, __global float *y, uint n) {}

__kernel void empty16(__global float *p0, __global float *p1, __global float *p2, __global float *p3,
                      __global float *p4, __global float *p5, __global float *p6, __global float *p7,
                      float a0, float a1, float a2, float a3, uint n0, uint n1, uint n2, uint n3) {}
