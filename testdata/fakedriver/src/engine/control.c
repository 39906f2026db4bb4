/* control.c: what happens to a call before it reaches the engine. It counts, and
 * may wait, take its time or fail. The rules have a lock of their own. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake_control.h"
#include "fk.h"

typedef struct {
    _Atomic int64_t calls;
    _Atomic int ruled; /* whether what follows says anything */
    int mode, code, blocked;
    uint64_t n, latency;
    int64_t waiting;
} rule;

typedef struct kernel_rule kernel_rule;
struct kernel_rule {
    char *name;
    uint64_t latency;
    int64_t runs;
    kernel_rule *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static const char *const *names;
static rule *rules;
static int n_rules;
static kernel_rule *kernels;
static _Atomic int kernels_ruled;
static uint64_t random_state = 88172645463325252ull;

void fk_control_symbols(const char *const *symbols, int n) {
    rules = calloc((size_t)n, sizeof *rules);
    if (!rules) abort();
    names = symbols;
    n_rules = n;
}

static uint64_t random_number(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void nap(uint64_t ns) {
    struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    while (nanosleep(&t, &t)) {
    }
}

/* Whether this call fails; the lock is held. */
static int fails(rule *r) {
    switch (r->mode) {
    case FAKE_ONCE:
        r->mode = FAKE_NEVER;
        return 1;
    case FAKE_ALWAYS:
        return 1;
    case FAKE_NTH:
        if (--r->n) return 0;
        r->mode = FAKE_NEVER;
        return 1;
    case FAKE_RANDOM:
        return random_number() % 1000000 < r->n;
    }
    return 0;
}

int fk_control_enter(int symbol, int *code) {
    rule *r = &rules[symbol];
    r->calls++;
    if (!r->ruled) return 0;
    pthread_mutex_lock(&lock);
    r->waiting++;
    while (r->blocked) pthread_cond_wait(&released, &lock);
    r->waiting--;
    int failed = fails(r);
    uint64_t latency = r->latency;
    *code = r->code;
    pthread_mutex_unlock(&lock);
    if (latency) nap(latency);
    return failed;
}

/* Calls fn for the rules of a symbol, or of all; -1: there is none. */
static int each(const char *symbol, void (*fn)(rule *, uint64_t, int, int), uint64_t n, int a, int b) {
    int found = -1, all = symbol && !strcmp(symbol, "*");
    pthread_mutex_lock(&lock);
    for (int i = 0; symbol && i < n_rules; i++) {
        if (!all && strcmp(symbol, names[i])) continue;
        fn(&rules[i], n, a, b);
        rules[i].ruled = rules[i].mode || rules[i].blocked || rules[i].latency;
        found = 0;
    }
    pthread_cond_broadcast(&released);
    pthread_mutex_unlock(&lock);
    return found;
}

static void set_fail(rule *r, uint64_t n, int code, int mode) {
    r->mode = mode == FAKE_NTH && !n ? FAKE_NEVER : mode;
    r->code = code;
    r->n = n;
}

static void set_latency(rule *r, uint64_t ns, int a, int b) {
    (void)a, (void)b;
    r->latency = ns;
}

static void set_blocked(rule *r, uint64_t n, int on, int b) {
    (void)n, (void)b;
    r->blocked = on;
}

int fake_fail(const char *symbol, int code, int mode, uint64_t n) { return each(symbol, set_fail, n, code, mode); }
int fake_latency(const char *symbol, uint64_t ns) { return each(symbol, set_latency, ns, 0, 0); }
int fake_block(const char *symbol) { return each(symbol, set_blocked, 0, 1, 0); }
int fake_release(const char *symbol) { return each(symbol, set_blocked, 0, 0, 0); }

void fake_seed(uint64_t seed) {
    pthread_mutex_lock(&lock);
    random_state = seed * 2654435769u + 88172645463325252ull;
    pthread_mutex_unlock(&lock);
}

static int64_t sum(const char *symbol, int waiting) {
    int64_t n = 0, found = 0;
    int all = symbol && !strcmp(symbol, "*");
    pthread_mutex_lock(&lock);
    for (int i = 0; symbol && i < n_rules; i++) {
        if (!all && strcmp(symbol, names[i])) continue;
        n += waiting ? rules[i].waiting : rules[i].calls;
        found = 1;
    }
    pthread_mutex_unlock(&lock);
    return found ? n : -1;
}

int64_t fake_blocked(const char *symbol) { return sum(symbol, 1); }
int64_t fake_calls(const char *symbol) { return sum(symbol, 0); }
const char *fake_symbol(int i) { return i >= 0 && i < n_rules ? names[i] : 0; }

void fake_reset_counts(void) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_rules; i++) rules[i].calls = 0;
    for (kernel_rule *k = kernels; k; k = k->next) k->runs = 0;
    pthread_mutex_unlock(&lock);
}

static void clear(rule *r, uint64_t n, int a, int b) {
    (void)n, (void)a, (void)b;
    r->mode = FAKE_NEVER;
    r->blocked = 0;
    r->latency = 0;
}

void fk_control_reset(void) {
    each("*", clear, 0, 0, 0);
    pthread_mutex_lock(&lock);
    for (kernel_rule *k = kernels; k; k = k->next) k->latency = 0;
    pthread_mutex_unlock(&lock);
    fake_reset_counts();
}

/* --- kernels --- */

static kernel_rule *kernel(const char *name, int make) {
    kernel_rule *k = kernels;
    while (k && strcmp(k->name, name)) k = k->next;
    if (k || !make) return k;
    k = calloc(1, sizeof *k);
    char *copy = k ? strdup(name) : 0;
    if (!copy) abort();
    k->name = copy;
    k->next = kernels;
    kernels = k;
    return k;
}

int fk_control_kernel_rule(const char *name, uint64_t ns) {
    if (!name) return -1;
    pthread_mutex_lock(&lock);
    kernel(name, 1)->latency = ns;
    kernels_ruled = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

uint64_t fk_control_kernel_latency(const char *name) {
    if (!kernels_ruled) return 0;
    pthread_mutex_lock(&lock);
    kernel_rule *k = kernel(name, 0), *all = kernel("*", 0);
    uint64_t ns = k && k->latency ? k->latency : all ? all->latency : 0;
    pthread_mutex_unlock(&lock);
    return ns;
}

void fk_control_kernel_ran(const char *name) {
    pthread_mutex_lock(&lock);
    kernel(name, 1)->runs++;
    pthread_mutex_unlock(&lock);
}

int64_t fk_control_kernel_runs(const char *name) {
    int64_t n = 0;
    pthread_mutex_lock(&lock);
    for (kernel_rule *k = kernels; k; k = k->next)
        if (!strcmp(name, "*") || !strcmp(name, k->name)) n += k->runs;
    pthread_mutex_unlock(&lock);
    return n;
}
