// Reads a texture at the middle of each element, a place beyond them and a place
// between them, and writes twice the element to a surface.
extern "C" __global__ void look(cudaTextureObject_t from, cudaSurfaceObject_t to, float *out, unsigned width) {
    unsigned x = threadIdx.x, y = threadIdx.y, at = 3 * (y * width + x);
    float here = tex2D<float>(from, x + 0.5f, y + 0.5f);
    out[at] = here;
    out[at + 1] = tex2D<float>(from, x + 0.5f + width, y + 0.5f);
    out[at + 2] = tex2D<float>(from, x + 1.0f, y + 0.5f);
    surf2Dwrite(2 * here, to, x * 4, y);
}

// Reads 8-bit integers as they are, one after another.
extern "C" __global__ void list(cudaTextureObject_t from, unsigned *out) {
    out[threadIdx.x] = tex1Dfetch<unsigned char>(from, threadIdx.x);
}
