// Kernels with parameters of many kinds, for the tests of package codeobject.
struct pair { int a; double b; };
struct three { float x, y, z; };
extern "C" __global__ void empty() {}
extern "C" __global__ __launch_bounds__(256) void mixed(char c, short s, int i, long l, float f, double d, float *p, const int *q, struct pair v, struct three t, float4 v4, float2 v2, bool b) {
  extern __shared__ float tile[];
  __shared__ int fixed[64];
  fixed[threadIdx.x % 64] = i; tile[threadIdx.x] = f;
  __syncthreads();
  p[threadIdx.x] = c + s + l + (float)d + q[0] + v.a + (float)v.b + t.x + t.z + v4.x + v4.w + v2.y + b + fixed[0] + tile[1];
}
template <typename T> __global__ void scale(T *x, T a, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= a; }
template __global__ void scale<float>(float *, float, unsigned);
