/* cu.h: the CUDA face of the fake driver: what its files share.
 *
 * Every function of the API begins with one of the ENTER macros and ends with
 * LEAVE. Between them the engine's lock is held, the call has been counted, and it
 * is known that it may go on. */
#ifndef CU_H
#define CU_H

#include <string.h>

#include "fk.h"
#include "triad_cu.h"

#define EXPORT __attribute__((visibility("default")))

/* Declares all functions, so that a definition that differs does not compile. */
#define CU_DECLARE(kind, version, result, symbol, name, params) EXPORT result symbol params;
TRIAD_CU_FUNCTIONS(CU_DECLARE)

#define CU_ID(kind, version, result, symbol, name, params) CU_ID_##symbol,
enum { TRIAD_CU_FUNCTIONS(CU_ID) CU_IDS };

enum { CU_NEEDS_NOTHING, CU_NEEDS_INIT, CU_NEEDS_CONTEXT };

/* Returns a code at once, or 0 with the lock held. */
CUresult cu_enter(int id, int needs);
CUresult cu_enter_on(int id, fk_handle on);
CUresult cu_leave(int status);
CUresult cu_code(int status);

#define ENTER_AS(symbol, needs) \
    do { \
        CUresult entered = cu_enter(CU_ID_##symbol, needs); \
        if (entered) return entered; \
    } while (0)
#define ENTER(symbol) ENTER_AS(symbol, CU_NEEDS_CONTEXT)
/* For calls on a stream or an event, whose context counts as current for as long
 * where the thread has none. */
#define ENTER_ON(symbol, object) \
    do { \
        CUresult entered = cu_enter_on(CU_ID_##symbol, H(object)); \
        if (entered) return entered; \
    } while (0)
#define ENTER_FREE(symbol) ENTER_AS(symbol, CU_NEEDS_INIT)
#define LEAVE(status) return cu_leave(status)
#define LEAVE_IF(bad, status) \
    do { \
        if (bad) return cu_leave(status); \
    } while (0)

/* No list of the API has more entries. */
enum { CU_MOST = 64 };

/* Handles of the API are the engine's, as pointers. */
#define H(handle) ((fk_handle)(uintptr_t)(handle))
#define OUT(type, at) ((type)(uintptr_t)(at))

/* The bytes of an element of an array; 0: no such format. */
int cu_format_bytes(CUarray_format format);

/* What LoadData and its like report through their options. */
void cu_jit_log(const char *text, unsigned n, CUjit_option *options, void **values);

#endif
