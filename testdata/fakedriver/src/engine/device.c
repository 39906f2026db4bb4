/* device.c: the devices, and the models that they are of. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "config.h"
#include "fake_control.h"
#include "fk_internal.h"

static const fk_model models[] = {
    {.short_name = "H200", .name = "NVIDIA H200", .major = 9, .minor = 0, .processors = 132,
     .max_threads = 1024, .max_block = {1024, 1024, 64}, .max_grid = {2147483647, 65535, 65535}, .warp = 32,
     .shared_block = 49152, .shared_optin = 232448, .shared_processor = 233472, .shared_reserved = 1024,
     .registers = 65536, .threads_processor = 2048, .blocks_processor = 32, .constant_bytes = 65536,
     .clock_khz = 1980000, .memory_khz = 3201000, .bus_bits = 6144, .l2_bytes = 62914560, .persisting_l2 = 39321600, .engines = 3,
     .pools = 1, .words = 1, .managed_concurrent = 1, .clusters = 1, .cooperative = 1, .virtual_memory = 1,
     .memory = 150110011392ull},
    {.short_name = "MI300X", .name = "AMD Instinct MI300X", .arch = "gfx942:sramecc+:xnack-", .major = 9, .minor = 4, .processors = 304,
     .max_threads = 1024, .max_block = {1024, 1024, 1024}, .max_grid = {2147483647, 65536, 65536}, .warp = 64,
     .shared_block = 65536, .shared_optin = 65536, .shared_processor = 65536, .shared_reserved = 0,
     .registers = 65536, .threads_processor = 2048, .blocks_processor = 32, .constant_bytes = 2147483647,
     .clock_khz = 2100000, .memory_khz = 1300000, .bus_bits = 8192, .l2_bytes = 4194304, .engines = 8,
     .pools = 1, .words = 1, .managed_concurrent = 1, .cooperative = 1, .virtual_memory = 1,
     .memory = 206141652992ull},
    /* One of AMD's with wavefronts of 32, and without pools. */
    {.short_name = "RX7900", .name = "AMD Radeon RX 7900 XTX", .arch = "gfx1100", .major = 11, .minor = 0, .processors = 48,
     .max_threads = 1024, .max_block = {1024, 1024, 1024}, .max_grid = {2147483647, 65536, 65536}, .warp = 32,
     .shared_block = 65536, .shared_optin = 65536, .shared_processor = 65536, .shared_reserved = 0,
     .registers = 65536, .threads_processor = 2048, .blocks_processor = 32, .constant_bytes = 2147483647,
     .clock_khz = 2482000, .memory_khz = 1249000, .bus_bits = 384, .l2_bytes = 6291456, .engines = 2,
     .words = 1, .cooperative = 1, .memory = 25753026560ull},
    /* No pools, no word writes, no clusters. */
    {.short_name = "old", .name = "Tesla M60", .major = 5, .minor = 2, .processors = 16,
     .max_threads = 1024, .max_block = {1024, 1024, 64}, .max_grid = {2147483647, 65535, 65535}, .warp = 32,
     .shared_block = 49152, .shared_optin = 49152, .shared_processor = 98304, .shared_reserved = 0,
     .registers = 65536, .threads_processor = 2048, .blocks_processor = 32, .constant_bytes = 65536,
     .clock_khz = 1177500, .memory_khz = 2505000, .bus_bits = 256, .l2_bytes = 2097152, .engines = 2,
     .memory = 8112177152ull},
};

static int make(int i, const fk_model *model) {
    fk_device *d = &fk.devices[i];
    d->model = *model;
    if (fk_settings_now()->memory) d->model.memory = fk_settings_now()->memory;
    if (!model->pools) return FK_OK;
    fk_handle pool;
    int status = fk_pool_create(i, 0, 0, &pool);
    if (status) return status;
    fk_pool *p = (fk_pool *)fk_find(pool, FK_POOL);
    p->o.hidden = 1;
    fk.live[FK_POOL]--;
    d->pool = d->default_pool = p;
    return FK_OK;
}

/* Handlers as a compiler's are: they end the process, and run on whatever stack. */
static void ends_it(int signal) { _exit(128 + signal); }

static void take_signals(void) {
    static const int list[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGTERM, SIGPROF};
    struct sigaction a = {.sa_handler = ends_it};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) sigaction(list[i], &a, 0);
}

int fk_begin(void) {
    if (fk.begun) return fk.n_devices ? FK_OK : FK_NO_DEVICE;
    const fk_settings *want = fk_settings_now();
    const fk_model *model = &models[0];
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (!strcmp(want->model, models[i].short_name)) model = &models[i];
    fk.n_devices = want->devices;
    fk.refuse_wrong_context |= want->refuse;
    fk.strict |= want->strict;
    if (want->signals) take_signals();
    fk.begun = 1;
    for (int i = 0; i < fk.n_devices; i++) {
        int status = make(i, model);
        if (status) return status;
    }
    return fk.n_devices ? FK_OK : FK_NO_DEVICE;
}

/* Memory and pools of devices that were seen before stay theirs. */
int fake_devices(const char *name, int n, uint64_t memory) {
    const fk_model *model = 0;
    int status = FK_OK;
    for (size_t i = 0; name && i < sizeof models / sizeof *models; i++)
        if (!strcmp(name, models[i].short_name)) model = &models[i];
    if (!model || n < 0 || n > FK_MAX_DEVICES) return -1;
    fk_lock();
    fk_settings *want = fk_settings_now();
    snprintf(want->model, sizeof want->model, "%s", name);
    want->devices = n;
    want->memory = memory;
    if (fk.begun) fk.n_devices = n;
    for (int i = 0; fk.begun && !status && i < n; i++) {
        fk_device *d = &fk.devices[i];
        d->model = *model;
        if (memory) d->model.memory = memory;
        if (model->pools && !d->pool) status = make(i, model);
    }
    fk_unlock();
    return status ? -1 : 0;
}

int fk_device_count(void) { return fk.n_devices; }

const fk_model *fk_device_model(int device) {
    return device >= 0 && device < fk.n_devices ? &fk.devices[device].model : 0;
}

int fk_device_memory(int device, uint64_t *free_bytes, uint64_t *total) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    fk_device *d = &fk.devices[device];
    *total = d->model.memory;
    *free_bytes = d->used < *total ? *total - d->used : 0;
    return FK_OK;
}

int fk_device_lost(int device) { return fk_device_model(device) ? fk.devices[device].lost : 0; }
