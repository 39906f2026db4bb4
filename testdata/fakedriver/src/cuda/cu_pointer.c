/* cu_pointer.c: what is known of an address. */
#include "cu.h"

#define PUT(type, v) \
    do { \
        type value = (type)(v); \
        memcpy(out, &value, sizeof value); \
    } while (0)

/* For an address of nobody, answers what there is to answer, or fails. */
static int unknown(void *out, CUpointer_attribute attr) {
    switch (attr) {
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: PUT(int, 0); return FK_OK;
    }
    return FK_INVALID_VALUE;
}

static int host_kind(const fk_mem_info *m) { return m->type == FK_MEM_HOST || m->type == FK_MEM_REGISTERED; }

static int get(void *out, CUpointer_attribute attr, uint64_t at) {
    fk_mem_info m;
    if (!out || attr < CU_POINTER_ATTRIBUTE_CONTEXT || attr > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE) return FK_INVALID_VALUE;
    if (fk_mem_info_at(at, &m)) return unknown(out, attr);
    switch (attr) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: PUT(CUcontext, (uintptr_t)m.ctx); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: PUT(unsigned, host_kind(&m) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: PUT(CUdeviceptr, at); break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!m.host_base) return FK_INVALID_VALUE;
        PUT(void *, (uintptr_t)at);
        break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: PUT(unsigned long long, m.id); break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: PUT(unsigned, m.type == FK_MEM_MANAGED); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: PUT(int, m.device); break;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: PUT(unsigned, m.type == FK_MEM_DEVICE && !m.pool); break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: PUT(CUdeviceptr, m.base); break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: PUT(size_t, m.size); break;
    case CU_POINTER_ATTRIBUTE_MAPPED: PUT(unsigned, 1); break;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: PUT(unsigned long long, m.type == FK_MEM_MAPPED); break;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: PUT(unsigned, 0); break;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: PUT(unsigned, CU_MEM_ACCESS_FLAGS_PROT_READWRITE); break;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: PUT(CUmemoryPool, (uintptr_t)m.pool); break;
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: PUT(unsigned, 0); break;
    default: return FK_INVALID_VALUE;
    }
    return FK_OK;
}

CUresult cuPointerGetAttribute(void *out, CUpointer_attribute attr, CUdeviceptr at) {
    ENTER_FREE(cuPointerGetAttribute);
    LEAVE(get(out, attr, at));
}

/* One that has no answer is left empty here. */
CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *attrs, void **values, CUdeviceptr at) {
    ENTER_FREE(cuPointerGetAttributes);
    LEAVE_IF(!n || n > CU_MOST || !attrs || !values, FK_INVALID_VALUE);
    for (unsigned i = 0; i < n; i++) {
        LEAVE_IF(!values[i], FK_INVALID_VALUE);
        if (!get(values[i], attrs[i], at)) continue;
        int wide = attrs[i] == CU_POINTER_ATTRIBUTE_CONTEXT || attrs[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                   attrs[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER || attrs[i] == CU_POINTER_ATTRIBUTE_BUFFER_ID ||
                   attrs[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR || attrs[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE ||
                   attrs[i] == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
        if (attrs[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) memcpy(values[i], &(int){-2}, sizeof(int));
        else memset(values[i], 0, wide ? 8 : 4);
    }
    LEAVE(FK_OK);
}
