// One kernel per element type, with all its vectors as parameters. Each lane is
// stored on its own, so that the test sees what the kernel sees.

#define VECTORS(T)                                                                                              \
    __kernel void vectors_##T(T a, T##2 b, T##3 c, T##4 d, T##8 e, T##16 f, __global T *out, __global T##3 *v) { \
        out[0] = a;                                                                                             \
        vstore2(b, 0, out + 1);                                                                                 \
        vstore3(c, 0, out + 3);                                                                                 \
        vstore4(d, 0, out + 6);                                                                                 \
        vstore8(e, 0, out + 10);                                                                                \
        vstore16(f, 0, out + 18);                                                                               \
        v[1] = c;                                                                                               \
    }

VECTORS(char)
VECTORS(uchar)
VECTORS(short)
VECTORS(ushort)
VECTORS(int)
VECTORS(uint)
VECTORS(long)
VECTORS(ulong)
VECTORS(float)
#ifdef WITH_DOUBLE
VECTORS(double)
#endif
