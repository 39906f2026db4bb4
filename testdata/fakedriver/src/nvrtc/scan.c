/* scan.c: finds the kernels of a program whose macros have been expanded. It knows
 * tokens, braces and namespaces, and nothing else of C++. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "nv.h"

enum { DEPTH = 256, OTHER = 0, NAMESPACE = 1, TRANSPARENT = 2, HIDDEN = 3 };

typedef struct {
    const char *p;
    text *out;
    found *found;
    struct {
        int kind;
        char name[128];
    } open[DEPTH];
    int depth, templated, failed;
} scanner;

static int word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* The end of what begins at p: a space, a word, a literal, a comment, a line of the
 * preprocessor, or one character. */
static const char *token(const char *start, const char *p) {
    if (*p == '#' && (p == start || p[-1] == '\n')) {
        while (*p && *p != '\n') p++;
        return p;
    }
    if (p[0] == 'R' && p[1] == '"') {
        const char *open = strchr(p, '(');
        size_t n = open ? (size_t)(open - p - 2) : 0;
        for (const char *q = open; q && n < 17 && (q = strchr(q, ')')); q++)
            if (!strncmp(q + 1, p + 2, n) && q[1 + n] == '"') return q + n + 2;
    }
    if (*p == '"' || *p == '\'') {
        char quote = *p++;
        while (*p && *p != quote && *p != '\n') p += *p == '\\' && p[1] ? 2 : 1;
        return *p ? p + 1 : p;
    }
    if (word_char(*p)) {
        int digit = isdigit((unsigned char)*p);
        while (word_char(*p) || (digit && *p == '\'' && word_char(p[1]))) p++;
        return p;
    }
    if (isspace((unsigned char)*p)) {
        while (isspace((unsigned char)*p) && !(p[0] == '\n' && p[1] == '#')) p++;
        return *p == '\n' ? p + 1 : p;
    }
    return p + 1;
}

static int is(const char *p, const char *end, const char *word) {
    size_t n = (size_t)(end - p);
    return n == strlen(word) && !strncmp(p, word, n);
}

/* The next token that is neither space nor a line of the preprocessor. */
static const char *next(const char *start, const char *p, const char **end) {
    for (;;) {
        *end = token(start, p);
        if (!*p || !(isspace((unsigned char)*p) || (*p == '#' && (p == start || p[-1] == '\n')))) return p;
        p = *end;
    }
}

/* Past the bracket that closes the one at p; 0: it is never closed. */
static const char *close_of(const char *start, const char *p) {
    int depth = 0;
    while (*p) {
        const char *end = token(start, p);
        if (end == p + 1) {
            if (*p == '(' || *p == '[' || *p == '{') depth++;
            if ((*p == ')' || *p == ']' || *p == '}') && --depth == 0) return end;
        }
        p = end;
    }
    return 0;
}

static int outermost(const scanner *s) {
    for (int i = 0; i < s->depth; i++)
        if (s->open[i].kind == OTHER || s->open[i].kind == HIDDEN) return 0;
    return 1;
}

static char *copy(const char *p, const char *end) { return strndup(p, (size_t)(end - p)); }

/* At __global__: the declaration's name is the word before its first parentheses
 * that are no attribute's. */
static void kernel(scanner *s, const char *start, const char *p) {
    found_kernel k = {0};
    const char *end, *name = 0, *name_end = 0;
    int is_static = 0;
    for (p = next(start, p, &end); *p; p = next(start, end, &end)) {
        int bounds = is(p, end, "__launch_bounds__"), size = is(p, end, "__block_size__");
        if (bounds || size || is(p, end, "__attribute__") || is(p, end, "alignas") || is(p, end, "__cluster_dims__") || is(p, end, "__maxnreg__")) {
            const char *open = next(start, end, &end), *after = *open == '(' ? close_of(start, open) : 0;
            if (!after) break;
            char **to = bounds ? &k.bounds : size ? &k.size : 0;
            /* The size of a block stands in parentheses of its own, which those of
             * clusters may follow. */
            const char *inner = size ? next(start, open + 1, &end) : open;
            const char *stop = *inner == '(' ? close_of(start, inner) : 0;
            if (to && !*to && stop) *to = copy(inner + 1, stop - 1);
            end = after;
            continue;
        }
        if (*p == '(' || *p == ';' || *p == '{') break;
        is_static |= is(p, end, "static");
        if (word_char(*p)) name = p, name_end = end;
    }
    const char *after = *p == '(' ? close_of(start, p) : 0;
    int defined = after && *next(start, after, &end) == '{';
    if (name && defined && !is_static && !s->templated && outermost(s)) {
        text full = {0};
        for (int i = 0; i < s->depth; i++)
            if (s->open[i].kind == NAMESPACE) text_format(&full, "%s::", s->open[i].name);
        text_add(&full, name, (size_t)(name_end - name));
        found_kernel *grown = realloc(s->found->list, (size_t)(s->found->n + 1) * sizeof *grown);
        if (grown && !full.failed) {
            s->found->list = grown;
            k.name = full.at;
            s->found->list[s->found->n++] = k;
            return;
        }
        s->failed = 1;
    }
    free(k.bounds);
    free(k.size);
}

