/* fake_kernel.h: what a kernel image looks like to the fake driver, by itself or in a
 * code object of AMD's (amd_object.h).
 *
 * An image is a shared object of this machine that exports a fake_image under the
 * name fake_image_table. It describes the kernels, which are native functions. A
 * kernel runs once for each thread of the grid, on the thread of its stream; a
 * block's threads take turns as fibers where the image says that it has barriers.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FAKE_IMAGE_VERSION 2

/* Offset and size of a parameter, bytes, and whether it is a pointer, which is said in
 * a code object of AMD's; launches are the same without. */
typedef struct {
    uint32_t offset, size, pointer;
} fake_param;

/* One kernel. */
typedef struct {
    const char *name;               /* 0: that of the symbol at function */
    void *function;                 /* the kernel itself; may be 0 where name is given */
    void (*invoke)(void *function, void **params); /* calls it once, with pointers to its parameters */
    const fake_param *params;
    uint32_t n_params;
    uint32_t required_block[3];     /* 0: any */
    uint32_t max_threads;           /* the most threads in a block; 0: the device's limit */
    uint32_t registers, static_shared, local_bytes, const_bytes;
} fake_kernel;

typedef struct {
    uint32_t x, y, z;
} fake_dim3;

/* Where in the grid a thread is, as the kernel sees it. */
typedef struct {
    fake_dim3 thread, block, block_dim, grid_dim;
    void *shared;         /* the block's dynamic shared memory */
    uint32_t shared_size; /* its bytes */
} fake_thread;

/* What the driver does for a kernel that runs. */
typedef struct {
    void (*barrier)(void);   /* waits for the block's other threads */
    void (*fault)(int code); /* ends the kernel and breaks its context; does not return */
} fake_services;

enum {
    FAKE_IMAGE_BARRIERS = 1, /* kernels may call barrier */
    FAKE_IMAGE_VIRTUAL = 2,  /* for every device of arch or later, as PTX would be */
    FAKE_IMAGE_WHOLE = 4,    /* kernels are called once for a grid, not for each thread */
};

typedef struct {
    uint32_t version; /* FAKE_IMAGE_VERSION */
    uint32_t arch;    /* ten times the compute capability; 0: any device */
    uint32_t flags;
    uint32_t n_kernels;
    const fake_kernel *kernels;
    const fake_thread **(*self)(void); /* where the calling thread's position goes */
    const fake_services **services;    /* set when the image is loaded */
} fake_image;

#ifdef __cplusplus
}
#endif

#endif
