template <typename T> __device__ T scaled(T value, T by) { return value * by; }
