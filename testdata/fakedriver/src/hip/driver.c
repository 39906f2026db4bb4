/* driver.c: what is behind the face: the fake CUDA driver, in this library. */
#include <stdio.h>

#include "config.h"
#include "face.h"

/* cu_*.c has them; those that are among the settings' missing ones are left out. */
#define DECLARE(kind, version, result, symbol, known, params) extern result symbol params;
TRIAD_CU_FUNCTIONS(DECLARE)

CUresult face_load(void) {
    fk_settings_now();
#define FILL(kind, version, result, symbol, known, params) cu.symbol = fk_control_missing(#symbol) ? 0 : symbol;
    TRIAD_CU_FUNCTIONS(FILL)
    return cu.cuInit(0);
}

int face_version(void) { return fk_control_version(); }

void face_arch(char *name, size_t room, int device) {
    fk_lock();
    const fk_model *m = fk_device_model(device);
    if (m && m->arch) snprintf(name, room, "%s", m->arch);
    else if (m) snprintf(name, room, "sm_%d%d", m->major, m->minor);
    fk_unlock();
}
