/* called.c: kernels that are functions of the program, to which their launches are
 * handed: the driver's threads call none of its code.
 *
 * Such an image is a fat binary that holds a text: the line FAKE_CALLED, then a
 * line for each kernel, its number, its name, and offset:size of each parameter.
 * A launch is written to a pipe, as the address of a fake_called, and the stream's
 * thread waits until it is told that the kernel has ended. */
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "fake_control.h"
#include "fk_internal.h"

typedef struct {
    uint64_t id;
    uint32_t n_params;
} entry;

typedef struct {
    fake_image image;
    const fake_services *services;
    fake_kernel *kernels;
    entry *entries;
    fake_param *params;
    char *text;
} called_image;

typedef struct {
    fake_called c;
    sem_t ended;
    int code;
} launched;

static __thread const fake_thread *position;
static const fake_thread **self(void) { return &position; }
static _Atomic int out = -1;

void fake_serve(int fd) { out = fd; }

void fake_ended(fake_called *c, int code) {
    launched *l = (launched *)c;
    l->code = code;
    sem_post(&l->ended);
}

static int hand_over(launched *l) {
    void *address = &l->c;
    ssize_t n;
    do n = write(out, &address, sizeof address); /* whole: less than a pipe takes at once */
    while (n < 0 && errno == EINTR);
    if (n != sizeof address) return 0;
    while (sem_wait(&l->ended)) {
    }
    return 1;
}

static void invoke(void *function, void **params) {
    const entry *e = function;
    const fake_thread *t = position;
    launched l = {.c = {.id = e->id, .n_params = e->n_params, .params = params, .grid = t->grid_dim, .block = t->block_dim, .shared = t->shared, .shared_size = t->shared_size}};
    sem_init(&l.ended, 0, 0);
    int code = hand_over(&l) ? l.code : 719;
    sem_destroy(&l.ended);
    if (code) fk_services.fault(code);
}

static size_t count(const char *text, char what) {
    size_t n = 0;
    for (; *text; text++) n += *text == what;
    return n;
}

void fk_called_free(fake_image *image) {
    called_image *c = (called_image *)image;
    free(c->kernels);
    free(c->entries);
    free(c->params);
    free(c->text);
    free(c);
}

/* One line; it is cut into pieces. Returns how many parameters, or -1. */
static int line(char *text, fake_kernel *k, entry *e, fake_param *params) {
    unsigned long long id;
    char *rest = text, *number = strsep(&rest, " "), *name = strsep(&rest, " "), *item;
    int n = 0;
    if (!name || !*name || sscanf(number, "%llu", &id) != 1) return -1;
    while ((item = strsep(&rest, " ")))
        if (sscanf(item, "%u:%u", &params[n].offset, &params[n].size) != 2) return -1;
        else n++;
    *e = (entry){id, (uint32_t)n};
    *k = (fake_kernel){.name = name, .function = e, .invoke = invoke, .params = params, .n_params = (uint32_t)n};
    return n;
}

int fk_called_parse(const char *text, fake_image **image) {
    called_image *c = calloc(1, sizeof *c);
    if (!c) return FK_OUT_OF_MEMORY;
    size_t lines = count(text, '\n') + 1;
    c->text = strdup(text + strlen(FAKE_CALLED));
    c->kernels = calloc(lines, sizeof *c->kernels);
    c->entries = calloc(lines, sizeof *c->entries);
    c->params = calloc(count(text, ':') + 1, sizeof *c->params);
    int status = c->text && c->kernels && c->entries && c->params ? FK_OK : FK_OUT_OF_MEMORY, at = 0;
    uint32_t n = 0;
    char *rest = c->text, *item;
    while (!status && (item = strsep(&rest, "\n"))) {
        if (!*item) continue;
        int params = line(item, &c->kernels[n], &c->entries[n], c->params + at);
        if (params < 0) status = FK_INVALID_IMAGE;
        at += params;
        n++;
    }
    c->image = (fake_image){.version = FAKE_IMAGE_VERSION, .flags = FAKE_IMAGE_WHOLE, .n_kernels = n, .kernels = c->kernels, .self = self, .services = &c->services};
    if (status) fk_called_free(&c->image);
    else *image = &c->image;
    return status;
}

int64_t fake_room(uint64_t addr) {
    fk_lock();
    fk_mem *m = fk_mem_at(addr);
    int64_t n = m ? (int64_t)(m->base + m->size - addr) : 0;
    fk_unlock();
    return n;
}
