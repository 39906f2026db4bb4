/* object.c: makes a code object of AMD's (amd_object.h) of an image, as hiprtc gives one. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "amd_object.h"
#include "nv.h"

enum { NOTE_METADATA = 32, OS_HSA = 64, ALIGN = 16 };

/* The metadata of the image that was just made and opened. */
static int described(const program *p, void *lib, text *metadata) {
    const fake_image *table = dlsym(lib, "fake_image_table");
    if (!table) return NV_INTERNAL_ERROR;
    const char **names = calloc(table->n_kernels + 1, sizeof *names);
    int result = names ? NV_SUCCESS : NV_OUT_OF_MEMORY;
    for (uint32_t i = 0; !result && i < table->n_kernels; i++) {
        Dl_info info = {0};
        void *function = table->kernels[i].function;
        if (dladdr(function, &info) && info.dli_saddr == function && info.dli_sname) names[i] = info.dli_sname;
        else result = NV_INTERNAL_ERROR;
    }
    if (!result) result = nv_metadata(p, table, names, metadata);
    free(names);
    return result;
}

static void pad(text *t) {
    static const char zeros[ALIGN];
    text_add(t, zeros, -t->used % ALIGN);
}

/* The file: its header, a segment for the note, the note, the native image, the names of
 * the sections, and the sections. */
static int wrap(program *p, const text *metadata, const text *native) {
    static const char names[] = "\0.note\0.native\0.shstrtab", owner[8] = "AMDGPU";
    const Elf64_Nhdr note = {7, (Elf64_Word)metadata->used, NOTE_METADATA};
    text *out = &p->image;
    Elf64_Ehdr h = {
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, OS_HSA, (unsigned char)(nv_amd_version() - 2)},
        .e_type = ET_DYN, .e_machine = EM_AMDGPU, .e_version = EV_CURRENT, .e_phoff = sizeof h, .e_flags = amd_flags(p->target), .e_ehsize = sizeof h,
        .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 4, .e_shstrndx = 3};
    Elf64_Shdr s[4] = {
        {0}, {.sh_name = 1, .sh_type = SHT_NOTE, .sh_flags = SHF_ALLOC, .sh_addralign = 4},
        {.sh_name = 7, .sh_type = AMD_NATIVE, .sh_addralign = ALIGN}, {.sh_name = 15, .sh_type = SHT_STRTAB, .sh_addralign = 1}};
    size_t notes = sizeof note + sizeof owner + (metadata->used + 3) / 4 * 4;
    Elf64_Off at = sizeof h + sizeof(Elf64_Phdr);
    const Elf64_Phdr segment = {.p_type = PT_NOTE, .p_flags = PF_R, .p_offset = at, .p_vaddr = at, .p_paddr = at, .p_filesz = notes, .p_memsz = notes, .p_align = 4};
    s[1].sh_addr = s[1].sh_offset = at;
    s[1].sh_size = notes;
    s[2].sh_offset = (at + notes + ALIGN - 1) / ALIGN * ALIGN;
    s[2].sh_size = native->used;
    s[3].sh_offset = s[2].sh_offset + (native->used + ALIGN - 1) / ALIGN * ALIGN;
    s[3].sh_size = sizeof names;
    h.e_shoff = s[3].sh_offset + (sizeof names + ALIGN - 1) / ALIGN * ALIGN;
    text_add(out, (const char *)&h, sizeof h);
    text_add(out, (const char *)&segment, sizeof segment);
    text_add(out, (const char *)&note, sizeof note);
    text_add(out, owner, sizeof owner);
    text_add(out, metadata->at, metadata->used);
    pad(out);
    text_add(out, native->at, native->used);
    pad(out);
    text_add(out, names, sizeof names);
    pad(out);
    text_add(out, (const char *)s, sizeof s);
    return out->failed ? NV_OUT_OF_MEMORY : NV_SUCCESS;
}

int nv_amd_object(program *p, void *lib) {
    text metadata = {0}, native = p->image;
    int result = described(p, lib, &metadata);
    if (!result) {
        p->image = (text){0};
        result = wrap(p, &metadata, &native);
        text_free(&native);
    }
    text_free(&metadata);
    return result;
}
