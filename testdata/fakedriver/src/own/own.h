/* own.h: what is a library's own, of those that are made of the same parts. */
#ifndef OWN_H
#define OWN_H

/* behind: the functions of CUDA's driver, or of NVRTC, are behind those of another
 * vendor, which does with calls what control.c does, and knows the symbols. */
struct fk_own {
    int behind, version;
    const char *model;
};
extern const struct fk_own fk_own;

#endif
