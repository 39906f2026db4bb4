#define _GNU_SOURCE
#include "triad_hip_c.h"

#include "triad_dl.h"
#include "triad_signals.h"

struct triad_hip_api triad_hip;

/* REQUIRED and OPTIONAL of the table, as flags. */
enum { REQUIRED = 1, OPTIONAL = 0 };

static const struct triad_dl_row rows[] = {
#define ROW(kind, version, result, symbol, params) {#symbol, kind, version, offsetof(struct triad_hip_api, symbol)},
    TRIAD_HIP_FUNCTIONS(ROW)
#undef ROW
};

enum { ROWS = sizeof rows / sizeof *rows };

/* HIP's version as the table counts: 70100 for 7.1. The runtime's own number has the
 * major one ten million times, the minor one a hundred thousand times, and a patch. */
static int known;

static int version_of(const struct triad_hip_api *api) {
    int v = 0;
    if (api->hipRuntimeGetVersion(&v) != hipSuccess || v < 0) return 0;
    return v / 10000000 * 10000 + v / 100000 % 100 * 100;
}

int triad_hip_version(void) { return known; }

/* Opens one library and resolves the table. On failure it returns -1 with the reason
 * in text, and the table is as it was. The library's own initializers look for devices
 * and start threads, as a rule. */
int triad_hip_load(const char *path, char *text, size_t room, char *found, size_t found_room) {
    struct triad_hip_api api = {0};
    triad_signals_save();
    void *lib = triad_dl_open(path, text, room);
    triad_signals_restore();
    if (!lib) return -1;
    for (int r = 0; r < ROWS; r++) {
        void *sym = triad_dl_sym(lib, rows[r].name, text, room);
        if (!sym && rows[r].required) {
            dlclose(lib);
            return -1;
        }
        memcpy((char *)&api + rows[r].at, &sym, sizeof sym);
    }
    triad_dl_path((void *)api.hipInit, found, found_room);
    triad_hip = api;
    return 0;
}

/* The i-th optional symbol that is missing; 0 when there is no i-th. */
int triad_hip_missing(int i, const char **name, int *version) {
    return triad_dl_missing(rows, ROWS, &triad_hip, i, name, version);
}

/* Initializes the runtime, which may take a second, and tells its version; also that of
 * a runtime without a device, if it answers at all. */
hipError_t triad_hip_init(int *version) {
    triad_signals_save();
    hipError_t code = triad_hip.hipInit(0);
    known = version_of(&triad_hip);
    triad_signals_restore();
    *version = known;
    return triad_hip_checked(code);
}

/* Has the runtime forget the code of a call that failed: it keeps each thread's last
 * error for code that asks with hipGetLastError, which is not to find one of ours, and
 * which counts an error only when it asks. Until 7.0 hipErrorNotReady counts as one;
 * since then it does not, and to ask would take away what that code has of its own. */
hipError_t triad_hip_tidy(hipError_t code) {
    if (code != hipErrorNotReady || known < 70000) triad_hip.hipGetLastError();
    return code;
}
