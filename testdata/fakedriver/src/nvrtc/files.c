/* files.c: growing texts, files of a compilation, and running the compiler. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nv.h"

extern char **environ;

void text_add(text *t, const char *bytes, size_t n) {
    if (t->failed) return;
    if (t->used + n + 1 > t->room) {
        size_t room = 2 * (t->used + n) + 256;
        char *grown = realloc(t->at, room);
        if (!grown) {
            t->failed = 1;
            return;
        }
        t->at = grown;
        t->room = room;
    }
    memcpy(t->at + t->used, bytes, n);
    t->used += n;
    t->at[t->used] = 0;
}

void text_format(text *t, const char *format, ...) {
    va_list args;
    char *s;
    va_start(args, format);
    int n = vasprintf(&s, format, args);
    va_end(args);
    if (n < 0) {
        t->failed = 1;
        return;
    }
    text_add(t, s, (size_t)n);
    free(s);
}

void text_free(text *t) {
    free(t->at);
    *t = (text){0};
}

char *nv_folder(void) {
    const char *tmp = getenv("TMPDIR");
    char *folder;
    if (asprintf(&folder, "%s/fake-nvrtc-XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0) return 0;
    if (!mkdtemp(folder)) {
        free(folder);
        return 0;
    }
    return folder;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at) {
    (void)st, (void)type, (void)at;
    return remove(path);
}

void nv_folder_remove(const char *folder) { nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* Headers may have names with folders; none leaves ours. */
int nv_write(const char *folder, const char *name, const char *bytes, size_t n) {
    char *path;
    if (!*name || *name == '/' || strstr(name, "..") || asprintf(&path, "%s/%s", folder, name) < 0) return -1;
    for (char *s = path + strlen(folder) + 1; (s = strchr(s, '/')); *s++ = '/') {
        *s = 0;
        mkdir(path, 0700);
    }
    FILE *f = fopen(path, "we");
    free(path);
    if (!f) return -1;
    size_t done = fwrite(bytes, 1, n, f);
    return fclose(f) || done != n ? -1 : 0;
}

int nv_read(const char *folder, const char *name, text *out) {
    char *path, bytes[65536];
    size_t n;
    if (asprintf(&path, "%s/%s", folder, name) < 0) return -1;
    FILE *f = fopen(path, "re");
    free(path);
    if (!f) return -1;
    text_add(out, "", 0);
    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0) text_add(out, bytes, n);
    int bad = ferror(f);
    fclose(f);
    return bad || out->failed ? -1 : 0;
}

/* The environment, with messages in plain English. */
static char **english(void) {
    size_t n = 0, kept = 0;
    while (environ[n]) n++;
    char **env = calloc(n + 2, sizeof *env);
    for (size_t i = 0; env && i < n; i++)
        if (strncmp(environ[i], "LC_ALL=", 7)) env[kept++] = environ[i];
    if (env) env[kept] = "LC_ALL=C";
    return env;
}

/* Runs a program in the folder; what it says goes to a file there. Returns its
 * status; -1: it could not be run. */
int nv_run(const char *folder, char *const argv[], const char *said) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none, all;
    pid_t pid;
    int status;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addchdir_np(&files, folder);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, said, O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&files, 2, 1);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, &none);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    posix_spawnattr_setsigdefault(&attr, &all);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    char **env = english();
    int failed = !env || posix_spawnp(&pid, argv[0], &files, &attr, argv, env);
    free(env);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    if (failed) return -1;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}
