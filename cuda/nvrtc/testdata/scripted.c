/* scripted.c: a library with NVRTC's functions that compiles nothing and does what
 * words in the program say, for tests of what a real one seldom does:
 *
 *   @result N   the compile ends with the code N
 *   @log TEXT   to the end of the line, is the log
 *   @until FILE the compile goes on until that file exists or it is cancelled
 *   @none       no code is made
 *
 * The PTX that it makes tells what it was given. With OLD defined it has only the
 * functions of version 11.2. SCRIPTED_VERSION is the version, 12.8 if unset. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM 65536

typedef struct program {
    char text[ROOM], log[ROOM], ptx[ROOM];
    int names, machine, lto;
    char lowered[8][256];
    char expression[8][256];
    int (*flow)(void *, void *);
    void *payload;
} program;

int nvrtcVersion(int *major, int *minor) {
    const char *v = getenv("SCRIPTED_VERSION");
    return sscanf(v ? v : "12.8", "%d.%d", major, minor) == 2 ? 0 : 11;
}

const char *nvrtcGetErrorString(int code) { return code == 99 ? "NVRTC_ERROR_OF_THE_FUTURE" : "NVRTC_ERROR unknown"; }

static const int archs[] = {50, 75, 80, 86, 90};

int nvrtcGetNumSupportedArchs(int *n) {
    *n = sizeof archs / sizeof *archs;
    return 0;
}

int nvrtcGetSupportedArchs(int *list) {
    memcpy(list, archs, sizeof archs);
    return 0;
}

static void add(program *p, const char *a, const char *b) {
    strncat(p->ptx, a, ROOM - strlen(p->ptx) - 1);
    strncat(p->ptx, b, ROOM - strlen(p->ptx) - 1);
    strncat(p->ptx, "\n", ROOM - strlen(p->ptx) - 1);
}

int nvrtcCreateProgram(program **out, const char *src, const char *name, int n, const char *const *headers,
                       const char *const *names) {
    program *p = calloc(1, sizeof *p);
    snprintf(p->text, ROOM, "%s", src);
    add(p, "// name ", name);
    for (int i = 0; i < n; i++) {
        add(p, "// header ", names[i]);
        add(p, "// text ", headers[i]);
    }
    *out = p;
    return 0;
}

int nvrtcDestroyProgram(program **p) {
    free(*p);
    *p = 0;
    return 0;
}

int nvrtcAddNameExpression(program *p, const char *expression) {
    if (p->names == 8) return 3;
    snprintf(p->expression[p->names], 256, "%s", expression);
    snprintf(p->lowered[p->names++], 256, "_Z%s", expression);
    return 0;
}

int nvrtcGetLoweredName(program *p, const char *expression, const char **name) {
    for (int i = 0; i < p->names; i++)
        if (strcmp(p->expression[i], expression) == 0 && strcmp(expression, "bad") != 0) {
            *name = p->lowered[i];
            return 0;
        }
    return 10;
}

static void handler(int signal) { _exit(signal); }

int nvrtcCompileProgram(program *p, int n, const char *const *options) {
    struct sigaction rude = {.sa_handler = handler}; /* as LLVM does */
    sigaction(SIGINT, &rude, 0);
    sigaction(SIGSEGV, &rude, 0);
    for (int i = 0; i < n; i++) {
        add(p, "// option ", options[i]);
        p->machine |= strstr(options[i], "sm_") != 0;
        p->lto |= strcmp(options[i], "-dlto") == 0;
    }
    char *word = strstr(p->text, "@log ");
    if (word) snprintf(p->log, ROOM, "%.*s\n", (int)strcspn(word + 5, "\n"), word + 5);
    word = strstr(p->text, "@until ");
    if (word) {
        char file[1024];
        snprintf(file, sizeof file, "%.*s", (int)strcspn(word + 7, "\n"), word + 7);
        while (access(file, F_OK) != 0) {
            if (p->flow && p->flow(p->payload, 0)) return 16;
            usleep(500);
        }
    }
    word = strstr(p->text, "@result ");
    if (word) return atoi(word + 8);
    if (strstr(p->text, "@none")) p->machine = p->lto = p->ptx[0] = 0;
    else add(p, "", p->text);
    return 0;
}

int nvrtcGetProgramLogSize(program *p, size_t *n) {
    *n = strlen(p->log) + 1;
    return 0;
}

int nvrtcGetProgramLog(program *p, char *log) {
    strcpy(log, p->log);
    return 0;
}

int nvrtcGetPTXSize(program *p, size_t *n) {
    if (p->lto) return 4;
    *n = strlen(p->ptx) + 1;
    return 0;
}

int nvrtcGetPTX(program *p, char *ptx) {
    strcpy(ptx, p->ptx);
    return 0;
}

int nvrtcGetCUBINSize(program *p, size_t *n) {
    *n = p->machine && !p->lto ? 8 : 0;
    return 0;
}

int nvrtcGetCUBIN(program *p, char *cubin) {
    (void)p;
    memcpy(cubin, "machine\0", 8);
    return 0;
}

#ifndef OLD
int nvrtcGetLTOIRSize(program *p, size_t *n) {
    *n = p->lto ? 5 : 0;
    return 0;
}

int nvrtcGetLTOIR(program *p, char *ir) {
    (void)p;
    memcpy(ir, "ltoir", 5);
    return 0;
}

int nvrtcSetFlowCallback(program *p, int (*flow)(void *, void *), void *payload) {
    p->flow = flow;
    p->payload = payload;
    return 0;
}
#endif
