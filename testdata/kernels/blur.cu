// A separable blur of an RGBA picture in two passes: along the rows into a
// picture of floats, then along the columns back into bytes. Beyond its edges
// the picture goes on with the colour of the edge.
//
// weights has radius + 1 numbers: the middle of the bell, then one side of it.
// The grid may be larger than the picture.

struct alignas(4) pixel { unsigned char r, g, b, a; };
struct alignas(16) colour { float r, g, b, a; };

static __device__ colour colour_of(pixel p) { return {(float)p.r, (float)p.g, (float)p.b, (float)p.a}; }

// sum + (p + q) * w
static __device__ colour add(colour sum, colour p, colour q, float w) {
    return {sum.r + (p.r + q.r) * w, sum.g + (p.g + q.g) * w, sum.b + (p.b + q.b) * w, sum.a + (p.a + q.a) * w};
}

static __device__ colour scaled(colour p, float w) { return {p.r * w, p.g * w, p.b * w, p.a * w}; }

static __device__ unsigned char byte_of(float v) { return v <= 0 ? 0 : v >= 255 ? 255 : (unsigned char)rintf(v); }

static __device__ int atleast(int i, int low) { return i < low ? low : i; }
static __device__ int atmost(int i, int high) { return i > high ? high : i; }

extern "C" __global__ void blur_rows(const pixel *src, colour *dst, const float *weights, int radius, int width,
                                     int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const pixel *row = src + (long)y * width;
    colour sum = scaled(colour_of(row[x]), weights[0]);
    for (int i = 1; i <= radius; i++)
        sum = add(sum, colour_of(row[atleast(x - i, 0)]), colour_of(row[atmost(x + i, width - 1)]), weights[i]);
    dst[(long)y * width + x] = sum;
}

extern "C" __global__ void blur_columns(const colour *src, pixel *dst, const float *weights, int radius, int width,
                                        int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    colour sum = scaled(src[(long)y * width + x], weights[0]);
    for (int i = 1; i <= radius; i++)
        sum = add(sum, src[(long)atleast(y - i, 0) * width + x], src[(long)atmost(y + i, height - 1) * width + x],
                  weights[i]);
    dst[(long)y * width + x] = {byte_of(sum.r), byte_of(sum.g), byte_of(sum.b), byte_of(sum.a)};
}
