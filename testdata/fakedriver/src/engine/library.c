/* library.c: images of no context, which are loaded into one when it first uses
 * them; and links of images. */
#include "fk_internal.h"

enum { CONTEXTS = 64 };

typedef struct {
    fk_object o;
    void *bytes;
    fk_image *image; /* tells the names */
    fk_module *modules[CONTEXTS];
    fk_object **kernels;
} library;

typedef struct {
    fk_object o;
    library *lib;
    unsigned index;
} kernel;

static void release(fk_object *o) {
    library *l = (library *)o;
    if (l->image) fk_image_drop(l->image);
    free(l->bytes);
    free(l->kernels);
    free(l);
}

static void release_kernel(fk_object *o) {
    fk_object_unref(&((kernel *)o)->lib->o);
    free(o);
}

int fk_library_load(const void *bytes, fk_handle *h, char *why, size_t room) {
    library *l = calloc(1, sizeof *l);
    if (!l) return FK_OUT_OF_MEMORY;
    size_t size;
    int device = 0;
    fk_context_device(&device);
    int status = fk_image_open(bytes, device, &l->image, why, room);
    if (!status) status = fk_image_copy(bytes, &l->bytes, &size);
    if (!status) {
        l->kernels = calloc(l->image->n + 1, sizeof *l->kernels);
        status = l->kernels ? fk_object_add(&l->o, FK_LIBRARY, 0, 0, release) : FK_OUT_OF_MEMORY;
    }
    if (status) release(&l->o);
    else *h = l->o.handle;
    return status;
}

void fk_library_forget(fk_module *m) {
    library *l = (library *)m->library;
    for (int i = 0; i < CONTEXTS; i++)
        if (l->modules[i] == m) l->modules[i] = 0;
}

static int find(fk_handle h, library **l) {
    *l = (library *)fk_find(h, FK_LIBRARY);
    return *l ? FK_OK : FK_INVALID_HANDLE;
}

int fk_library_unload(fk_handle h) {
    library *l;
    int status = find(h, &l);
    if (status) return status;
    fk_object_ref(&l->o);
    for (int i = 0; i < CONTEXTS; i++)
        if (l->modules[i]) {
            fk_context_idle(l->modules[i]->o.ctx);
            if (l->modules[i]) l->modules[i]->o.close(&l->modules[i]->o);
        }
    for (unsigned i = 0; i < l->image->n; i++)
        if (l->kernels[i]) fk_object_remove(l->kernels[i]);
    fk_object_remove(&l->o);
    fk_object_unref(&l->o);
    return FK_OK;
}

static int module_of(library *l, fk_module **out) {
    fk_context *ctx;
    int status = fk_context_current(&ctx), room = -1;
    if (status) return status;
    for (int i = 0; i < CONTEXTS; i++) {
        if (l->modules[i] && l->modules[i]->o.ctx == ctx) {
            *out = l->modules[i];
            return FK_OK;
        }
        if (!l->modules[i] && room < 0) room = i;
    }
    if (room < 0) return FK_OUT_OF_RESOURCES;
    char why[256];
    status = fk_module_of(ctx, l->bytes, out, why, sizeof why);
    if (status) return status;
    (*out)->library = &l->o;
    (*out)->o.hidden = 1;
    fk.live[FK_MODULE]--;
    l->modules[room] = *out;
    return FK_OK;
}

int fk_library_module(fk_handle h, fk_handle *module) {
    library *l;
    fk_module *m;
    int status = find(h, &l);
    if (!status) status = module_of(l, &m);
    if (!status) *module = m->o.handle;
    return status;
}

static int kernel_at(library *l, unsigned i, fk_handle *h) {
    if (!l->kernels[i]) {
        kernel *k = calloc(1, sizeof *k);
        if (!k) return FK_OUT_OF_MEMORY;
        k->o.hidden = 1;
        int status = fk_object_add(&k->o, FK_KERNEL, 0, 0, release_kernel);
        if (status) {
            free(k);
            return status;
        }
        k->lib = l;
        k->index = i;
        fk_object_ref(&l->o);
        l->kernels[i] = &k->o;
    }
    *h = l->kernels[i]->handle;
    return FK_OK;
}

int fk_library_kernel(fk_handle h, const char *name, fk_handle *out) {
    library *l;
    int status = find(h, &l);
    if (status) return status;
    for (unsigned i = 0; i < l->image->n; i++)
        if (!strcmp(l->image->names[i], name)) return kernel_at(l, i, out);
    return FK_NOT_FOUND;
}

int fk_library_count(fk_handle h, unsigned *n) {
    library *l;
    int status = find(h, &l);
    if (!status) *n = l->image->n;
    return status;
}

int fk_library_list(fk_handle h, fk_handle *kernels, unsigned room) {
    library *l;
    int status = find(h, &l);
    for (unsigned i = 0; !status && i < room && i < l->image->n; i++) status = kernel_at(l, i, &kernels[i]);
    return status;
}

int fk_kernel_function(fk_handle h, fk_handle *function) {
    fk_module *m;
    fk_function *f;
    kernel *k = (kernel *)fk_find(h, FK_KERNEL);
    if (!k) return FK_INVALID_HANDLE;
    int status = module_of(k->lib, &m);
    if (!status) status = fk_module_function_at(m, k->index, &f);
    if (!status) *function = f->o.handle;
    return status;
}

int fk_kernel_name(fk_handle h, const char **name) {
    kernel *k = (kernel *)fk_find(h, FK_KERNEL);
    if (!k) return FK_INVALID_HANDLE;
    *name = k->lib->image->names[k->index];
    return FK_OK;
}

/* --- links: of one image, which is passed through --- */

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
    status = fk_image_copy(data, &copy, &real);
    if (status) return status;
    if (real > size || l->image) {
        free(copy);
        return l->image ? FK_NOT_SUPPORTED : FK_INVALID_IMAGE;
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
