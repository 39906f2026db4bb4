/* kept.c: images that are kept in a folder, so that a suite that compiles the same
 * program a thousand times waits for the C++ compiler once. The environment variable
 * TRIAD_FAKE_IMAGES names the folder; without it nothing is kept. Whoever sets it
 * promises that files that programs include don't change meanwhile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nv.h"

/* Two sums of all that the image is made of. */
typedef struct {
    uint64_t a, b;
} sums;

static void sum(sums *s, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        s->a = (s->a ^ (unsigned char)bytes[i]) * 1099511628211u;
        s->b = (s->b + (unsigned char)bytes[i] + 1) * 6364136223846793005u;
    }
    s->a = (s->a ^ n) * 1099511628211u;
    s->b = (s->b + n) * 6364136223846793005u;
}

/* Names of expressions are looked up in the image that was just made. */
int nv_kept_name(const program *p, const text *args, char *name, size_t room) {
    const char *folder = getenv("TRIAD_FAKE_IMAGES");
    sums s = {14695981039346656037u, 1};
    if (!folder || !*folder || p->n_names) return -1;
    sum(&s, p->source, strlen(p->source));
    sum(&s, p->name, strlen(p->name));
    for (int i = 0; i < p->n_headers; i++) {
        sum(&s, p->header_names[i], strlen(p->header_names[i]));
        sum(&s, p->headers[i], strlen(p->headers[i]));
    }
    sum(&s, (const char *)&p->arch, sizeof p->arch);
    sum(&s, (const char *)&p->is_virtual, sizeof p->is_virtual);
    int version = nv_amd_version();
    if (p->amd) {
        sum(&s, p->target, strlen(p->target));
        sum(&s, (const char *)&version, sizeof version);
    }
    sum(&s, args->at ? args->at : "", args->used);
    return (size_t)snprintf(name, room, "%s/%016llx%016llx", folder, (unsigned long long)s.a, (unsigned long long)s.b) < room ? 0 : -1;
}

/* A kept file is the length of the log, the log, and the image. */
int nv_kept_find(program *p, const char *name) {
    FILE *f = fopen(name, "rb");
    char piece[16384];
    uint64_t log;
    if (!f) return -1;
    text_free(&p->log);
    int bad = fread(&log, sizeof log, 1, f) != 1;
    for (size_t n; !bad && (n = fread(piece, 1, sizeof piece, f)) > 0;) {
        size_t said = log < n ? (size_t)log : n;
        text_add(&p->log, piece, said);
        text_add(&p->image, piece + said, n - said);
        log -= said;
    }
    fclose(f);
    bad = bad || log || p->log.failed || p->image.failed;
    if (bad) text_free(&p->log), text_free(&p->image);
    return bad ? -1 : 0;
}

/* Of several that keep the same one wins; what can't be kept is not. */
void nv_kept_add(const program *p, const char *name) {
    char *half;
    uint64_t log = p->log.used;
    if (asprintf(&half, "%s-XXXXXX", name) < 0) return;
    int fd = mkstemp(half);
    FILE *f = fd < 0 ? 0 : fdopen(fd, "wb");
    if (f) {
        int good = fwrite(&log, sizeof log, 1, f) == 1 && fwrite(p->log.at ? p->log.at : "", 1, p->log.used, f) == p->log.used &&
                   fwrite(p->image.at, 1, p->image.used, f) == p->image.used;
        good = !fclose(f) && good;
        if (!good || rename(half, name)) unlink(half);
    }
    free(half);
}
