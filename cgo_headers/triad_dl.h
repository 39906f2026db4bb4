/* triad_dl.h: opening a driver library and resolving its symbols.
 *
 * dlerror's text belongs to the thread that failed, and a goroutine may be on
 * another thread at its next call into C. So every function here takes the text
 * within the call that failed.
 */
#ifndef TRIAD_DL_H
#define TRIAD_DL_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static inline void triad_dl_error(char *text, size_t room) {
    const char *e = dlerror();
    snprintf(text, room, "%s", e ? e : "unknown error of the dynamic linker");
}

/* Opens a library; 0, with the reason in text, when that fails. The library's
 * symbols stay local to it, and all its own symbols are resolved now, so that a
 * library with missing dependencies fails here and not in the middle of a call. */
static inline void *triad_dl_open(const char *path, char *text, size_t room) {
    dlerror();
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib) triad_dl_error(text, room);
    return lib;
}

/* Finds a symbol; 0, with the reason in text, when the library lacks it. */
static inline void *triad_dl_sym(void *lib, const char *name, char *text, size_t room) {
    dlerror();
    void *sym = dlsym(lib, name);
    if (!sym) triad_dl_error(text, room);
    return sym;
}

/* The path of the file that a symbol came from; "" when unknown. */
static inline void triad_dl_path(void *sym, char *path, size_t room) {
    Dl_info info;
    path[0] = 0;
    if (dladdr(sym, &info) && info.dli_fname) snprintf(path, room, "%s", info.dli_fname);
}

/* One row of a library's table of functions. Its pointer goes into the struct
 * that holds them all, at that many bytes. */
struct triad_dl_row {
    const char *name;
    int required, version;
    size_t at;
};

/* Resolves a table into a struct. Returns -1, with the reason in text, when a
 * required symbol is missing; an optional one that is missing becomes 0. */
static inline int triad_dl_resolve(void *lib, const struct triad_dl_row *rows, int n, void *api, char *text, size_t room) {
    for (int i = 0; i < n; i++) {
        void *sym = triad_dl_sym(lib, rows[i].name, text, room);
        if (!sym && rows[i].required) return -1;
        memcpy((char *)api + rows[i].at, &sym, sizeof sym);
    }
    return 0;
}

/* The i-th symbol of a resolved table that is missing; 0 when there is no i-th. */
static inline int triad_dl_missing(const struct triad_dl_row *rows, int n, const void *api, int i, const char **name,
                                   int *version) {
    for (int r = 0; r < n; r++) {
        void *sym;
        memcpy(&sym, (const char *)api + rows[r].at, sizeof sym);
        if (sym || i-- > 0) continue;
        *name = rows[r].name;
        *version = rows[r].version;
        return 1;
    }
    return 0;
}

#endif
