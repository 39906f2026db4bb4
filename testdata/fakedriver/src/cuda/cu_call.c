/* cu_call.c: how every call begins and ends, and how symbols are found. */
#include <stdio.h>
#include <stdlib.h>

#include "cu.h"
#include "own.h"

typedef struct {
    const char *symbol, *name;
    int version;
    void *function;
} row;

#define CU_ROW(kind, version, result, symbol, name, params) {#symbol, #name, version, (void *)symbol},
static const row rows[] = {TRIAD_CU_FUNCTIONS(CU_ROW)};

static int asked(int id, int *code) { return !fk_own.behind && fk_control_enter(id, code); }

__attribute__((constructor)) static void begin(void) {
    static const char *names[CU_IDS];
    if (fk_own.behind) return;
    for (int i = 0; i < CU_IDS; i++) names[i] = rows[i].symbol;
    fk_control_symbols(names, CU_IDS);
}

static int initialized; /* the lock guards it */
static __thread int lent; /* a context is current for this call only */

CUresult cu_enter(int id, int needs) {
    int code;
    if (asked(id, &code)) return code;
    if (needs == CU_NEEDS_NOTHING) {
        fk_lock();
        return CUDA_SUCCESS;
    }
    fk_lock();
    int status = initialized ? FK_OK : FK_NOT_INITIALIZED;
    if (!status && needs == CU_NEEDS_CONTEXT) status = fk_context_check();
    if (status) return cu_leave(status);
    return CUDA_SUCCESS;
}

CUresult cu_enter_on(int id, fk_handle on) {
    int code;
    if (asked(id, &code)) return code;
    fk_lock();
    if (!initialized) return cu_leave(FK_NOT_INITIALIZED);
    lent = fk_context_lend(on);
    int status = fk_context_check();
    return status ? cu_leave(status) : CUDA_SUCCESS;
}

CUresult cu_leave(int status) {
    fk_handle was;
    if (lent) fk_context_pop(&was);
    lent = 0;
    fk_unlock();
    return cu_code(status);
}

CUresult cuInit(unsigned flags) {
    ENTER_AS(cuInit, CU_NEEDS_NOTHING);
    LEAVE_IF(flags, FK_INVALID_VALUE);
    int status = fk_begin();
    if (!status) initialized = 1;
    LEAVE(status);
}

CUresult cuDriverGetVersion(int *version) {
    ENTER_AS(cuDriverGetVersion, CU_NEEDS_NOTHING);
    LEAVE_IF(!version, FK_INVALID_VALUE);
    *version = fk_control_version();
    LEAVE(FK_OK);
}

/* The newest form of a function that caller and driver both know. */
static const row *find(const char *name, int version, int *known) {
    const row *best = 0;
    int have = fk_control_version();
    *known = 0;
    for (int i = 0; i < CU_IDS; i++) {
        const row *r = &rows[i];
        if (strcmp(r->name, name) || fk_control_missing(r->symbol) || r->version > have) continue;
        *known = 1;
        if (r->version <= version && (!best || r->version >= best->version)) best = r;
    }
    return best;
}

EXPORT CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *result);
EXPORT CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags);

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *result) {
    int known;
    if (!name || !function || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) return CUDA_ERROR_INVALID_VALUE;
    *function = 0;
    if (!strcmp(name, "cuGetProcAddress") && !fk_control_missing("cuGetProcAddress")) {
        int v2 = version >= 12000 && fk_control_version() >= 12000;
        *function = v2 ? (void *)cuGetProcAddress_v2 : (void *)cuGetProcAddress;
        if (result) *result = CU_GET_PROC_ADDRESS_SUCCESS;
        return CUDA_SUCCESS;
    }
    const row *r = find(name, version, &known);
    if (r) *function = r->function;
    if (result) *result = r ? CU_GET_PROC_ADDRESS_SUCCESS : known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return r || result ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags) {
    CUdriverProcAddressQueryResult result;
    CUresult code = cuGetProcAddress_v2(name, function, version, flags, &result);
    if (code == CUDA_SUCCESS && result != CU_GET_PROC_ADDRESS_SUCCESS) code = CUDA_ERROR_NOT_FOUND;
    return code;
}
