/* codeobject.c: AMD's code objects (amd_object.h), of which the runtime wants the native
 * image. */
#include "amd_object.h"
#include "fk_internal.h"

/* Code that says whether a feature is on runs only where it is so. */
static int suits(uint32_t code, uint32_t device, int feature) {
    uint32_t want = code >> feature & 3;
    return want < AMD_OFF || want == (device >> feature & 3);
}

int fk_code_object_part(const void **bytes, size_t *room, int device) {
    const char *p = *bytes, *arch = fk_device_model(device) ? fk_device_model(device)->arch : 0;
    Elf64_Ehdr h;
    Elf64_Shdr s;
    if (!p || !arch || *room < sizeof h || p[0] != 0x7f || p[1] != 'E' || p[2] != 'L' || p[3] != 'F') return FK_OK;
    if (!fk_fetch(&h, p, sizeof h)) return FK_INVALID_IMAGE;
    if (h.e_machine != EM_AMDGPU) return FK_OK;
    if (h.e_ident[EI_CLASS] != ELFCLASS64 || (h.e_shnum && h.e_shentsize != sizeof s)) return FK_INVALID_IMAGE;
    if (h.e_shoff > *room || h.e_shnum * sizeof s > *room - h.e_shoff) return FK_INVALID_IMAGE;
    uint32_t have = amd_flags(arch), processor = h.e_flags & AMD_PROCESSOR;
    if ((processor && processor != (have & AMD_PROCESSOR)) || !suits(h.e_flags, have, AMD_XNACK) || !suits(h.e_flags, have, AMD_SRAMECC))
        return FK_NO_BINARY;
    for (unsigned i = 0; i < h.e_shnum; i++) {
        if (!fk_fetch(&s, p + h.e_shoff + i * sizeof s, sizeof s)) return FK_INVALID_IMAGE;
        if (s.sh_type != AMD_NATIVE) continue;
        if (s.sh_offset > *room || s.sh_size > *room - s.sh_offset) return FK_INVALID_IMAGE;
        *bytes = p + s.sh_offset;
        *room = s.sh_size;
        return FK_OK;
    }
    return FK_NO_BINARY; /* what AMD's compiler made */
}
