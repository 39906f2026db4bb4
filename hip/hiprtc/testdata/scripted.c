/* scripted.c: a library with hiprtc's functions that compiles nothing and does what
 * words in the program say, for tests of what a real one seldom does:
 *
 *   @result N   the compile ends with the code N
 *   @log TEXT   to the end of the line, is the log
 *   @until FILE the compile goes on until that file exists
 *   @none       no code is made
 *
 * The code that it makes tells what it was given. With OLD defined it has only the
 * functions of HIP 5.2. SCRIPTED_VERSION is the version, 9.0 if unset. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM 65536

typedef struct program {
    char text[ROOM], log[ROOM], code[ROOM];
    int names, rdc;
    char lowered[8][256];
    char expression[8][256];
} program;

int hiprtcVersion(int *major, int *minor) {
    const char *v = getenv("SCRIPTED_VERSION");
    return sscanf(v ? v : "9.0", "%d.%d", major, minor) == 2 ? 0 : 11;
}

const char *hiprtcGetErrorString(int code) { return code == 99 ? "HIPRTC_ERROR_OF_THE_FUTURE" : 0; }

static void add(program *p, const char *a, const char *b) {
    strncat(p->code, a, ROOM - strlen(p->code) - 1);
    strncat(p->code, b, ROOM - strlen(p->code) - 1);
    strncat(p->code, "\n", ROOM - strlen(p->code) - 1);
}

int hiprtcCreateProgram(program **out, const char *src, const char *name, int n, const char **headers,
                        const char **names) {
    if (getenv("SCRIPTED_REFUSE")) return 2;
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

int hiprtcDestroyProgram(program **p) {
    free(*p);
    *p = 0;
    return 0;
}

int hiprtcAddNameExpression(program *p, const char *expression) {
    if (p->names == 8) return 3;
    snprintf(p->expression[p->names], 256, "%s", expression);
    snprintf(p->lowered[p->names++], 256, "_Z%s", expression);
    return 0;
}

int hiprtcGetLoweredName(program *p, const char *expression, const char **name) {
    for (int i = 0; i < p->names; i++)
        if (strcmp(p->expression[i], expression) == 0 && strcmp(expression, "bad") != 0) {
            *name = p->lowered[i];
            return 0;
        }
    return 10;
}

static void handler(int signal) { _exit(signal); }

int hiprtcCompileProgram(program *p, int n, const char **options) {
    struct sigaction rude = {.sa_handler = handler}; /* as LLVM does */
    sigaction(SIGINT, &rude, 0);
    sigaction(SIGSEGV, &rude, 0);
    for (int i = 0; i < n; i++) {
        add(p, "// option ", options[i]);
        p->rdc |= strcmp(options[i], "-fgpu-rdc") == 0;
    }
    char *word = strstr(p->text, "@log ");
    if (word) snprintf(p->log, ROOM, "%.*s\n", (int)strcspn(word + 5, "\n"), word + 5);
    word = strstr(p->text, "@until ");
    if (word) {
        char file[1024];
        snprintf(file, sizeof file, "%.*s", (int)strcspn(word + 7, "\n"), word + 7);
        while (access(file, F_OK) != 0) usleep(500);
    }
    word = strstr(p->text, "@result ");
    if (word) return atoi(word + 8);
    if (strstr(p->text, "@none")) p->rdc = p->code[0] = 0;
    else add(p, "", p->text);
    return 0;
}

int hiprtcGetProgramLogSize(program *p, size_t *n) {
    *n = p->log[0] ? strlen(p->log) + 1 : 0;
    return 0;
}

int hiprtcGetProgramLog(program *p, char *log) {
    strcpy(log, p->log);
    return 0;
}

int hiprtcGetCodeSize(program *p, size_t *n) {
    *n = p->rdc ? 0 : strlen(p->code);
    return 0;
}

int hiprtcGetCode(program *p, char *code) {
    memcpy(code, p->code, strlen(p->code));
    return 0;
}

#ifndef OLD
int hiprtcGetBitcodeSize(program *p, size_t *n) {
    if (!p->rdc) return 4;
    *n = 2;
    return 0;
}

int hiprtcGetBitcode(program *p, char *bitcode) {
    (void)p;
    memcpy(bitcode, "BC", 2);
    return 0;
}
#endif
