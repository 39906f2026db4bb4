/* log.c: messages, from the form of the one compiler into that of the other:
 *
 *   name:4:14: error: what          name(4): error: what
 *                                       the line
 *                                       ^
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nv.h"

/* The line of that number, as the program counts: a #line gives the line below it
 * a number. Of several with the same number the last is meant, since what comes
 * before a #line is not the user's. */
static const char *line_of(const char *source, long line, size_t *n) {
    const char *found = 0;
    for (long at = 1; *source; at++) {
        size_t len = strcspn(source, "\n");
        if (!strncmp(source, "#line ", 6)) at = strtol(source + 6, 0, 10) - 1;
        else if (at == line) found = source, *n = len;
        source += len + (source[len] == '\n');
    }
    return found;
}

/* The number at *p, with the colon behind it. */
static int number(const char **p, long *n) {
    char *end;
    *n = strtol(*p, &end, 10);
    if (end == *p || *end != ':' || *n < 1) return 0;
    *p = end + 1;
    return 1;
}

static void message(program *p, const char *line, size_t n, int *errors) {
    long row = 0, column = 0;
    char *copy = strndup(line, n);
    if (!copy) return;
    const char *at = copy, *name = at;
    size_t name_len = strlen(p->name);
    int table = !strncmp(at, NV_TABLE, strlen(NV_TABLE));
    int ours = !strncmp(at, p->name, name_len) && at[name_len] == ':';
    const char *colon = ours ? at + name_len : strchr(at, ':');
    if (colon) at = colon + 1;
    if (table && *errors) {
        /* What the program's own errors entail. */
    } else if (colon && number(&at, &row)) {
        number(&at, &column);
        while (*at == ' ') at++;
        int error = !strncmp(at, "error:", 6) || !strncmp(at, "fatal error:", 12);
        *errors += error;
        if (!strncmp(at, "fatal error:", 12)) at += 6;
        text_format(&p->log, "%.*s(%ld): %s\n", (int)(colon - name), name, row, at);
        size_t len = 0;
        const char *text_line = ours ? line_of(p->source, row, &len) : 0;
        if (text_line) {
            text_format(&p->log, "  %.*s\n  ", (int)len, text_line);
            for (long i = 1; i < column && (size_t)i <= len; i++) text_add(&p->log, text_line[i - 1] == '\t' ? "\t" : " ", 1);
            text_format(&p->log, "^\n");
        }
        text_add(&p->log, "\n", 1);
    } else if (!strstr(copy, ": In ") && !strstr(copy, ": At ") && strncmp(copy, "In file included", 16) && strncmp(copy, "compilation terminated", 22)) {
        text_format(&p->log, "%s\n", copy);
    }
    free(copy);
}

void nv_log(program *p, const char *said, int failed) {
    int errors = 0;
    while (*said) {
        size_t n = strcspn(said, "\n");
        if (n) message(p, said, n, &errors);
        said += n + (said[n] == '\n');
    }
    if (failed && errors) text_format(&p->log, "%d error%s detected in the compilation of \"%s\".\n", errors, errors > 1 ? "s" : "", p->name);
}
