/* hiprtc_api.h: the C side of package hiprtc. Nothing here calls back into Go.
 * Results are hiprtc's unless said otherwise. */
#ifndef TRIAD_HIPRTC_API_H
#define TRIAD_HIPRTC_API_H

#include "triad_hiprtc.h"

/* Opens one library and resolves the table; -1, with the reason in text, when it
 * can't be used, and the table is as it was. */
int triad_hiprtc_load(const char *path, char *text, size_t room, char *found, size_t found_room);

/* The i-th optional symbol that is missing; 0 when there is no i-th. */
int triad_hiprtc_missing(int i, const char **name, int *version);

hiprtcResult triad_hiprtc_version(int *major, int *minor);
const char *triad_hiprtc_name(hiprtcResult code);

/* The i-th target that the library compiles for, as comgr names it; 0 when there is
 * no i-th, and always when the library doesn't use comgr. */
const char *triad_hiprtc_target(size_t i);

/* Whether the library compiles for a target ("amdgcn-amd-amdhsa--gfx90a:xnack+"): 1 or
 * 0, and -1 when it doesn't use comgr, so that only a compile would tell. */
int triad_hiprtc_knows(const char *target);

hiprtcResult triad_hiprtc_new(hiprtcProgram *p, const char *code, const char *name, int headers, const char **texts,
                              const char **names);
void triad_hiprtc_free(hiprtcProgram p);
hiprtcResult triad_hiprtc_add_name(hiprtcProgram p, const char *expression);
hiprtcResult triad_hiprtc_lowered(hiprtcProgram p, const char *expression, const char **name);
hiprtcResult triad_hiprtc_compile(hiprtcProgram p, int n, const char **options);

/* Stores one of what a compile left, of which there may be none: *size is 0 then.
 * With a null out it only says the size. */
enum { TRIAD_HIPRTC_LOG = 0, TRIAD_HIPRTC_CODE, TRIAD_HIPRTC_BITCODE };
hiprtcResult triad_hiprtc_get(hiprtcProgram p, int what, size_t *size, char *out);

#endif
