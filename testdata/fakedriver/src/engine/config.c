/* config.c: the settings of a library, see fake_control.h. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "fake_control.h"
#include "own.h"

/* Found and filled by whoever makes a variant of the library's file. */
__attribute__((section(".fakeconfig"), used)) char fake_defaults[2048] = "";

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fk_settings now = {.devices = 1, .nvrtc_major = 13};

static int size(const char *text, uint64_t *out) {
    char *end;
    unsigned long long n = strtoull(text, &end, 10);
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (end == text || n > UINT64_MAX >> shift || end[shift != 0]) return -1;
    *out = (uint64_t)n << shift;
    return 0;
}

static int number(const char *text, int *out) {
    char *end;
    long n = strtol(text, &end, 0);
    if (end == text || *end || n < -65536 || n > 1 << 30) return -1;
    *out = (int)n;
    return 0;
}

static int copy(char *to, size_t room, const char *from) { return (size_t)snprintf(to, room, "%s", from) < room ? 0 : -1; }

static int fail(char *value) {
    char *colon = strchr(value, ':');
    int code;
    if (!colon || number(colon + 1, &code)) return -1;
    *colon = 0;
    return fake_fail(value, code, FAKE_ALWAYS, 0);
}

static int apply(char *key, char *value) {
    if (!strcmp(key, "devices")) return number(value, &now.devices) || now.devices < 0 || now.devices > 8 ? -1 : 0;
    if (!strcmp(key, "version")) return number(value, &now.version);
    if (!strcmp(key, "refuse")) return number(value, &now.refuse);
    if (!strcmp(key, "strict")) return number(value, &now.strict);
    if (!strcmp(key, "signals")) return number(value, &now.signals);
    if (!strcmp(key, "memory")) return size(value, &now.memory);
    if (!strcmp(key, "model")) return copy(now.model, sizeof now.model, value);
    if (!strcmp(key, "missing")) return copy(now.missing, sizeof now.missing, value);
    if (!strcmp(key, "nvrtc")) return sscanf(value, "%d.%d", &now.nvrtc_major, &now.nvrtc_minor) == 2 ? 0 : -1;
    if (!strcmp(key, "fail")) return fail(value);
    return -1;
}

static int read_text(const char *text) {
    char copy[sizeof fake_defaults], *rest = copy, *item;
    int bad = 0;
    if ((size_t)snprintf(copy, sizeof copy, "%s", text) >= sizeof copy) return -1;
    while ((item = strsep(&rest, ";"))) {
        char *value = strchr(item, '=');
        if (!*item) continue;
        if (!value) {
            bad = -1;
            continue;
        }
        *value++ = 0;
        if (apply(item, value)) bad = -1;
    }
    return bad;
}

static void complain(const char *where) {
    fprintf(stderr, "fake driver: %s has a setting that makes no sense; see fake_control.h\n", where);
    abort();
}

static void first(void) {
    const char *env = getenv("TRIAD_FAKE");
    now.version = fk_own.version;
    copy(now.model, sizeof now.model, fk_own.model);
    fake_defaults[sizeof fake_defaults - 1] = 0;
    if (read_text(fake_defaults)) complain("fake_defaults");
    if (env && read_text(env)) complain("TRIAD_FAKE");
}

/* Whoever misspells a setting wants to know, rather than test something else. */
fk_settings *fk_settings_now(void) {
    pthread_once(&once, first);
    return &now;
}

int fake_configure(const char *settings) {
    fk_settings_now();
    pthread_mutex_lock(&lock);
    int bad = settings ? read_text(settings) : -1;
    pthread_mutex_unlock(&lock);
    return bad;
}

int fk_control_missing(const char *name) {
    const char *list = fk_settings_now()->missing;
    size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ',')) return 1;
    return 0;
}

int fk_control_version(void) { return fk_settings_now()->version; }
