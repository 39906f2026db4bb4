/* triad_dl.h: opening a driver library and resolving its symbols.
 *
 * dlerror's text belongs to the thread that failed, and a goroutine may be on
 * another thread at its next call into C. So every function here takes the text
 * within the call that failed.
 */
#ifndef TRIAD_DL_H
#define TRIAD_DL_H

#include <dlfcn.h>
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

#endif
