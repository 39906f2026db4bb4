#include "triad_opencl.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

cl_kernel triad_cl_kernel_probe(cl_program p, const char *name, cl_int *code) {
    return triad_cl.clCreateKernel(p, name, code);
}

cl_int triad_cl_kernel_release(cl_kernel k) { return triad_cl.clReleaseKernel(k); }

/* One more cl_kernel like the first; 0 if there can't be one. */
static cl_kernel another(triad_cl_kernel *k) {
    cl_int code = CL_INVALID_OPERATION;
    cl_kernel more = 0;
    if (triad_cl.clCloneKernel) more = triad_cl.clCloneKernel(k->first, &code);
    if (!more || code != CL_SUCCESS) more = triad_cl.clCreateKernel(k->program, k->name, &code);
    return code == CL_SUCCESS ? more : 0;
}

/* Makes the kernel's C side around a first cl_kernel, which it takes over unless
 * it fails. The program must outlive it. Its plan is written through
 * triad_cl_kernel_params. */
triad_cl_kernel *triad_cl_kernel_new(cl_program p, const char *name, cl_kernel first) {
    triad_cl_kernel *k = aligned_alloc(64, (sizeof *k + 63) / 64 * 64);
    if (!k) return 0;
    memset(k, 0, sizeof *k);
    k->program = p;
    k->first = first;
    k->name = strdup(name);
    k->slots[0].kernel = k->name ? another(k) : 0;
    if (!k->slots[0].kernel) {
        free(k->name);
        free(k);
        return 0;
    }
    atomic_store(&k->nslots, 1);
    pthread_mutex_init(&k->grow, 0);
    return k;
}

/* Room for the plan, to be filled before the first launch. */
triad_cl_param *triad_cl_kernel_params(triad_cl_kernel *k, uint32_t n) {
    k->params = calloc(n ? n : 1, sizeof *k->params);
    k->nparams = k->params ? n : 0;
    return k->params;
}

void triad_cl_kernel_free(triad_cl_kernel *k) {
    uint32_t n = atomic_load(&k->nslots);
    for (uint32_t i = 0; i < n; i++) triad_cl.clReleaseKernel(k->slots[i].kernel);
    triad_cl.clReleaseKernel(k->first);
    pthread_mutex_destroy(&k->grow);
    free(k->params);
    free(k->name);
    free(k);
}

/* Adds a cl_kernel, taken, for one more launch at a time; 0 when there are enough
 * or another thread is adding one. */
static triad_cl_slot *grow(triad_cl_kernel *k) {
    triad_cl_slot *slot = 0;
    if (pthread_mutex_trylock(&k->grow) != 0) return 0;
    uint32_t n = atomic_load(&k->nslots);
    if (n < TRIAD_CL_SLOTS) {
        cl_kernel more = another(k);
        if (more) {
            slot = &k->slots[n];
            slot->kernel = more;
            atomic_store(&slot->busy, 1);
            atomic_store(&k->nslots, n + 1);
        }
    }
    pthread_mutex_unlock(&k->grow);
    return slot;
}

/* Takes a cl_kernel of k's for the time of one launch. A thread begins at the
 * one that it had last, so that threads settle on one each. */
static triad_cl_slot *take(triad_cl_kernel *k) {
    static __thread uint32_t hint;
    for (;;) {
        uint32_t n = atomic_load_explicit(&k->nslots, memory_order_acquire);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t at = (hint + i) % n, idle = 0;
            triad_cl_slot *slot = &k->slots[at];
            if (atomic_compare_exchange_strong_explicit(&slot->busy, &idle, 1, memory_order_acquire,
                                                        memory_order_relaxed)) {
                hint = at;
                return slot;
            }
        }
        triad_cl_slot *slot = grow(k);
        if (slot) {
            hint = (uint32_t)(slot - k->slots);
            return slot;
        }
        sched_yield();
    }
}

static cl_int set_arg(cl_kernel kernel, cl_uint i, const triad_cl_param *p, const uint8_t *args) {
    const uint8_t *value = args + p->offset;
    uint64_t word;
    switch (p->kind) {
    case TRIAD_CL_ARG_VALUE: return triad_cl.clSetKernelArg(kernel, i, p->size, value);
    case TRIAD_CL_ARG_LOCAL:
        memcpy(&word, value, sizeof word);
        /* Not every driver refuses no memory at all. */
        return word ? triad_cl.clSetKernelArg(kernel, i, (size_t)word, 0) : CL_INVALID_ARG_SIZE;
    }
    memcpy(&word, value, sizeof word);
    if (word >> 63) { /* driver.PtrHandleBit: a buffer */
        cl_mem m = (cl_mem)(uintptr_t)(word & ~((uint64_t)1 << 63));
        if (!m) return CL_INVALID_MEM_OBJECT; /* driver.PtrClosed */
        return triad_cl.clSetKernelArg(kernel, i, sizeof m, &m);
    }
    if (!word) return triad_cl.clSetKernelArg(kernel, i, sizeof(cl_mem), 0);
    return triad_cl.clSetKernelArgSVMPointer ? triad_cl.clSetKernelArgSVMPointer(kernel, i, (void *)(uintptr_t)word)
                                             : CL_INVALID_ARG_VALUE;
}

