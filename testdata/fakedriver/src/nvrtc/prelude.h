/* prelude.h: what CUDA C++ has built in, for a compiler of plain C++. It comes
 * before every program. Of warps it knows nothing: no shuffles, no votes. */
#ifndef FAKE_PRELUDE_H
#define FAKE_PRELUDE_H

#include "fake_kernel.h"

static thread_local const fake_thread *fake_self;
static const fake_services *fake_service;

#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDA_ARCH__ (FAKE_ARCH * 10)

/* --- vectors --- */

#define FAKE_VECTORS(T, N) \
    struct N##1 { T x; }; \
    struct __align__(2 * sizeof(T)) N##2 { T x, y; }; \
    struct N##3 { T x, y, z; }; \
    struct __align__(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) N##4 { T x, y, z, w; }; \
    static inline N##1 make_##N##1(T x) { N##1 v = {x}; return v; } \
    static inline N##2 make_##N##2(T x, T y) { N##2 v = {x, y}; return v; } \
    static inline N##3 make_##N##3(T x, T y, T z) { N##3 v = {x, y, z}; return v; } \
    static inline N##4 make_##N##4(T x, T y, T z, T w) { N##4 v = {x, y, z, w}; return v; }
FAKE_VECTORS(signed char, char)
FAKE_VECTORS(unsigned char, uchar)
FAKE_VECTORS(short, short)
FAKE_VECTORS(unsigned short, ushort)
FAKE_VECTORS(int, int)
FAKE_VECTORS(unsigned int, uint)
FAKE_VECTORS(long, long)
FAKE_VECTORS(unsigned long, ulong)
FAKE_VECTORS(long long, longlong)
FAKE_VECTORS(unsigned long long, ulonglong)
FAKE_VECTORS(float, float)
FAKE_VECTORS(double, double)

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    operator uint3() const { return make_uint3(x, y, z); }
};

#define threadIdx (*(const uint3 *)&fake_self->thread)
#define blockIdx (*(const uint3 *)&fake_self->block)
#define blockDim (*(const dim3 *)&fake_self->block_dim)
#define gridDim (*(const dim3 *)&fake_self->grid_dim)
#define warpSize FAKE_WARP

/* --- shared memory and barriers --- */

static inline void *fake_shared() { return fake_self->shared; }

/* Dynamic shared memory that was declared outside of functions. */
template <class T> struct fake_shared_array {
    operator T *() const { return (T *)fake_shared(); }
    template <class U> explicit operator U *() const { return (U *)fake_shared(); }
};

static inline void __syncthreads() { fake_service->barrier(); }
static inline void __syncwarp(unsigned = 0xffffffffu) {}
static inline void __threadfence() { __sync_synchronize(); }
static inline void __threadfence_block() { __sync_synchronize(); }
static inline void __threadfence_system() { __sync_synchronize(); }
static inline void __trap() { fake_service->fault(719); }
static inline void __nanosleep(unsigned) {}
#undef assert
#define assert(e) ((e) ? (void)0 : fake_service->fault(710))

/* --- arithmetic --- */

#define FAKE_MATH1(F) F(sqrt) F(cbrt) F(exp) F(exp2) F(expm1) F(log) F(log2) F(log10) F(log1p) F(sin) F(cos) F(tan) \
    F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) F(fabs) F(floor) F(ceil) F(round) F(trunc) F(rint) F(erf) F(erfc) F(tgamma) F(lgamma)
#define FAKE_MATH2(F) F(pow) F(fmin) F(fmax) F(fmod) F(atan2) F(hypot) F(copysign) F(fdim)
#define FAKE_DECLARE1(name) \
    extern "C" double name(double) noexcept; \
    extern "C" float name##f(float) noexcept; \
    static inline float name(float a) { return name##f(a); }
#define FAKE_DECLARE2(name) \
    extern "C" double name(double, double) noexcept; \
    extern "C" float name##f(float, float) noexcept; \
    static inline float name(float a, float b) { return name##f(a, b); }
FAKE_MATH1(FAKE_DECLARE1)
FAKE_MATH2(FAKE_DECLARE2)
extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
static inline float fma(float a, float b, float c) { return fmaf(a, b, c); }
extern "C" int printf(const char *, ...);
static inline float rsqrtf(float a) { return 1 / sqrtf(a); }
static inline double rsqrt(double a) { return 1 / sqrt(a); }
static inline float __expf(float a) { return expf(a); }
static inline float __logf(float a) { return logf(a); }
static inline float __sinf(float a) { return sinf(a); }
static inline float __cosf(float a) { return cosf(a); }
static inline float __powf(float a, float b) { return powf(a, b); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float a) { return a > 0 ? a < 1 ? a : 1 : 0; }
static inline bool isnan(float a) { return __builtin_isnan(a); }
static inline bool isnan(double a) { return __builtin_isnan(a); }
static inline bool isinf(float a) { return __builtin_isinf(a); }
static inline bool isinf(double a) { return __builtin_isinf(a); }

#define FAKE_MINMAX(T, A, B) \
    static inline T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; } \
    static inline T max(A a, B b) { return (T)a > (T)b ? (T)a : (T)b; }
#define FAKE_MINMAX_PAIR(S, U) FAKE_MINMAX(S, S, S) FAKE_MINMAX(U, U, U) FAKE_MINMAX(U, S, U) FAKE_MINMAX(U, U, S)
FAKE_MINMAX_PAIR(int, unsigned int)
FAKE_MINMAX_PAIR(long, unsigned long)
FAKE_MINMAX_PAIR(long long, unsigned long long)
FAKE_MINMAX(float, float, float)
FAKE_MINMAX(double, double, double)
FAKE_MINMAX(double, float, double)
FAKE_MINMAX(double, double, float)

static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
static inline int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline int __mul24(int a, int b) { return a * b; }
template <class To, class From> static inline To fake_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "sizes");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
static inline int __float_as_int(float a) { return fake_bits<int>(a); }
static inline unsigned __float_as_uint(float a) { return fake_bits<unsigned>(a); }
static inline float __int_as_float(int a) { return fake_bits<float>(a); }
static inline float __uint_as_float(unsigned a) { return fake_bits<float>(a); }
static inline long long __double_as_longlong(double a) { return fake_bits<long long>(a); }
static inline double __longlong_as_double(long long a) { return fake_bits<double>(a); }
template <class T> static inline T __ldg(const T *p) { return *p; }
static inline long long clock64() {
    static thread_local long long ticks;
    return ticks += 64;
}
static inline int clock() { return (int)clock64(); }

