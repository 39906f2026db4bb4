/* compile.c: compile LIBNVRTC FILE OPTION...: compiles a program, prints the log and
 * the names that the image has, and fails as the compiler does. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    static char source[1 << 18], log[1 << 18];
    void *lib = argc < 3 ? 0 : dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), *program;
    FILE *f = lib ? fopen(argv[2], "r") : 0;
    if (!f) return 2;
    source[fread(source, 1, sizeof source - 1, f)] = 0;
    fclose(f);
    int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *) = dlsym(lib, "nvrtcCreateProgram");
    int (*build)(void *, int, char **) = dlsym(lib, "nvrtcCompileProgram");
    int (*log_size)(void *, size_t *) = dlsym(lib, "nvrtcGetProgramLogSize");
    int (*get_log)(void *, char *) = dlsym(lib, "nvrtcGetProgramLog");
    const char *slash = strrchr(argv[2], '/');
    size_t size;
    if (create(&program, source, slash ? slash + 1 : argv[2], 0, 0, 0)) return 2;
    int result = build(program, argc - 3, argv + 3);
    if (log_size(program, &size) || size > sizeof log || get_log(program, log)) return 2;
    printf("%s", log);
    return result ? 1 : 0;
}
