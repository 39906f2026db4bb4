// A kernel that runs for a given time and does nothing else, for measuring waits.

#ifndef FAKE_PRELUDE_H

// The device's clock in nanoseconds, which all multiprocessors share.
static __device__ unsigned long long now() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

#else

// The fake driver's compiler is the host's, and has no such clock. Each look takes
// about a nanosecond there.
static __device__ unsigned long long now() {
    static thread_local volatile unsigned long long looks;
    return looks = looks + 1;
}

#endif

extern "C" __global__ void spin(unsigned long long ns) {
    unsigned long long begin = now();
    while (now() - begin < ns) {
    }
}
