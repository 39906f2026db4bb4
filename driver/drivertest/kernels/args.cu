// Arguments of every size, each copied to where the host can see it.

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

// Vectors with OpenCL's size and alignment, as package driver has them.
struct alignas(16) lanes3 { float x, y, z; };
struct alignas(16) lanes4 { float x, y, z, w; };

struct s12 { int a, b, c; };
struct s16 { double a; float b; short c; char d, e; };
struct inner { signed char a; double b; };
struct s64 { signed char head; inner in[2]; short mid; ulong tail[3]; };
struct s112 { lanes4 v; uint n; lanes3 w; s12 t[5]; };

typedef float real;
typedef struct { int a, b, c; } triple;

#define SHAPE(NAME, TYPE)                                    \
    extern "C" __global__ void NAME(TYPE a, TYPE *out) {     \
        out[blockIdx.x * blockDim.x + threadIdx.x] = a;      \
    }

SHAPE(shape1, uchar)
SHAPE(shape2, ushort)
SHAPE(shape4, uint)
SHAPE(shape8, ulong)
SHAPE(shape12, s12)
SHAPE(shape16, s16)
SHAPE(shape64, s64)
SHAPE(shape112, s112)

// What the device makes of the fields, rather than of the bytes.
extern "C" __global__ void fields(uchar pad, s64 a, double *out) {
    out[0] = a.head;
    out[1] = a.in[0].a;
    out[2] = a.in[0].b;
    out[3] = a.in[1].a;
    out[4] = a.in[1].b;
    out[5] = a.mid;
    out[6] = a.tail[0];
    out[7] = a.tail[1];
    out[8] = a.tail[2];
    out[9] = pad;
}

extern "C" __global__ void mixed(uchar a, ulong b, ushort c, s12 d, signed char e, lanes3 f, uint g, ulong *out) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d.a + d.b + d.c;
    out[4] = e;
    out[5] = (ulong)(f.x + f.y + f.z);
    out[6] = g;
}

extern "C" __global__ void typedefs(real a, triple b, real *out) { out[0] = a + b.a + b.b + b.c; }

extern "C" __global__ void pointers(lanes4 *v, s12 *s, void *any, const int *c, uint n) {
    v[0].x += s[0].a + c[0] + n + ((signed char *)any)[0];
}

extern "C" __global__ void many(ulong *out, uint a0, uint a1, uint a2, uint a3, uint a4, uint a5, uint a6, uint a7,
                                uint a8, uint a9, uint a10, uint a11, uint a12, uint a13, uint a14, uint a15, uint a16,
                                uint a17, uint a18, uint a19, uint a20, uint a21, uint a22, uint a23, uint a24,
                                uint a25, uint a26, uint a27, uint a28, uint a29, uint a30) {
    uint a[31] = {a0,  a1,  a2,  a3,  a4,  a5,  a6,  a7,  a8,  a9,  a10, a11, a12, a13, a14, a15,
                  a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30};
    ulong sum = 0;
    for (uint i = 0; i < 31; i++) sum += (ulong)a[i] * (i + 1);
    out[0] = sum;
}
