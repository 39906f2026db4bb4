/* metadata.c: what a code object of AMD's says of its kernels, in MessagePack, with the
 * words that AMD's compiler has for it. Names and types of parameters it leaves out, as
 * that does unless it is asked for names. */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "nv.h"

static void bytes(text *t, unsigned char kind, uint64_t n, int size) {
    char b[9] = {(char)kind};
    for (int i = 0; i < size; i++) b[1 + i] = (char)(n >> 8 * (size - 1 - i));
    text_add(t, b, 1 + (size_t)size);
}

static void number(text *t, uint64_t n) {
    if (n < 0x80) bytes(t, (unsigned char)n, 0, 0);
    else if (n <= UINT8_MAX) bytes(t, 0xcc, n, 1);
    else if (n <= UINT16_MAX) bytes(t, 0xcd, n, 2);
    else bytes(t, n <= UINT32_MAX ? 0xce : 0xcf, n, n <= UINT32_MAX ? 4 : 8);
}

static void list(text *t, uint32_t n) {
    if (n < 16) bytes(t, (unsigned char)(0x90 | n), 0, 0);
    else bytes(t, n <= UINT16_MAX ? 0xdc : 0xdd, n, n <= UINT16_MAX ? 2 : 4);
}

static void table(text *t, uint32_t n) {
    if (n < 16) bytes(t, (unsigned char)(0x80 | n), 0, 0);
    else bytes(t, 0xde, n, 2);
}

static void word(text *t, const char *s) {
    size_t n = strlen(s);
    if (n < 32) bytes(t, (unsigned char)(0xa0 | n), 0, 0);
    else if (n <= UINT8_MAX) bytes(t, 0xd9, n, 1);
    else bytes(t, n <= UINT16_MAX ? 0xda : 0xdb, n, n <= UINT16_MAX ? 2 : 4);
    text_add(t, s, n);
}

static void says(text *t, const char *key, uint64_t n) {
    word(t, key);
    number(t, n);
}

static void calls(text *t, const char *key, const char *name) {
    word(t, key);
    word(t, name);
}

static void argument(text *t, uint64_t offset, uint64_t size, const char *kind, const char *space) {
    table(t, space ? 4 : 3);
    if (space) calls(t, ".address_space", space);
    says(t, ".offset", offset);
    says(t, ".size", size);
    calls(t, ".value_kind", kind);
}

/* Those that the runtime gives, in code objects of version 5: where they lie behind the
 * others, aligned to 8, in 256 bytes. */
static const struct {
    const char *kind;
    uint32_t offset, size;
} hidden[] = {
    {"hidden_block_count_x", 0, 4}, {"hidden_block_count_y", 4, 4}, {"hidden_block_count_z", 8, 4},
    {"hidden_group_size_x", 12, 2}, {"hidden_group_size_y", 14, 2}, {"hidden_group_size_z", 16, 2},
    {"hidden_remainder_x", 18, 2}, {"hidden_remainder_y", 20, 2}, {"hidden_remainder_z", 22, 2},
    {"hidden_global_offset_x", 40, 8}, {"hidden_global_offset_y", 48, 8}, {"hidden_global_offset_z", 56, 8},
    {"hidden_grid_dims", 64, 2},
};
enum { HIDDEN = sizeof hidden / sizeof *hidden, HIDDEN_BYTES = 256 };

int nv_amd_version(void) { return fk_settings_now()->version >= 60000 ? 5 : 4; }

static void kernel(text *t, const program *p, const fake_kernel *k, const char *name) {
    int five = nv_amd_version() == 5, block = k->required_block[0] != 0;
    uint64_t end = 0;
    for (uint32_t i = 0; i < k->n_params; i++) end = (uint64_t)k->params[i].offset + k->params[i].size;
    uint64_t behind = (end + 7) / 8 * 8;
    table(t, 16 + (uint32_t)(block + five));
    word(t, ".args");
    list(t, k->n_params + (five ? HIDDEN : 0));
    for (uint32_t i = 0; i < k->n_params; i++) {
        const fake_param *a = &k->params[i];
        argument(t, a->offset, a->size, a->pointer ? "global_buffer" : "by_value", a->pointer ? "global" : 0);
    }
    for (int i = 0; five && i < HIDDEN; i++) argument(t, behind + hidden[i].offset, hidden[i].size, hidden[i].kind, 0);
    says(t, ".group_segment_fixed_size", k->static_shared);
    says(t, ".kernarg_segment_align", 16); /* as much as any parameter needs, but for those that ask for more */
    says(t, ".kernarg_segment_size", five ? behind + HIDDEN_BYTES : (end + 3) / 4 * 4);
    calls(t, ".language", "OpenCL C");
    word(t, ".language_version");
    list(t, 2);
    number(t, 2);
    number(t, 0);
    says(t, ".max_flat_workgroup_size", k->max_threads ? k->max_threads : 1024);
    calls(t, ".name", name);
    says(t, ".private_segment_fixed_size", k->local_bytes);
    if (block) {
        word(t, ".reqd_workgroup_size");
        list(t, 3);
        for (int i = 0; i < 3; i++) number(t, k->required_block[i]);
    }
    says(t, ".sgpr_count", 0);
    says(t, ".sgpr_spill_count", 0);
    word(t, ".symbol");
    text symbol = {0};
    text_format(&symbol, "%s.kd", name);
    word(t, symbol.failed ? "" : symbol.at);
    t->failed |= symbol.failed;
    text_free(&symbol);
    if (five) says(t, ".uniform_work_group_size", 1);
    word(t, ".uses_dynamic_stack");
    bytes(t, 0xc2, 0, 0);
    says(t, ".vgpr_count", k->registers);
    says(t, ".vgpr_spill_count", 0);
    says(t, ".wavefront_size", (uint64_t)nv_warp(p));
}

int nv_metadata(const program *p, const fake_image *image, const char *const *names, text *out) {
    text target = {0};
    table(out, 3);
    word(out, "amdhsa.kernels");
    list(out, image->n_kernels);
    for (uint32_t i = 0; i < image->n_kernels; i++) kernel(out, p, &image->kernels[i], names[i]);
    text_format(&target, "amdgcn-amd-amdhsa--%s", p->target);
    calls(out, "amdhsa.target", target.failed ? "" : target.at);
    out->failed |= target.failed;
    text_free(&target);
    word(out, "amdhsa.version");
    list(out, 2);
    number(out, 1);
    number(out, nv_amd_version() == 5 ? 2 : 1);
    return out->failed ? NV_OUT_OF_MEMORY : NV_SUCCESS;
}
