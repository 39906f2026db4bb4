#define _GNU_SOURCE
#include "triad_cuda.h"

#include "triad_dl.h"
#include "triad_signals.h"

struct triad_cu_api triad_cu;

/* REQUIRED and OPTIONAL of the table, as flags. */
enum { REQUIRED = 1, OPTIONAL = 0 };

static const struct triad_dl_row rows[] = {
#define ROW(kind, version, result, symbol, base, params) {#symbol, kind, version, offsetof(struct triad_cu_api, symbol)},
    TRIAD_CU_FUNCTIONS(ROW)
#undef ROW
};

/* The names that cuGetProcAddress knows them by. */
static const char *const bases[] = {
#define BASE(kind, version, result, symbol, base, params) #base,
    TRIAD_CU_FUNCTIONS(BASE)
#undef BASE
};

enum { ROWS = sizeof rows / sizeof *rows };

static void *library;

/* What the driver itself gives for a row; 0 if it doesn't know. It is asked for
 * the version that brought this form of the call, and for the legacy default
 * stream. A driver that is older than the form gives the one before it, which is
 * another row's. */
static void *by_proc(void *lib, int r, int version) {
    void *sym = 0, *get;
    if (rows[r].version > version) return 0;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
    if ((get = dlsym(lib, "cuGetProcAddress_v2"))) {
        triad_cu_get_proc_v2 f;
        memcpy(&f, &get, sizeof f);
        if (f(bases[r], &sym, rows[r].version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &status) != CUDA_SUCCESS ||
            status != CU_GET_PROC_ADDRESS_SUCCESS)
            return 0;
        return sym;
    }
    return 0;
}

/* The driver's version; 0 if it doesn't tell. */
static int version_of(void *lib) {
    int version = 0;
    CUresult (*get)(int *);
    void *sym = dlsym(lib, "cuDriverGetVersion");
    memcpy(&get, &sym, sizeof get);
    return sym && get(&version) == CUDA_SUCCESS ? version : 0;
}

static void *at(struct triad_cu_api *api, int r) {
    void *sym;
    memcpy(&sym, (char *)api + rows[r].at, sizeof sym);
    return sym;
}

/* A driver that lacks the form of a call that its version should have gives the one
 * before it, which takes other arguments: then the newer form isn't there. */
static void drop_older(struct triad_cu_api *api) {
    for (int r = 0; r < ROWS; r++)
        for (int q = 0; q < ROWS; q++)
            if (!rows[r].required && rows[q].version < rows[r].version && !strcmp(bases[q], bases[r]) && at(api, q) == at(api, r))
                memset((char *)api + rows[r].at, 0, sizeof(void *));
}

/* Opens one library and resolves the table. On failure it returns -1 with the
 * reason in text, and the table is as it was.
 *
 * The toolkit has a library of the same name that only programs are linked with:
 * every call of it fails, so one is made. */
int triad_cu_load(const char *path, char *text, size_t room, char *found, size_t found_room) {
    struct triad_cu_api api = {0};
    triad_signals_save();
    void *lib = triad_dl_open(path, text, room);
    triad_signals_restore();
    if (!lib) return -1;
    int known = version_of(lib);
    for (int r = 0; r < ROWS; r++) {
        void *sym = by_proc(lib, r, known);
        if (!sym) sym = triad_dl_sym(lib, rows[r].name, text, room);
        if (!sym && rows[r].required) {
            dlclose(lib);
            return -1;
        }
        memcpy((char *)&api + rows[r].at, &sym, sizeof sym);
    }
    drop_older(&api);
    int version = 0;
    CUresult code = api.cuDriverGetVersion(&version);
    if (code == CUDA_ERROR_STUB_LIBRARY || (code == CUDA_SUCCESS && version == 0)) {
        snprintf(text, room, "it is a stub, which programs are linked with; the driver's own libcuda.so.1 is needed");
        dlclose(lib);
        return -1;
    }
    if (code == CUDA_SUCCESS && version < 11040) {
        snprintf(text, room, "it is the driver of CUDA %d.%d; 11.4 or later is needed", version / 1000, version % 1000 / 10);
        dlclose(lib);
        return -1;
    }
    triad_dl_path((void *)api.cuInit, found, found_room);
    triad_cu = api;
    library = lib;
    return 0;
}

/* The i-th optional symbol that is missing; 0 when there is no i-th. */
int triad_cu_missing(int i, const char **name, int *version) {
    return triad_dl_missing(rows, ROWS, &triad_cu, i, name, version);
}

/* Row i of the table, and whether both ways to find its symbol agree: 1 if so, 0
 * if not, -1 if only one of them finds it. Returns 0 when there is no row i. */
int triad_cu_by_proc(int i, const char **symbol, int *version, int *agree) {
    if (i >= ROWS || !library) return 0;
    void *a = by_proc(library, i, version_of(library)), *b = dlsym(library, rows[i].name);
    *symbol = rows[i].name;
    *version = rows[i].version;
    *agree = a && b ? a == b : -1;
    return 1;
}

/* Initializes the driver, which may take a second, and tells its version. */
CUresult triad_cu_init(int *version) {
    triad_signals_save();
    CUresult code = triad_cu.cuInit(0);
    triad_signals_restore();
    if (code == CUDA_SUCCESS) code = triad_cu.cuDriverGetVersion(version);
    return code;
}
