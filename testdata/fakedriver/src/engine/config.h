/* config.h: the settings of a library, see fake_control.h. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdint.h>

#include "fk.h"

typedef struct {
    int devices, version, refuse, strict, signals, nvrtc_major, nvrtc_minor;
    uint64_t memory;
    char model[64], missing[2048];
} fk_settings;

fk_settings *fk_settings_now(void);

#endif
