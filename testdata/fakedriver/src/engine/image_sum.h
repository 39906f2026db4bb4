/* image_sum.h: the checksum that a compiler puts into the flags of an image's ELF
 * header, so that one which was cut short or altered is no image. */
#ifndef IMAGE_SUM_H
#define IMAGE_SUM_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of the file with flags of 0; never 0 itself. */
static inline uint32_t image_sum(const unsigned char *bytes, size_t size) {
    uint32_t h = 2166136261u;
    size_t at = offsetof(Elf64_Ehdr, e_flags);
    for (size_t i = 0; i < size; i++) h = (h ^ (i - at < 4 ? 0 : bytes[i])) * 16777619u;
    return h ? h : 1;
}

#endif