/* Sets the arguments and enqueues. *refused is one more than the index of an
 * argument that was refused, or 0. */
static cl_int enqueue(const triad_cl_launch_shape *l, cl_kernel kernel, const uint8_t *args, uint32_t nwaits,
                      const cl_event *waits, cl_event *ev, uint32_t *refused) {
    const triad_cl_kernel *k = (const triad_cl_kernel *)l->kernel;
    triad_cl_stream *s = (triad_cl_stream *)l->stream;
    for (uint32_t i = 0; i < k->nparams; i++) {
        cl_int code = set_arg(kernel, i, &k->params[i], args);
        if (code == CL_SUCCESS) continue;
        *refused = i + 1;
        return code;
    }
    return triad_cl.clEnqueueNDRangeKernel(s->q, kernel, l->dims, l->has_offset ? l->offset : 0, l->global,
                                           l->has_local ? l->local : 0, nwaits, nwaits ? waits : 0, ev);
}

/* Whether a launch of null pointers deserves a new cl_kernel: NVIDIA's driver
 * (580) takes no null for a parameter that has had a shared virtual address, and
 * says at the launch that an argument is missing. */
static int renew_for_null(triad_cl_kernel *k, triad_cl_slot *slot, const uint8_t *args) {
    for (uint32_t i = 0; i < k->nparams; i++) {
        uint64_t word;
        if (k->params[i].kind != TRIAD_CL_ARG_POINTER) continue;
        memcpy(&word, args + k->params[i].offset, sizeof word);
        if (word) continue;
        cl_kernel fresh = another(k);
        if (!fresh) return 0;
        triad_cl.clReleaseKernel(slot->kernel);
        slot->kernel = fresh;
        return 1;
    }
    return 0;
}

/* Takes a cl_kernel for setting the arguments and enqueueing. */
static int64_t launch(const triad_cl_launch_shape *l, const uint8_t *args, uint32_t nwaits, const cl_event *waits,
                      cl_event *ev) {
    triad_cl_kernel *k = (triad_cl_kernel *)l->kernel;
    uint32_t refused = 0;
    triad_cl_slot *slot = take(k);
    cl_int code = enqueue(l, slot->kernel, args, nwaits, waits, ev, &refused);
    if (code == CL_INVALID_KERNEL_ARGS && renew_for_null(k, slot, args))
        code = enqueue(l, slot->kernel, args, nwaits, waits, ev, &refused);
    atomic_store_explicit(&slot->busy, 0, memory_order_release);
    if (code == CL_SUCCESS) triad_cl_submitted((triad_cl_stream *)l->stream);
    return (int64_t)((uint64_t)refused << 32 | (uint32_t)code);
}

int64_t triad_cl_launch_grid(triad_cl_launch_grid_shape g, const uint8_t *args) {
    triad_cl_launch_shape l = {.stream = g.stream, .kernel = g.kernel, .dims = 1, .has_local = 1};
    for (int i = 0; i < 3; i++) {
        l.local[i] = g.block[i];
        l.global[i] = (size_t)g.grid[i] * g.block[i];
        if (l.global[i] > 1) l.dims = i + 1; /* drivers do less for fewer dimensions */
    }
    return launch(&l, args, 0, 0, 0);
}

int64_t triad_cl_launch(triad_cl_launch_shape l, const uint8_t *args, const uintptr_t *waits) {
    triad_cl_stream *s = (triad_cl_stream *)l.stream;
    triad_cl_event *out = (triad_cl_event *)l.out;
    cl_event list[TRIAD_CL_MAX_EVENTS], ev = 0;
    uint32_t held = l.nwaits ? triad_cl_event_list(waits, l.nwaits, list) : 0;
    int64_t result = launch(&l, args, held, list, out || held ? &ev : 0);
    if (ev && held) {
        if (out) triad_cl.clRetainEvent(ev);
        triad_cl_stream_hold(s, ev);
    }
    while (held) triad_cl.clReleaseEvent(list[--held]);
    if (ev && out) {
        triad_cl_event_set(out, ev);
        triad_cl.clFlush(s->q);
    }
    return result;
}
