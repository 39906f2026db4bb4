// A separable blur of an RGBA picture in two passes: along the rows into a
// picture of floats, then along the columns back into bytes. Beyond its edges
// the picture goes on with the colour of the edge.
//
// weights has radius + 1 numbers: the middle of the bell, then one side of it.
// The grid may be larger than the picture.

__kernel void blur_rows(__global const uchar4 *src, __global float4 *dst,
                        __global const float *weights, int radius, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    __global const uchar4 *row = src + (size_t)y * width;
    float4 sum = convert_float4(row[x]) * weights[0];
    for (int i = 1; i <= radius; i++) {
        uchar4 left = row[max(x - i, 0)], right = row[min(x + i, width - 1)];
        sum += (convert_float4(left) + convert_float4(right)) * weights[i];
    }
    dst[(size_t)y * width + x] = sum;
}

__kernel void blur_columns(__global const float4 *src, __global uchar4 *dst,
                           __global const float *weights, int radius, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float4 sum = src[(size_t)y * width + x] * weights[0];
    for (int i = 1; i <= radius; i++) {
        float4 above = src[(size_t)max(y - i, 0) * width + x];
        float4 below = src[(size_t)min(y + i, height - 1) * width + x];
        sum += (above + below) * weights[i];
    }
    dst[(size_t)y * width + x] = convert_uchar4_sat_rte(sum);
}
