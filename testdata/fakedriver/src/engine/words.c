/* words.c: commands that write a word of 8 bytes, and that have a stream stand still
 * until a word compares with a value. */
#include <time.h>

#include "fk_internal.h"

typedef struct {
    fk_command c;
    fk_context *ctx;
    void *at;
    uint64_t value;
    int how, wide; /* how: FK_WORD_…, or -1 to write */
    fk_mem *mem;
} word_command;

static int holds(const word_command *w) {
    uint64_t have = w->wide ? __atomic_load_n((uint64_t *)w->at, __ATOMIC_SEQ_CST) : __atomic_load_n((uint32_t *)w->at, __ATOMIC_SEQ_CST);
    switch (w->how) {
    case FK_WORD_AT_LEAST: return w->wide ? (int64_t)(have - w->value) >= 0 : (int32_t)((uint32_t)have - (uint32_t)w->value) >= 0;
    case FK_WORD_EQUAL: return have == w->value;
    case FK_WORD_AND: return (have & w->value) != 0;
    }
    return w->wide ? ~(have | w->value) != 0 : (uint32_t) ~(have | w->value) != 0;
}

static int ended(word_command *w) {
    fk_lock();
    int gone = w->ctx->ending || w->ctx->fault;
    fk_unlock();
    return gone;
}

static int run(fk_command *c) {
    word_command *w = (word_command *)c;
    if (w->how < 0) {
        if (!fk.lose_words) __atomic_store_n((uint64_t *)w->at, w->value, __ATOMIC_SEQ_CST);
        return 0;
    }
    struct timespec little = {0, 20000};
    while (!holds(w) && !ended(w)) nanosleep(&little, 0);
    return 0;
}

static void drop(fk_command *c) { fk_mem_drop(((word_command *)c)->mem); }

static int submit(fk_handle stream, uint64_t addr, uint64_t value, int how, int wide) {
    fk_stream *s;
    fk_mem *m;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    if (!fk.devices[s->o.ctx->device].model.words) return FK_NOT_SUPPORTED;
    size_t size = wide ? 8 : 4;
    if (addr & (size - 1)) return FK_INVALID_VALUE;
    status = fk_mem_span(addr, size, FK_AT_DEVICE, &m);
    if (status) return status;
    word_command *w = fk_command_new(sizeof *w, run, drop);
    if (!w) return FK_OUT_OF_MEMORY;
    w->ctx = s->o.ctx;
    w->at = (void *)(uintptr_t)addr;
    w->value = value;
    w->how = how;
    w->wide = wide;
    w->mem = m;
    m->refs++;
    return fk_submit(s, &w->c);
}

int fk_stream_write64(fk_handle stream, uint64_t addr, uint64_t value) { return submit(stream, addr, value, -1, 1); }

int fk_stream_wait_word(fk_handle stream, uint64_t addr, uint64_t value, int how, int wide) {
    if (how < FK_WORD_AT_LEAST || how > FK_WORD_NOR) return FK_INVALID_VALUE;
    return submit(stream, addr, value, how, wide);
}
