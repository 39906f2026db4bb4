/* bundle.c: Clang's bundles of images for several architectures, as HIP has them: a
 * magic word, a count, and for each image where it lies, its size, and its target. */
#include "fk_internal.h"

static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
enum { MOST = 4096, NAME = 256 };

/* Whether a list of features, each after a colon, has one. */
static int has(const char *list, const char *feature, size_t n) {
    for (const char *at = list; (at = strchr(at, ':')); at++)
        if (!strncmp(at, feature, n) && (!at[n] || at[n] == ':')) return 1;
    return 0;
}

/* Whether code for a target runs on a device: it is of its processor, and asks for no
 * feature that the device lacks. */
static int runs(const char *name, const char *arch) {
    const char *target = strstr(name, "--gfx");
    if (!target || !arch) return 0;
    target += 2;
    size_t n = strcspn(target, ":");
    if (n != strcspn(arch, ":") || strncmp(target, arch, n)) return 0;
    for (const char *at = target + n; *at == ':'; at += n) {
        n = 1 + strcspn(at + 1, ":");
        if (!has(arch, at, n)) return 0;
    }
    return 1;
}

int fk_bundle_part(const void **bytes, size_t *room, int device) {
    const char *p = *bytes, *arch = fk_device_model(device) ? fk_device_model(device)->arch : 0;
    char start[sizeof magic] = "", name[NAME];
    uint64_t n, entry[3]; /* offset, size, length of the name */
    if (!p || *room < sizeof magic || *p != *magic || !fk_fetch(start, p, sizeof magic - 1) || strcmp(start, magic)) return FK_OK;
    const char *at = p + sizeof magic - 1;
    if (!fk_fetch(&n, at, sizeof n) || n > MOST) return FK_INVALID_IMAGE;
    at += sizeof n;
    while (n--) {
        if (!fk_fetch(entry, at, sizeof entry)) return FK_INVALID_IMAGE;
        at += sizeof entry;
        if (entry[2] >= NAME || !fk_fetch(name, at, entry[2])) return FK_INVALID_IMAGE;
        name[entry[2]] = 0;
        at += entry[2];
        if (!runs(name, arch)) continue;
        if (entry[0] > *room || entry[1] > *room - entry[0] || entry[1] < 16) return FK_INVALID_IMAGE;
        *bytes = p + entry[0];
        *room = entry[1];
        return fk_fetch(start, *bytes, 16) ? FK_OK : FK_INVALID_IMAGE;
    }
    return FK_NO_BINARY;
}
