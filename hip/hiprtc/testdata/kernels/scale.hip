#include "lib/scale.h"

// Multiplies each of the n numbers of x.
template <typename T> __global__ void scale(T *x, T by, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = scaled(x[i], by);
}