/* At extern: where dynamic shared memory is declared, writes it so that C++ has it,
 * and returns the end of the declaration; else 0. */
static const char *dynamic_shared(scanner *s, const char *start, const char *p) {
    const char *end, *name = 0, *name_end = 0;
    text type = {0};
    p = next(start, p, &end);
    if (!is(p, end, "__shared__")) return 0;
    for (p = next(start, end, &end); *p && *p != '[' && *p != ';'; p = next(start, end, &end)) {
        if (is(p, end, "__attribute__") || is(p, end, "alignas")) {
            const char *open = next(start, end, &end);
            end = *open == '(' ? close_of(start, open) : 0;
            if (!end) break;
            continue;
        }
        if (name) {
            text_add(&type, name, (size_t)(name_end - name));
            text_add(&type, " ", 1);
        }
        name = p;
        name_end = end;
    }
    const char *stop = end && *p == '[' ? close_of(start, p) : 0;
    if (stop) stop = next(start, stop, &end);
    if (!stop || *stop != ';' || !name || type.failed || !type.used) {
        text_free(&type);
        return 0;
    }
    if (outermost(s)) text_format(s->out, "static fake_shared_array< %s> %.*s", type.at, (int)(name_end - name), name);
    else text_format(s->out, "%s*%.*s = (%s*)fake_shared()", type.at, (int)(name_end - name), name, type.at);
    text_free(&type);
    return stop;
}

static void brace(scanner *s, int kind, const char *name, size_t n) {
    if (s->depth == DEPTH) {
        s->failed = 1;
        return;
    }
    s->open[s->depth].kind = kind;
    if (n >= sizeof s->open[0].name) n = sizeof s->open[0].name - 1;
    if (n) memcpy(s->open[s->depth].name, name, n);
    s->open[s->depth++].name[n] = 0;
}

/* What the next brace opens, from the words before it. */
typedef struct {
    int kind;
    const char *name;
    size_t n;
} opening;

int nv_scan(const char *source, text *out, found *f) {
    scanner s = {.out = out, .found = f};
    opening next_brace = {OTHER, 0, 0};
    const char *start = source;
    for (const char *p = source, *end; *p && !s.failed; p = end) {
        end = token(start, p);
        if (is(p, end, "__global__")) kernel(&s, start, end);
        else if (is(p, end, "__syncthreads")) f->barriers++;
        else if (is(p, end, "template")) s.templated = 1;
        else if (is(p, end, "namespace")) {
            const char *after, *name = next(start, end, &after);
            next_brace = (opening){word_char(*name) ? NAMESPACE : HIDDEN, name, word_char(*name) ? (size_t)(after - name) : 0};
        } else if (is(p, end, "extern")) {
            const char *after, *what = next(start, end, &after);
            const char *stop = dynamic_shared(&s, start, end);
            if (stop) {
                /* Lines stay where they are. */
                for (const char *q = p; q < stop; q++)
                    if (*q == '\n') text_add(out, "\n", 1);
                end = stop;
                continue;
            }
            if (*what == '"' && *next(start, after, &after) == '{') next_brace = (opening){TRANSPARENT, 0, 0};
        } else if (*p == '{') {
            brace(&s, next_brace.kind, next_brace.name, next_brace.n);
            next_brace = (opening){OTHER, 0, 0};
            s.templated = 0;
        } else if (*p == '}') {
            if (s.depth) s.depth--;
            s.templated = 0;
        } else if (*p == ';') {
            s.templated = 0;
            next_brace = (opening){OTHER, 0, 0};
        }
        text_add(out, p, (size_t)(end - p));
    }
    return s.failed || out->failed ? -1 : 0;
}

void nv_found_free(found *f) {
    for (int i = 0; i < f->n; i++) {
        free(f->list[i].name);
        free(f->list[i].bounds);
        free(f->list[i].size);
    }
    free(f->list);
    *f = (found){0};
}
