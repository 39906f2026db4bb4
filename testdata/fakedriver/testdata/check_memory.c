/* check_memory.c: allocations, pools, copies of rows and boxes, arrays. */
#include "check.h"

static unsigned char host[1 << 20], back[1 << 20];

static void fill_host(void) {
    for (size_t i = 0; i < sizeof host; i++) host[i] = (unsigned char)(i * 31 + i / 256);
}

static void copies(CUstream s) {
    static const size_t sizes[] = {1, 64 << 10, (64 << 10) + 1, 1 << 20};
    CUdeviceptr a = memory(1 << 20), b = memory(1 << 20);
    for (int i = 0; i < 4; i++) {
        size_t n = sizes[i];
        memset(back, 0, sizeof back);
        OK(cuMemcpyHtoDAsync_v2(a, host, n, s));
        OK(cuMemcpyDtoDAsync_v2(b, a, n, s));
        OK(cuMemcpyAsync((uintptr_t)back, b, n, s));
        EXPECT(memcmp(host, back, n), 0);
        GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoHAsync_v2(back, a + (1 << 20) - n + 1, n, s));
        GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoDAsync_v2(b + (1 << 20) - n + 1, a, n, s));
    }
    OK(cuMemsetD16Async(a + 2, 0xabcd, 3, s));
    OK(cuMemsetD2D32Async(b, 64, 0x01020304, 2, 2, s));
    OK(cuMemcpyDtoHAsync_v2(back, a, 16, s));
    EXPECT(back[1], host[1]);
    EXPECT(back[2], 0xcd);
    EXPECT(back[7], 0xab);
    EXPECT(back[8], host[8]);
    OK(cuMemcpyDtoHAsync_v2(back, b, 128, s));
    EXPECT(back[71], 1);
    EXPECT(back[8], host[8]);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8Async(a, (size_t)1 << 63, 0, 8, 8, s));
    OK(cuMemFree_v2(a));
    OK(cuMemFree_v2(b));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(a));
}

static void boxes(CUstream s) {
    CUdeviceptr d = memory(64 * 16 * 4);
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = host, .srcPitch = 100, .srcHeight = 20, .srcXInBytes = 5, .srcY = 1, .srcZ = 1,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = d, .dstPitch = 64, .dstHeight = 16, .dstXInBytes = 3, .dstY = 2, .dstZ = 1,
                       .WidthInBytes = 40, .Height = 10, .Depth = 3};
    OK(cuMemsetD8Async(d, 0, 64 * 16 * 4, s));
    OK(cuMemcpy3DAsync_v2(&c, s));
    OK(cuMemcpyDtoHAsync_v2(back, d, 64 * 16 * 4, s));
    for (size_t z = 0; z < 4; z++)
        for (size_t y = 0; y < 16; y++)
            for (size_t x = 0; x < 64; x++) {
                int in = z >= 1 && y >= 2 && y < 12 && x >= 3 && x < 43;
                EXPECT(back[(z * 16 + y) * 64 + x], in ? host[((z - 1 + 1) * 20 + y - 2 + 1) * 100 + x - 3 + 5] : 0);
            }
    c.dstZ = 2;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DAsync_v2(&c, s));
    c.dstZ = (size_t)-1;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DAsync_v2(&c, s));
    OK(cuMemFree_v2(d));
}

static void arrays(CUstream s) {
    CUarray a, level;
    CUmipmappedArray m;
    CUtexObject texture;
    CUsurfObject surface;
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 10, .Height = 6, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4, .Flags = CUDA_ARRAY3D_SURFACE_LDST}, got;
    OK(cuArray3DCreate_v2(&a, &d));
    OK(cuArray3DGetDescriptor_v2(&got, a));
    EXPECT(got.Width == 10 && got.Height == 6 && got.NumChannels == 4, 1);
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = host, .srcPitch = 160, .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = a, .WidthInBytes = 160, .Height = 6};
    OK(cuMemcpy2DAsync_v2(&c, s));
    CUDA_MEMCPY2D r = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = a, .srcY = 2, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = back, .dstPitch = 160, .WidthInBytes = 160, .Height = 4};
    OK(cuMemcpy2DAsync_v2(&r, s));
    EXPECT(memcmp(back, host + 320, 640), 0);
    r.Height = 5;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2DAsync_v2(&r, s));
    CUDA_RESOURCE_DESC res = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    CUDA_TEXTURE_DESC tex = {0};
    OK(cuTexObjectCreate(&texture, &res, &tex, 0));
    OK(cuSurfObjectCreate(&surface, &res));
    OK(cuTexObjectDestroy(texture));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(texture));
    OK(cuSurfObjectDestroy(surface));
    OK(cuArrayDestroy(a));
    d.Width = 16, d.Height = 16;
    OK(cuMipmappedArrayCreate(&m, &d, 3));
    OK(cuMipmappedArrayGetLevel(&level, m, 2));
    OK(cuArray3DGetDescriptor_v2(&got, level));
    EXPECT(got.Width, 4);
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(level));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayGetLevel(&level, m, 3));
    OK(cuMipmappedArrayDestroy(m));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArray3DGetDescriptor_v2(&got, level));
}

static void pools(CUstream s) {
    CUmemoryPool p, own, standard;
    CUdeviceptr a, b;
    cuuint64_t n;
    OK(cuDeviceGetDefaultMemPool(&standard, 0));
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, .maxSize = 1 << 20};
    OK(cuMemPoolCreate(&own, &props));
    OK(cuMemAllocAsync(&a, 1000, s));
    OK(cuMemAllocFromPoolAsync(&b, 1000, own, s));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocFromPoolAsync(&a, 1 << 20, own, s));
    OK(cuPointerGetAttribute(&p, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, b));
    EXPECT(p == own, 1);
    OK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &n));
    EXPECT(n, 1000);
    OK(cuMemsetD8Async(a, 1, 1000, s));
    ctl.fake_hold(1);
    OK(cuMemsetD8Async(b, 1, 1000, s));
    OK(cuMemFreeAsync(b, s));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(b, s));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8Async(b, 1, 1, s));
    EXPECT(ctl.fake_bytes("device"), 2000);
    ctl.fake_hold(0);
    OK(cuStreamSynchronize(s));
    EXPECT(ctl.fake_bytes("device"), 1000);
    OK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &n));
    EXPECT(n, 1000);
    OK(cuMemFree_v2(a));
    OK(cuDeviceSetMemPool(0, own));
    OK(cuMemPoolDestroy(own));
    OK(cuDeviceGetMemPool(&p, 0));
    EXPECT(p == standard, 1);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(standard));
}

void check_memory(void) {
    CUstream s = stream(1);
    fill_host();
    copies(s);
    boxes(s);
    arrays(s);
    pools(s);
    OK(cuStreamDestroy_v2(s));
}
