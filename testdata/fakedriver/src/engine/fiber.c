/* fiber.c: the threads of a block that meet at barriers. Each is a fiber on a
 * stack of its own; a barrier passes on to the next fiber, and a round is over
 * when each has come to the barrier or to its end.
 *
 * The first thread goes first. If it ends without a barrier, no thread of the
 * block has one, and the others run without fibers. */
#include <sys/mman.h>
#include <ucontext.h>

#include "fk_internal.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define SWITCH_FROM(save, bottom, size) __sanitizer_start_switch_fiber(save, bottom, size)
#define SWITCHED_TO(save, bottom, size) __sanitizer_finish_switch_fiber(save, bottom, size)
#else
#define SWITCH_FROM(save, bottom, size) ((void)(save), (void)(bottom), (void)(size))
#define SWITCHED_TO(save, bottom, size) ((void)0)
#endif

enum { STACK = 64 << 10 };

typedef struct {
    ucontext_t context;
    fake_thread position;
    int ended;
    void *shadow;
} fiber;

typedef struct {
    const fk_grid *grid;
    ucontext_t home;
    void *home_shadow;
    const void *home_bottom;
    size_t home_size;
    fiber *fibers;
    char *stacks;
    uint32_t n, current;
    int code;
} block;

static __thread block *running; /* while one of its fibers runs */

/* From the fiber that runs to the scheduler. */
static void leave(int for_good) {
    block *b = running;
    fiber *f = &b->fibers[b->current];
    SWITCH_FROM(for_good ? 0 : &f->shadow, b->home_bottom, b->home_size);
    swapcontext(&f->context, &b->home);
    SWITCHED_TO(f->shadow, &running->home_bottom, &running->home_size);
}

static void begin(void) {
    block *b = running;
    SWITCHED_TO(0, &b->home_bottom, &b->home_size);
    b->grid->kernel->invoke(b->grid->kernel->function, b->grid->params);
    b->fibers[b->current].ended = 1;
    leave(1);
}

static void enter(block *b, uint32_t i, const fake_thread **self) {
    fiber *f = &b->fibers[i];
    b->current = i;
    *self = &f->position;
    running = b;
    SWITCH_FROM(&b->home_shadow, b->stacks + (size_t)i * STACK, STACK);
    swapcontext(&b->home, &f->context);
    SWITCHED_TO(b->home_shadow, 0, 0);
    running = 0;
}

static void prepare(block *b, uint32_t i, const fake_thread *t) {
    fiber *f = &b->fibers[i];
    f->position = *t;
    f->position.thread = (fake_dim3){i % b->grid->block.x, i / b->grid->block.x % b->grid->block.y, i / b->grid->block.x / b->grid->block.y};
    f->ended = 0;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = b->stacks + (size_t)i * STACK;
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = 0;
    makecontext(&f->context, begin, 0);
}

void fk_fiber_barrier(void) {
    if (running) leave(0);
}

int fk_fiber_fault(int code) {
    if (!running) return 0;
    running->code = code;
    running->fibers[running->current].ended = 1;
    leave(1);
    return 0;
}

/* The threads behind the first, when none has a barrier. */
static void plainly(block *b, fake_thread *t, const fake_thread **self) {
    *self = t;
    for (uint32_t i = 1; i < b->n; i++) {
        t->thread = (fake_dim3){i % b->grid->block.x, i / b->grid->block.x % b->grid->block.y, i / b->grid->block.x / b->grid->block.y};
        b->grid->kernel->invoke(b->grid->kernel->function, b->grid->params);
    }
}

static void rounds(block *b, const fake_thread *t, const fake_thread **self) {
    for (uint32_t i = 1; i < b->n; i++) prepare(b, i, t);
    uint32_t first = 1, left = b->n;
    while (left && !b->code) {
        left = 0;
        for (uint32_t i = first; i < b->n && !b->code; i++) {
            if (!b->fibers[i].ended) enter(b, i, self);
            left += !b->fibers[i].ended;
        }
        left += first && !b->fibers[0].ended;
        first = 0;
    }
}

/* What a grid's blocks share: fibers and stacks for n threads. Few of them stay for the
 * stream's next grid: with new ones 150,000 of one thread took 9.5 s,
 * and take 1.7 s. */
static __thread fiber *fibers;
static __thread char *stacks;
static __thread uint32_t room;

enum { FEW = 64 };

static int grow(uint32_t n) {
    if (room >= n) return 1;
    fk_fiber_end();
    if (n < FEW) n = FEW;
    char *p = mmap(0, (size_t)n * (STACK + sizeof *fibers), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return 0;
    stacks = p;
    fibers = (fiber *)(p + (size_t)n * STACK);
    room = n;
    return 1;
}

void fk_fiber_rest(int code) {
    if (code || room > FEW) fk_fiber_end();
}

void fk_fiber_end(void) {
    if (room) munmap(stacks, (size_t)room * (STACK + sizeof *fibers));
    room = 0;
}

int fk_fiber_block(const fk_grid *g, fake_thread *t, const fake_thread **self) {
    block b = {.grid = g, .n = g->block.x * g->block.y * g->block.z};
    if (!grow(b.n)) abort(); /* no memory for a test's kernel */
    b.fibers = fibers;
    b.stacks = stacks;
    prepare(&b, 0, t);
    enter(&b, 0, self);
    if (!b.code && b.fibers[0].ended) plainly(&b, t, self);
    else if (!b.code) rounds(&b, t, self);
    *self = t;
    return b.code;
}
