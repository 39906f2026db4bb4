/* grid.c: runs a grid, thread after thread, on the calling thread. */
#include <setjmp.h>

#include "fk_internal.h"

static __thread jmp_buf *escape;
static __thread int fault_code;

static void barrier(void) { fk_fiber_barrier(); }

static void fault(int code) {
    fk_fiber_fault(code);
    fault_code = code;
    if (escape) longjmp(*escape, 1);
    abort(); /* called outside of a kernel */
}

const fake_services fk_services = {barrier, fault};

/* The threads of one block, one after the other. */
static void block(const fk_grid *g, fake_thread *t) {
    for (t->thread.z = 0; t->thread.z < g->block.z; t->thread.z++)
        for (t->thread.y = 0; t->thread.y < g->block.y; t->thread.y++)
            for (t->thread.x = 0; t->thread.x < g->block.x; t->thread.x++) g->kernel->invoke(g->kernel->function, g->params);
}

static int blocks(const fk_grid *g, fake_thread *t, const fake_thread **self) {
    if (g->table->flags & FAKE_IMAGE_WHOLE) {
        g->kernel->invoke(g->kernel->function, g->params);
        return 0;
    }
    for (t->block.z = 0; t->block.z < g->grid.z; t->block.z++)
        for (t->block.y = 0; t->block.y < g->grid.y; t->block.y++)
            for (t->block.x = 0; t->block.x < g->grid.x; t->block.x++) {
                if (!(g->table->flags & FAKE_IMAGE_BARRIERS)) {
                    block(g, t);
                    continue;
                }
                int code = fk_fiber_block(g, t, self);
                if (code) return code;
            }
    return 0;
}

int fk_grid_run(const fk_grid *g) {
    void *shared = 0;
    if (posix_memalign(&shared, 128, g->shared + 1)) return 0;
    memset(shared, 0xa5, g->shared); /* what real shared memory holds nobody knows */
    fake_thread t = {.block_dim = g->block, .grid_dim = g->grid, .shared = shared, .shared_size = g->shared};
    const fake_thread **self = g->table->self();
    jmp_buf here;
    volatile int code = 0;
    *self = &t;
    escape = &here;
    if (!setjmp(here)) code = blocks(g, &t, self);
    else code = fault_code;
    escape = 0;
    *self = 0;
    fk_fiber_rest(code);
    free(shared);
    return code;
}
