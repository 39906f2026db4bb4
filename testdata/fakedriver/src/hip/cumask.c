/* cumask.c: streams that are kept to some of a device's compute units. Here they are
 * streams like others, and their masks are remembered. */
#include <pthread.h>
#include <stdlib.h>

#include "face.h"

enum { WORDS = 16 };

typedef struct masked masked;
struct masked {
    unsigned long long id;
    uint32_t words[WORDS];
    masked *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static masked *all; /* streams' numbers are never used again, so nothing is taken out */

static int units(int *n) { return face_done(cu.cuDeviceGetAttribute(n, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, face.current)); }

/* The bits of units that there are. */
static uint32_t there(int n, int word) { return n >= 32 * (word + 1) ? ~0u : n > 32 * word ? (1u << (n - 32 * word)) - 1 : 0; }

hipError_t hipExtStreamCreateWithCUMask(hipStream_t *s, uint32_t n, const uint32_t *mask) {
    if (!s || !n || !mask) return face_refuse(hipErrorInvalidValue);
    int have = 0;
    hipError_t code = face_bind();
    if (code == hipSuccess) code = units(&have);
    masked *m = code == hipSuccess ? calloc(1, sizeof *m) : 0;
    if (code == hipSuccess && !m) code = face_refuse(hipErrorOutOfMemory);
    for (uint32_t i = 0; m && i < n && i < WORDS; i++) m->words[i] = mask[i] & there(have, (int)i);
    if (code == hipSuccess) code = face_done(cu.cuStreamCreateWithPriority((CUstream *)s, 0, 0));
    if (code == hipSuccess) code = face_done(cu.cuStreamGetId(stream(*s), &m->id));
    if (code != hipSuccess) {
        free(m);
        return code;
    }
    pthread_mutex_lock(&lock);
    m->next = all;
    all = m;
    pthread_mutex_unlock(&lock);
    return hipSuccess;
}

hipError_t hipExtStreamGetCUMask(hipStream_t s, uint32_t n, uint32_t *mask) {
    int have = 0;
    unsigned long long id = 0;
    hipError_t code = mask ? face_bind() : face_refuse(hipErrorInvalidValue);
    if (code == hipSuccess) code = units(&have);
    if (code == hipSuccess && n * 32 < (uint32_t)have) code = face_refuse(hipErrorInvalidValue);
    if (code == hipSuccess) code = face_done(cu.cuStreamGetId(stream(s), &id));
    if (code != hipSuccess) return code;
    pthread_mutex_lock(&lock);
    const masked *m = all;
    while (m && m->id != id) m = m->next;
    for (uint32_t i = 0; i < n; i++) mask[i] = m && i < WORDS ? m->words[i] : m ? 0 : there(have, (int)i);
    pthread_mutex_unlock(&lock);
    return hipSuccess;
}
