/* front.c: what happens to a call of hiprtc's before it reaches the face. */
#include "config.h"
#include "face_rtc.h"
#include "front.h"

TRIAD_HIPRTC_FUNCTIONS(FRONT_ENTRY)
static const char *const names[] = {TRIAD_HIPRTC_FUNCTIONS(FRONT_NAME)};
static const char points[] = {TRIAD_HIPRTC_FUNCTIONS(FRONT_POINTS)};

__attribute__((constructor)) static void begin(void) { fk_control_symbols(names, sizeof names / sizeof *names); }

uint64_t front_enter(int id) {
    int code;
    fk_settings_now();
    if (!fk_control_enter(id, &code) || points[id]) return 0;
    return (uint64_t)1 << 32 | (uint32_t)code;
}
