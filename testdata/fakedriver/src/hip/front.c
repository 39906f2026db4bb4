/* front.c: what happens to a call of HIP's before it reaches the face: it counts, and
 * may wait, take its time or fail, as a call of CUDA's does in cu_call.c. */
#include "config.h"
#include "face.h"
#include "front.h"

TRIAD_HIP_FUNCTIONS(FRONT_ENTRY)
static const char *const names[] = {TRIAD_HIP_FUNCTIONS(FRONT_NAME)};
static const char points[] = {TRIAD_HIP_FUNCTIONS(FRONT_POINTS)};

__attribute__((constructor)) static void begin(void) { fk_control_symbols(names, sizeof names / sizeof *names); }

/* A call that is made to fail leaves its code to hipGetLastError, as one that fails by
 * itself does; but for that one, which leaves nothing. */
uint64_t front_enter(int id) {
    int code;
    fk_settings_now();
    if (!fk_control_enter(id, &code) || points[id]) return 0;
    if (code && !strstr(names[id], "GetLastError")) face_refuse(code);
    return (uint64_t)1 << 32 | (uint32_t)code;
}
