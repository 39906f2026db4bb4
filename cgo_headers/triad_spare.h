/* triad_spare.h: memory that a stream keeps for its next allocation.
 *
 * A stream can have memory again that was freed in its order, without a call of the
 * driver's: what it is given from then on comes behind what it was given before. So the
 * few pieces that were freed last stay with the stream, as addresses; who keeps and who
 * takes them calls the driver, here nobody does.
 *
 * Anyone takes at any time, by the state of the slot alone. Who puts, one at a time, has
 * the lock of the device, which another's free may hold over calls of the driver: so it
 * would be no lock for who allocates. Header only; all zero is a stream that keeps nothing.
 */
#ifndef TRIAD_SPARE_H
#define TRIAD_SPARE_H

#include <stdatomic.h>
#include <stdint.h>

/* How much a stream keeps: pieces, and bytes of all. */
enum { TRIAD_SPARES = 4 };
#define TRIAD_SPARE_BYTES ((uint64_t)64 << 20)

enum { TRIAD_SPARE_EMPTY = 0, TRIAD_SPARE_BUSY, TRIAD_SPARE_FULL };

/* at is that of who has made the slot busy, and number, which says who came first, that of
 * who puts. size is anyone's to read, but certain only in a slot that one has made busy. */
typedef struct {
    _Atomic uint32_t state;
    _Atomic uint64_t size;
    uint64_t at, number;
} triad_spare;

typedef struct {
    triad_spare slots[TRIAD_SPARES];
    _Atomic uint64_t bytes;
    uint64_t put; /* how many ever were */
} triad_spares;

/* Takes what is in a slot if it has that many bytes, or any with 0; 0 if not. */
static inline uint64_t triad_spare_take(triad_spares *k, triad_spare *x, uint64_t size) {
    uint32_t full = TRIAD_SPARE_FULL;
    if (size && atomic_load_explicit(&x->size, memory_order_relaxed) != size) return 0;
    if (!atomic_compare_exchange_strong_explicit(&x->state, &full, TRIAD_SPARE_BUSY, memory_order_acquire, memory_order_relaxed)) return 0;
    uint64_t at = x->at, has = atomic_load_explicit(&x->size, memory_order_relaxed);
    if (size && has != size) { /* another has taken it, and something else was put there */
        atomic_store_explicit(&x->state, TRIAD_SPARE_FULL, memory_order_release);
        return 0;
    }
    atomic_fetch_sub_explicit(&k->bytes, has, memory_order_relaxed);
    atomic_store_explicit(&x->state, TRIAD_SPARE_EMPTY, memory_order_release);
    return at;
}

/* Takes memory of that many bytes, not 0; 0 if there is none. */
static inline uint64_t triad_spares_take(triad_spares *k, uint64_t size) {
    uint64_t at = 0;
    for (int i = 0; i < TRIAD_SPARES && !at; i++) at = triad_spare_take(k, &k->slots[i], size);
    return at;
}

/* Keeps memory, and tells whether there was room for it. */
static inline int triad_spares_put(triad_spares *k, uint64_t at, uint64_t size) {
    uint64_t bytes = atomic_load_explicit(&k->bytes, memory_order_relaxed);
    if (size == 0 || size > TRIAD_SPARE_BYTES || bytes > TRIAD_SPARE_BYTES - size) return 0;
    for (int i = 0; i < TRIAD_SPARES; i++) {
        triad_spare *x = &k->slots[i];
        if (atomic_load_explicit(&x->state, memory_order_acquire) != TRIAD_SPARE_EMPTY) continue;
        x->at = at;
        x->number = k->put++;
        atomic_store_explicit(&x->size, size, memory_order_relaxed);
        atomic_fetch_add_explicit(&k->bytes, size, memory_order_relaxed);
        atomic_store_explicit(&x->state, TRIAD_SPARE_FULL, memory_order_release);
        return 1;
    }
    return 0;
}

/* Takes what was put first; 0 if there is nothing. For who may put. */
static inline uint64_t triad_spares_oldest(triad_spares *k) {
    for (;;) {
        triad_spare *first = 0;
        for (int i = 0; i < TRIAD_SPARES; i++) {
            triad_spare *x = &k->slots[i];
            if (atomic_load_explicit(&x->state, memory_order_relaxed) != TRIAD_SPARE_FULL) continue;
            if (!first || x->number < first->number) first = x;
        }
        if (!first) return 0;
        uint64_t at = triad_spare_take(k, first, 0);
        if (at) return at; /* else another was faster */
    }
}

/* How many bytes are kept. */
static inline uint64_t triad_spares_bytes(triad_spares *k) { return atomic_load_explicit(&k->bytes, memory_order_relaxed); }

#endif
