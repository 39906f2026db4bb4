/* probe.h: what the parts of the probe share. The probe asks a driver, real or
 * fake, what it answers to misuse, and prints a line for each question; the same
 * program asks both, so that the one can be held against the other.
 *
 * Each group of questions is asked by a process of its own, since some answers are
 * crashes. */
#ifndef PROBE_H
#define PROBE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "triad_cu.h"

#define MEMBER(kind, version, result, symbol, name, params) result(*symbol) params;
struct api {
    TRIAD_CU_FUNCTIONS(MEMBER)
};
extern struct api cu;

/* Asks one question. */
#define ASK(label, call) say(label, cu.call)
void say(const char *label, int code);

/* What a question needs must succeed. */
#define NEED(call) need(#call, cu.call)
void need(const char *what, int code);

/* The probe's kernels as an image, for sm_90 or for another architecture. */
void *image_of(int other, size_t *size);
CUcontext begin(void); /* initializes, retains the primary context, makes it current */
CUfunction function(const char *name);
CUstream stream(unsigned flags);
CUevent event(unsigned flags);
CUdeviceptr memory(size_t bytes);
void in_thread(void (*fn)(void *), void *arg);

typedef struct {
    const char *name;
    void (*ask)(void);
} group;
extern const group calls_groups[], capture_groups[], fault_groups[];

#endif
