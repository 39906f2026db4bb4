/* nvrtc_api.h: the C side of package nvrtc. Nothing here calls back into Go.
 * Results are NVRTC's unless said otherwise. */
#ifndef TRIAD_NVRTC_API_H
#define TRIAD_NVRTC_API_H

#include <stdint.h>

#include "triad_nvrtc.h"

/* Opens one library and resolves the table; -1, with the reason in text, when it
 * can't be used, and the table is as it was. */
int triad_nvrtc_load(const char *path, char *text, size_t room, char *found, size_t found_room);

/* The i-th optional symbol that is missing; 0 when there is no i-th. */
int triad_nvrtc_missing(int i, const char **name, int *version);

nvrtcResult triad_nvrtc_version(int *major, int *minor);
nvrtcResult triad_nvrtc_archs(int room, int *archs, int *n);
const char *triad_nvrtc_name(nvrtcResult code);

nvrtcResult triad_nvrtc_new(nvrtcProgram *p, const char *code, const char *name, int headers,
                            const char *const *texts, const char *const *names);
void triad_nvrtc_free(nvrtcProgram p);
nvrtcResult triad_nvrtc_add_name(nvrtcProgram p, const char *expression);
nvrtcResult triad_nvrtc_lowered(nvrtcProgram p, const char *expression, const char **name);

/* Compiles. A *cancel that becomes 1 meanwhile, on any thread, ends it early where
 * NVRTC can do that; cancel is kept until the return. */
nvrtcResult triad_nvrtc_compile(nvrtcProgram p, int n, const char *const *options, int32_t *cancel);

/* Stores one of what a compile left, of which there may be none: *size is 0 then.
 * With a null out it only says the size. */
enum { TRIAD_NVRTC_LOG = 0, TRIAD_NVRTC_PTX, TRIAD_NVRTC_CUBIN, TRIAD_NVRTC_LTOIR };
nvrtcResult triad_nvrtc_get(nvrtcProgram p, int what, size_t *size, char *out);

#endif