/* --- atomics --- */

template <class T> struct fake_same { typedef T type; };
#define FAKE_ATOMIC(NAME, EXPR) \
    template <class T> static inline T NAME(T *p, typename fake_same<T>::type v) { \
        T was, want; \
        __atomic_load(p, &was, __ATOMIC_SEQ_CST); \
        do want = (EXPR); \
        while (!__atomic_compare_exchange(p, &was, &want, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
        return was; \
    }
FAKE_ATOMIC(atomicAdd, was + v)
FAKE_ATOMIC(atomicSub, was - v)
FAKE_ATOMIC(atomicExch, v)
FAKE_ATOMIC(atomicMin, was < v ? was : v)
FAKE_ATOMIC(atomicMax, was > v ? was : v)
FAKE_ATOMIC(atomicAnd, was & v)
FAKE_ATOMIC(atomicOr, was | v)
FAKE_ATOMIC(atomicXor, was ^ v)
FAKE_ATOMIC(atomicInc, was >= v ? 0 : was + 1)
FAKE_ATOMIC(atomicDec, was == 0 || was > v ? v : was - 1)
template <class T> static inline T atomicCAS(T *p, typename fake_same<T>::type compare, typename fake_same<T>::type v) {
    T was = compare, want = v;
    __atomic_compare_exchange(p, &was, &want, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return was;
}

/* --- the image's table --- */

template <class T> struct fake_points { enum { value = 0 }; };
template <class T> struct fake_points<T *> { enum { value = 1 }; };

template <unsigned... I> struct fake_indices {};
template <unsigned N, unsigned... I> struct fake_count : fake_count<N - 1, N - 1, I...> {};
template <unsigned... I> struct fake_count<0, I...> { typedef fake_indices<I...> type; };

template <class... P> struct fake_call {
    template <unsigned... I> static void with(void (*f)(P...), void **params, fake_indices<I...>) {
        (void)params;
        f(*(P *)params[I]...);
    }
    static void invoke(void *function, void **params) {
        with((void (*)(P...))function, params, typename fake_count<sizeof...(P)>::type());
    }
};

enum { FAKE_MOST_PARAMS = 256 };
struct fake_described {
    fake_param params[FAKE_MOST_PARAMS];
};

template <class... P> static inline void fake_describe(fake_kernel *k, fake_described *d, void (*f)(P...)) {
    static_assert(sizeof...(P) <= FAKE_MOST_PARAMS, "too many parameters");
    const unsigned sizes[] = {sizeof(P)..., 0}, aligns[] = {alignof(P)..., 1}, points[] = {fake_points<P>::value..., 0};
    unsigned at = 0;
    for (unsigned i = 0; i < sizeof...(P); i++) {
        at = (at + aligns[i] - 1) / aligns[i] * aligns[i];
        d->params[i].offset = at;
        d->params[i].size = sizes[i];
        d->params[i].pointer = points[i];
        at += sizes[i];
    }
    k->function = (void *)f;
    k->invoke = fake_call<P...>::invoke;
    k->params = d->params;
    k->n_params = sizeof...(P);
}

static inline void fake_bounds(fake_kernel *k, unsigned max_threads, unsigned = 0, unsigned = 0) { k->max_threads = max_threads; }
static inline void fake_block_size(fake_kernel *k, unsigned x, unsigned y = 1, unsigned z = 1) {
    k->required_block[0] = x;
    k->required_block[1] = y;
    k->required_block[2] = z;
}

/* For names of variables, whose symbols are all that is wanted. */
template <class T> static inline const void *fake_address(T *p) { return (const void *)p; }

#endif
