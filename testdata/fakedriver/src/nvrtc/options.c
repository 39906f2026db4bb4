/* options.c: the options of CUDA's compiler. What matters is passed on, what is for
 * a GPU only is accepted, what doesn't exist is refused. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nv.h"
#include "own.h"

/* Arguments are kept one after the other, each with its 0. */
static void pass(text *args, const char *prefix, const char *value) {
    text_format(args, "%s%s", prefix, value);
    text_add(args, "", 1);
}

static const int archs[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

int nv_archs(const int **list) {
    *list = archs;
    return (int)(sizeof archs / sizeof *archs);
}

/* Behind hiprtc's face: "gfx90a", and features, each after a colon. */
static int amd(program *p, const char *value) {
    char *end;
    size_t n = strcspn(value, ":");
    long v = n >= 6 && n <= 7 ? strtol(value + 3, &end, 10) : 0;
    if (n < 6 || n > 7 || (end < value + n - 1) || strlen(value) >= sizeof p->target) return 0;
    /* The last digit, which may be a letter, is the stepping. */
    strcpy(p->target, value);
    p->amd = 1;
    p->arch = (int)(end == value + n ? v / 10 : v);
    p->is_virtual = 0;
    return p->arch >= 90;
}

static int arch(program *p, const char *value) {
    if (!strncmp(value, "gfx", 3)) return fk_own.behind && amd(p, value);
    p->amd = 0;
    int is_virtual = !strncmp(value, "compute_", 8);
    if (!is_virtual && strncmp(value, "sm_", 3)) return 0;
    char *end;
    long n = strtol(strchr(value, '_') + 1, &end, 10);
    if (*end && strcmp(end, "a") && strcmp(end, "f")) return 0;
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        if (archs[i] == n) {
            p->arch = (int)n;
            p->is_virtual = is_virtual;
            return 1;
        }
    return 0;
}

/* Options whose value comes after "=" or in the next argument. */
static const struct {
    const char *name, *pass; /* pass: what the compiler knows it as; 0: nothing */
} valued[] = {
    {"--gpu-architecture", 0}, {"-arch", 0},
    {"--std", "-std="}, {"-std", "-std="},
    {"--define-macro", "-D"}, {"--undefine-macro", "-U"}, {"--include-path", "-I"},
    {"--pre-include", 0}, {"-include", 0},
    {"--maxrregcount", 0}, {"-maxrregcount", 0},
    {"--ftz", 0}, {"-ftz", 0}, {"--prec-sqrt", 0}, {"-prec-sqrt", 0}, {"--prec-div", 0}, {"-prec-div", 0}, {"--fmad", 0}, {"-fmad", 0},
    {"--diag-error", 0}, {"-diag-error", 0}, {"--diag-suppress", 0}, {"-diag-suppress", 0}, {"--diag-warn", 0}, {"-diag-warn", 0},
    {"--ptxas-options", 0}, {"-Xptxas", 0}, {"--split-compile", 0}, {"-split-compile", 0}, {"--optimization-info", 0}, {"-opt-info", 0},
    {"--device-float128", 0}, {"--minimal", 0}, {"--fdevice-time-trace", 0}, {"--jump-table-density", 0},
};

static const char *const flags[] = {
    "--relocatable-device-code=true", "--relocatable-device-code=false", "-rdc=true", "-rdc=false", "-dc", "--device-c", "-dw", "--device-w",
    "--device-debug", "-G", "--generate-line-info", "-lineinfo", "--dopt=on", "-dopt=on", "--use_fast_math", "-use_fast_math",
    "--extra-device-vectorization", "--dlink-time-opt", "-dlto", "--gen-opt-lto", "--modify-stack-limit=true", "--modify-stack-limit=false",
    "--builtin-move-forward=true", "--builtin-move-forward=false", "--builtin-initializer-list=true", "--builtin-initializer-list=false",
    "--device-as-default-execution-space", "-default-device", "--device-int128", "-device-int128", "--restrict", "-restrict",
    "--display-error-number", "-err-no", "--no-display-error-number", "-no-err-no", "--no-source-include", "-no-source-include",
    "--time=-", "--device-syntax-only", "-fdevice-syntax-only", "--minimal", "-minimal", "-ewp", "--extensible-whole-program",
};

static int refuse(program *p, const char *what, const char *option) {
    text_format(&p->log, "nvrtc: error: %s '%s'\n\n", what, option);
    return NV_INVALID_OPTION;
}

static int one(program *p, const char *const *options, int left, int *used, text *args) {
    const char *o = options[0];
    *used = 1;
    if (!strncmp(o, "-D", 2) || !strncmp(o, "-U", 2) || !strncmp(o, "-I", 2)) {
        if (o[2]) pass(args, "", o);
        else if (left > 1) pass(args, o, options[(*used)++]);
        else return refuse(p, "a value is missing after", o);
        return NV_SUCCESS;
    }
    if (!strcmp(o, "-w") || !strcmp(o, "--disable-warnings")) {
        pass(args, "-w", "");
        return NV_SUCCESS;
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(o, flags[i])) return NV_SUCCESS;
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
        size_t n = strlen(valued[i].name);
        if (strncmp(o, valued[i].name, n) || (o[n] && o[n] != '=')) continue;
        const char *value = o[n] ? o + n + 1 : left > 1 ? options[(*used)++] : 0;
        if (!value || !*value) return refuse(p, "a value is missing after", o);
        if (i < 2 && !arch(p, value)) {
            text_format(&p->log, "nvrtc: error: invalid value for --gpu-architecture (-arch)\n\n");
            return NV_INVALID_OPTION;
        }
        if (valued[i].pass && valued[i].pass[1] == 's' && (strncmp(value, "c++", 3) || !isdigit((unsigned char)value[3])))
            return refuse(p, "invalid value of an option:", o);
        if (valued[i].pass) pass(args, valued[i].pass, value);
        return NV_SUCCESS;
    }
    return refuse(p, "unrecognized option", o);
}

int nv_options(program *p, int n, const char *const *options, text *args) {
    p->arch = 75;
    p->is_virtual = 1;
    p->amd = 0;
    if (fk_own.behind) amd(p, "gfx942"); /* where AMD's goes by the current device */
    for (int i = 0, used; i < n; i += used) {
        if (!options[i]) return NV_INVALID_INPUT;
        int result = one(p, options + i, n - i, &used, args);
        if (result) return result;
    }
    return args->failed ? NV_OUT_OF_MEMORY : NV_SUCCESS;
}
