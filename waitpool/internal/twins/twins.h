/* twins.h: a make-believe device whose operations end on demand, and the plain C
 * programs that waitpool's benchmarks are compared with. */
#ifndef TRIAD_WAITPOOL_TWINS_H
#define TRIAD_WAITPOOL_TWINS_H

#include <stdint.h>
#include <triad_wait.h>

/* How an operation answers a subscription. */
enum { SUB_KEEP = 0, SUB_INSIDE = 1, SUB_TWICE = 2, SUB_NEVER = 3, SUB_REFUSE = 4 };

typedef struct op {
    uint32_t done; /* atomic, futex word */
    uint32_t mode;
    int64_t result;
    uint64_t due;  /* on the monotonic clock; 0: ends by op_finish only */
    uint64_t ends; /* when the device ends it, once submitted */
    uint64_t polls; /* atomic */
    uint32_t word32;
    uint32_t busy; /* atomic; the device isn't through with it */
    uint64_t word64;
    triad_signal *signal; /* atomic */
    triad_signal *last;
    struct op *next;
} op;

op *op_new(void);
void op_free(op *o);
void op_reset(op *o);
void op_finish(op *o, int64_t result);
void op_fire_again(op *o, int64_t result);
int op_subscribed(op *o);
uint64_t op_polls(op *o);
int op_poll(void *object, int64_t *result);
int64_t op_wait(void *object);
void op_spin(op *o);
int op_subscribe(void *object, triad_signal *s);
int64_t op_wait_nothing(void *object);

/* The device's thread finishes operations in the order of submission: stores
 * words, fires signals, wakes blocked threads. device_submit may be called by
 * one thread at a time for one operation. */
void device_start(void);
void device_submit(op *o, uint64_t after);

uint64_t now_ns(void);
uint64_t spin_pair(uint64_t n);
uint64_t futex_pair(uint64_t n);
void nap(uint64_t n, uint64_t ns);
uint64_t cpu_ns(void);

#endif
