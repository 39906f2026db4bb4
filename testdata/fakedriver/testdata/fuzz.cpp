// fuzz.cpp: fuzz LIBCUDA LIBNVRTC ROUNDS SEED: calls every function of the driver with
// arguments picked at random from sensible, stale and senseless ones. The driver
// must survive; a sanitizer watches. Pointers, where they aren't null, lead to
// enough memory, as they would in a program that merely misuses handles and sizes.
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <type_traits>

#include "triad_cu.h"

static uint64_t state;
static uint64_t random_number() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}
static uint64_t below(uint64_t n) { return random_number() % n; }

// Handles, addresses and other words that calls have returned, and a few others.
enum { WORDS = 256 };
static uint64_t words[WORDS];
static uint64_t kept;
static void keep(uint64_t w) {
    if (w) words[kept++ % WORDS] = w;
}
static uint64_t recent() { return kept ? below(kept < WORDS ? kept : WORDS) : 0; }
static uint64_t word() {
    static const uint64_t odd[] = {0, 1, 2, 3, 4096, 0x0f02000001000010ull, ~0ull, 1ull << 47, 0xc000000000ull};
    switch (below(8)) {
    case 0: return odd[below(sizeof odd / sizeof *odd)];
    case 1: return words[recent()] + below(5000);
    default: return words[recent()];
    }
}

// Memory behind pointers: one piece for each argument, so that results can be kept.
enum { PIECES = 16, BYTES = 8192 };
static union {
    char bytes[BYTES];
    uint64_t words[BYTES / 8];
} pieces[PIECES];
static int used;

static void *piece() {
    auto &p = pieces[used++ % PIECES];
    for (auto &w : p.words) w = below(4) ? 0 : word();
    if (!below(3))
        for (int i = 0; i < 16; i++) p.words[i] = below(3) ? below(20) : (uint64_t)(uintptr_t)&pieces[below(PIECES)];
    return &p;
}

static void host_function(void *) {}
static size_t block_bytes(int n) { return (size_t)n; }
static void *image; // with the kernels nothing and two

static void **places() {
    auto p = (void **)piece();
    for (int i = 0; i < 64; i++) p[i] = &pieces[8 + i % 8];
    return p;
}

// Mostly a word of the kind: bits 48 to 55 of a handle of the fake's.
static uint64_t of_kind(unsigned kind) {
    uint64_t w = word();
    for (int i = 0; i < 200 && (w >> 48) != (0x0f00 | kind); i++) w = word();
    return w;
}

template <class T> struct pick;
#define HANDLE(T, KIND) \
    template <> struct pick<T> { \
        static T one() { return (T)(uintptr_t)of_kind(KIND); } \
    };
HANDLE(CUcontext, 1)
HANDLE(CUmodule, 4)
HANDLE(CUfunction, 5)
HANDLE(CUarray, 6)
HANDLE(CUmipmappedArray, 7)
HANDLE(CUevent, 3)
HANDLE(CUstream, 2)
HANDLE(CUgraph, 11)
HANDLE(CUmemoryPool, 10)
HANDLE(CUlinkState, 13)

template <class T> struct pick {
    static T one() {
        if constexpr (std::is_same_v<T, CUhostFn>) return below(4) ? host_function : nullptr;
        else if constexpr (std::is_same_v<T, CUoccupancyB2DSize>) return below(2) ? block_bytes : nullptr;
        else if constexpr (std::is_same_v<T, void **>) return below(4) ? places() : nullptr;
        else if constexpr (std::is_same_v<T, const char *>) return below(4) ? "two" : below(2) ? "" : nullptr;
        else if constexpr (std::is_same_v<T, const void *>) return below(3) ? image : piece();
        else if constexpr (std::is_same_v<T, const CUlaunchConfig *>) {
            auto c = (CUlaunchConfig *)piece();
            c->hStream = pick<CUstream>::one();
            c->attrs = (CUlaunchAttribute *)piece();
            return c;
        } else if constexpr (std::is_pointer_v<T>) return below(16) ? (T)piece() : nullptr;
        else if constexpr (std::is_same_v<T, size_t> || std::is_same_v<T, unsigned long long>)
            return below(3) ? (T)below(3000) : below(2) ? (T)word() : (T)below(64) << 20;
        else if constexpr (std::is_integral_v<T>) return (T)(below(4) ? below(40) : below(2) ? random_number() : below(3));
        else {
            T v;
            memcpy((void *)&v, piece(), sizeof v);
            return v;
        }
    }
};
static uint64_t counts[2];
template <class... A> static void call(bool texts, CUresult (*f)(A...)) {
    used = 0;
    CUresult code = f(pick<A>::one()...);
    counts[code != 0]++;
    if (!code && !texts)
        for (int i = 0; i < used && i < PIECES; i++) keep(pieces[i].words[0]);
}

