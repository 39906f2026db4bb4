/* control_api.c: what tests ask of the engine itself; see fake_control.h. */
#include "fake_control.h"
#include "fk_internal.h"

int fk_control_kernel_rule(const char *name, uint64_t ns);
int64_t fk_control_kernel_runs(const char *name);
void fk_control_reset(void);

int fake_kernel_latency(const char *kernel, uint64_t ns) { return fk_control_kernel_rule(kernel, ns); }
int64_t fake_kernel_runs(const char *kernel) { return kernel ? fk_control_kernel_runs(kernel) : -1; }

static void set(int *what, int value) {
    fk_lock();
    *what = value;
    fk_wake_all();
    fk_unlock();
}

void fake_hold(int on) { set(&fk.hold, on); }
void fake_fault_next(int code) { set(&fk.fault_next, code); }
void fake_lose_words(int on) { fk.lose_words = on; }
void fake_callbacks(int mode) { fk.callbacks = mode; }
void fake_refuse_wrong_context(int on) { set(&fk.refuse_wrong_context, on); }
void fake_strict(int on) { set(&fk.strict, on); }

/* Contexts of the device are broken with it, whether it comes back or not. */
void fake_lose_device(int device, int code) {
    fk_lock();
    if (device >= 0 && device < FK_MAX_DEVICES) {
        fk.devices[device].lost = code;
        fk_context *primary = fk.devices[device].primary;
        if (code && primary && primary->active) fk_context_fault(primary, code);
        for (fk_stream *s = fk.streams; code && s; s = s->after)
            if (s->o.ctx->device == device) fk_context_fault(s->o.ctx, code);
    }
    fk_unlock();
}

int64_t fake_wrong_context(void) {
    fk_lock();
    int64_t n = (int64_t)fk.wrong_context;
    fk_unlock();
    return n;
}

void fake_reset(void) {
    fk_control_reset();
    fk_lock();
    fk.hold = fk.lose_words = fk.refuse_wrong_context = fk.strict = fk.fault_next = fk.callbacks = 0;
    fk.wrong_context = 0;
    for (int i = 0; i < FK_MAX_DEVICES; i++) fk.devices[i].lost = 0;
    fk_wake_all();
    fk_unlock();
}

static const char *const kinds[FK_KINDS] = {
    [FK_CONTEXT] = "context", [FK_STREAM] = "stream", [FK_EVENT] = "event", [FK_MODULE] = "module",
    [FK_FUNCTION] = "function", [FK_ARRAY] = "array",
    [FK_MIPMAP] = "mipmap", [FK_TEXTURE] = "texture", [FK_SURFACE] = "surface", [FK_POOL] = "pool",
    [FK_GRAPH] = "graph", [FK_PHYSICAL] = "physical", [FK_LINK] = "link",
};
static const char *const memories[FK_MEM_TYPES] = {"device", "host", "registered", "managed", "mapped", "global"};

/* Variables of modules end with those and aren't counted. */
int64_t fake_live(const char *kind) {
    int64_t n = 0;
    int known = 0;
    if (!kind) return -1;
    int all = !strcmp(kind, "*");
    fk_lock();
    fk_pool_settle();
    for (int i = 1; i < FK_KINDS; i++)
        if (all || !strcmp(kind, kinds[i])) n += fk.live[i], known = 1;
    for (int i = 0; i < FK_MEM_GLOBAL; i++)
        if (all || !strcmp(kind, "memory") || !strcmp(kind, memories[i])) n += fk.count[i], known = 1;
    fk_unlock();
    return known ? n : -1;
}

int64_t fake_bytes(const char *kind) {
    int64_t n = 0;
    int known = 0;
    if (!kind) return -1;
    fk_lock();
    fk_pool_settle();
    for (int i = 0; i < FK_MEM_TYPES; i++) {
        int counts = !strcmp(kind, "*") ? i != FK_MEM_REGISTERED && i != FK_MEM_GLOBAL : !strcmp(kind, memories[i]);
        if (counts) n += fk.bytes[i];
        known |= counts;
    }
    fk_unlock();
    return known ? n : -1;
}
