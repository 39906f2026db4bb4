/* amd_object.h: what is said in two places of AMD's code objects: an image behind HIP's
 * face is one, an ELF file for one of AMD's processors, with metadata as AMD's compiler
 * writes it, and a section that holds the native image. */
#ifndef AMD_OBJECT_H
#define AMD_OBJECT_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The type of the section that holds the native image, one of those for programs. */
#define AMD_NATIVE 0x8fa4e001u

/* The flags of the file's header: the processor in the low byte, and two bits for each
 * feature: that it makes no difference, that it is off, that it is on. */
enum { AMD_PROCESSOR = 0xff, AMD_XNACK = 8, AMD_SRAMECC = 10, AMD_ANY = 1, AMD_OFF = 2, AMD_ON = 3 };

/* How a target says a feature: "gfx942:sramecc+:xnack-". */
static inline uint32_t amd_feature(const char *target, const char *name) {
    const char *at = strstr(target, name);
    char sign = at && at > target && at[-1] == ':' ? at[strlen(name)] : 0;
    return sign == '+' ? AMD_ON : sign == '-' ? AMD_OFF : AMD_ANY;
}

/* The flags of a target's code; 0 for one that is not known. */
static inline uint32_t amd_flags(const char *target) {
    static const struct {
        const char *name;
        uint8_t number, xnack, sramecc;
    } list[] = {
        {"gfx900", 0x2c, 1, 0}, {"gfx902", 0x2d, 1, 0}, {"gfx904", 0x2e, 1, 0}, {"gfx906", 0x2f, 1, 1}, {"gfx908", 0x30, 1, 1},
        {"gfx909", 0x31, 1, 0}, {"gfx90a", 0x3f, 1, 1}, {"gfx90c", 0x32, 1, 0}, {"gfx940", 0x40, 1, 1}, {"gfx941", 0x4b, 1, 1},
        {"gfx942", 0x4c, 1, 1}, {"gfx950", 0x4f, 1, 1}, {"gfx1010", 0x33, 1, 0}, {"gfx1011", 0x34, 1, 0}, {"gfx1012", 0x35, 1, 0},
        {"gfx1013", 0x42, 1, 0}, {"gfx1030", 0x36, 0, 0}, {"gfx1031", 0x37, 0, 0}, {"gfx1032", 0x38, 0, 0}, {"gfx1033", 0x39, 0, 0},
        {"gfx1034", 0x3e, 0, 0}, {"gfx1035", 0x3d, 0, 0}, {"gfx1036", 0x45, 0, 0}, {"gfx1100", 0x41, 0, 0}, {"gfx1101", 0x46, 0, 0},
        {"gfx1102", 0x47, 0, 0}, {"gfx1103", 0x44, 0, 0}, {"gfx1150", 0x43, 0, 0}, {"gfx1151", 0x4a, 0, 0}, {"gfx1152", 0x55, 0, 0},
        {"gfx1153", 0x58, 0, 0}, {"gfx1200", 0x48, 0, 0}, {"gfx1201", 0x4e, 0, 0},
    };
    size_t n = strcspn(target, ":");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strlen(list[i].name) == n && !strncmp(list[i].name, target, n))
            return list[i].number | (list[i].xnack ? amd_feature(target, "xnack") << AMD_XNACK : 0) |
                   (list[i].sramecc ? amd_feature(target, "sramecc") << AMD_SRAMECC : 0);
    return 0;
}

#endif
