// One kernel per element type, with all its vectors as parameters. Each lane is
// stored on its own, so that the test sees what the kernel sees.

// A vector with OpenCL's size and alignment, as package driver has them: three
// lanes take the room of four. CUDA's own vectors differ.
template <typename T, int lanes, int room> struct alignas(room * sizeof(T)) vec { T s[lanes]; };

template <typename T, int lanes, int room> __device__ T *put(T *out, const vec<T, lanes, room> &v) {
    for (int i = 0; i < lanes; i++) out[i] = v.s[i];
    return out + lanes;
}

#define VECTORS(NAME, T)                                                                                       \
    extern "C" __global__ void NAME(T a, vec<T, 2, 2> b, vec<T, 3, 4> c, vec<T, 4, 4> d, vec<T, 8, 8> e,       \
                                    vec<T, 16, 16> f, T *out, vec<T, 3, 4> *v) {                               \
        out[0] = a;                                                                                            \
        put(put(put(put(put(out + 1, b), c), d), e), f);                                                       \
        v[1] = c;                                                                                              \
    }

VECTORS(vectors_char, signed char)
VECTORS(vectors_uchar, unsigned char)
VECTORS(vectors_short, short)
VECTORS(vectors_ushort, unsigned short)
VECTORS(vectors_int, int)
VECTORS(vectors_uint, unsigned int)
VECTORS(vectors_long, long)
VECTORS(vectors_ulong, unsigned long)
VECTORS(vectors_float, float)
#ifdef WITH_DOUBLE
VECTORS(vectors_double, double)
#endif