// Left out: what forgets the context for long, and calls that real memory of this
// program must back (registering it, or taking its numbers for files).
static bool left_out(const char *name) {
    static const char *const list[] = {"cuCtxSetCurrent", "cuCtxPopCurrent_v2", "cuMemHostRegister_v2", "cuMemImportFromShareableHandle",
                                       "cuMemAllocPitch_v2", "cuLinkAddData_v2"};
    for (auto l : list)
        if (!strcmp(l, name)) return true;
    return false;
}

static void compile(const char *path) {
    const char *source = "extern \"C\" __global__ void nothing() {} extern \"C\" __global__ void two(int a, double b) {}";
    void *nvrtc = dlopen(path, RTLD_NOW | RTLD_LOCAL), *program;
    auto create = (int (*)(void **, const char *, const char *, int, void *, void *))dlsym(nvrtc, "nvrtcCreateProgram");
    auto build = (int (*)(void *, int, void *))dlsym(nvrtc, "nvrtcCompileProgram");
    auto size_of = (int (*)(void *, size_t *))dlsym(nvrtc, "nvrtcGetPTXSize");
    auto get = (int (*)(void *, void *))dlsym(nvrtc, "nvrtcGetPTX");
    size_t size;
    if (create(&program, source, "fuzz.cu", 0, nullptr, nullptr) || build(program, 0, nullptr) || size_of(program, &size)) exit(1);
    image = malloc(size);
    if (get(program, image)) exit(1);
}

#define COUNT(kind, version, result, symbol, name, params) +1
enum { FUNCTIONS = 0 TRIAD_CU_FUNCTIONS(COUNT) };

// A call that takes long hangs.
static const char *volatile current;
static void hangs(int) {
    printf("%s does not return\n", current);
    fflush(stdout);
    _exit(1);
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    void *lib = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!lib) return printf("%s\n", dlerror()), 1;
    state = strtoull(argv[4], nullptr, 10) * 2654435769u + 88172645463325252ull;
#define FIND(kind, version, result, symbol, name, params) auto symbol = (result(*) params)dlsym(lib, #symbol);
    TRIAD_CU_FUNCTIONS(FIND)
    compile(argv[2]);
    signal(SIGALRM, hangs);
    if (cuInit(0)) return 1;
    CUcontext ctx;
    long rounds = strtol(argv[3], nullptr, 10);
    for (long i = 0; i < rounds; i++) {
        if (i % 50 == 0) {
            if (cuDevicePrimaryCtxRetain(&ctx, 0) || cuCtxSetCurrent(ctx)) return printf("no context\n"), 1;
            keep((uint64_t)(uintptr_t)ctx);
        }
        long target = below(FUNCTIONS), n = 0;
#define CALL(kind, version, result, symbol, name, params) \
    if (n++ == target && !left_out(#symbol)) current = #symbol, alarm(10), call(strstr(#symbol, "Name") || strstr(#symbol, "String"), symbol);
        TRIAD_CU_FUNCTIONS(CALL)
    }
    printf("%llu calls succeeded, %llu failed\n", (unsigned long long)counts[0], (unsigned long long)counts[1]);
    return counts[0] == 0 || counts[1] == 0;
}
