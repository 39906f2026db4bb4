/* ipc.c: memory for other processes. It is known in this one only: the bytes that
 * stand for it hold the process, and what was allocated where. */
#include <unistd.h>

#include "fk_internal.h"

#define WORD 0x79726f6d656dull

int fk_ipc_export(uint64_t addr, char out[64]) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    fk_mem *m = fk_mem_at(addr);
    if (!m || m->type != FK_MEM_DEVICE || m->pool) return FK_INVALID_VALUE;
    uint64_t words[8] = {WORD, (uint64_t)getpid(), m->base, m->id};
    memcpy(out, words, sizeof words);
    return FK_OK;
}

int fk_ipc_open(const char in[64], uint64_t *addr) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    uint64_t words[8];
    memcpy(words, in, sizeof words);
    fk_mem *m = words[0] == WORD && words[1] == (uint64_t)getpid() ? fk_mem_at(words[2]) : 0;
    if (!m || m->base != words[2] || m->id != words[3]) return FK_INVALID_VALUE;
    m->opened++;
    *addr = m->base;
    return FK_OK;
}

int fk_ipc_close(uint64_t addr) {
    fk_mem *m = fk_mem_at(addr);
    if (!m || m->base != addr || !m->opened) return FK_INVALID_VALUE;
    m->opened--;
    return FK_OK;
}
