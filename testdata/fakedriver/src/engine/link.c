/* link.c: links of one image, which is passed through. */
#include "fk_internal.h"

typedef struct {
    fk_object o;
    void *image;
    size_t size;
} link_state;

static void release_link(fk_object *o) {
    free(((link_state *)o)->image);
    free(o);
}

int fk_link_create(fk_handle *h) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    link_state *l = calloc(1, sizeof *l);
    if (!l) return FK_OUT_OF_MEMORY;
    status = fk_object_add(&l->o, FK_LINK, ctx, fk_object_remove, release_link);
    if (status) free(l);
    else *h = l->o.handle;
    return status;
}

int fk_link_add(fk_handle h, const void *data, size_t size) {
    link_state *l;
    void *copy;
    size_t real;
    int status = fk_find_used(h, FK_LINK, (fk_object **)&l);
    if (status) return status;
    if (!size) return FK_INVALID_VALUE;
    if (size < 64) return FK_INVALID_IMAGE;
    status = fk_image_copy(data, size, &copy, &real);
    if (status) return status;
    if (l->image) {
        free(copy);
        return FK_NOT_SUPPORTED;
    }
    l->image = copy;
    l->size = real;
    return FK_OK;
}

int fk_link_image(fk_handle h, void **image, size_t *size) {
    link_state *l;
    int status = fk_find_used(h, FK_LINK, (fk_object **)&l);
    if (status) return status;
    if (!l->image) return FK_NOT_FOUND;
    *image = l->image;
    *size = l->size;
    return FK_OK;
}

int fk_link_destroy(fk_handle h) {
    fk_object *l;
    int status = fk_find_used(h, FK_LINK, &l);
    if (!status) fk_object_remove(l);
    return status;
}
