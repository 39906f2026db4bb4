/* front.h: the entries of a library's functions: each tells front_enter its number in
 * the table, and then returns the code that it was given, or goes on to the function
 * with registers and stack as they were. It knows nothing of parameters, so that one
 * form serves all; none of them are floating-point numbers. */
#ifndef FRONT_H
#define FRONT_H

#include <stdint.h>

/* The code in the lower half, and 1 in the upper one if it is to be returned. */
__attribute__((used, visibility("hidden"))) uint64_t front_enter(int id);

#define FRONT_TEXT(x) FRONT_TEXT_(x)
#define FRONT_TEXT_(x) #x

#if defined(__x86_64__)
__asm__(".text\n"
        ".type front_all, @function\n"
        "front_all:\n"
        ".cfi_startproc\n"
        "pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "movq %rsp, %rbp\n"
        ".cfi_def_cfa_register %rbp\n"
        "pushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\npushq %r8\npushq %r9\npushq %r11\npushq %r11\n"
        "movl %eax, %edi\n"
        "call front_enter\n"
        "popq %r11\npopq %r11\npopq %r9\npopq %r8\npopq %rcx\npopq %rdx\npopq %rsi\npopq %rdi\n"
        "popq %rbp\n"
        ".cfi_def_cfa %rsp, 8\n"
        "btq $32, %rax\n"
        "jc 1f\n"
        "jmp *%r11\n"
        "1: ret\n"
        ".cfi_endproc\n"
        ".size front_all, . - front_all\n");
#define FRONT_GO(symbol, id) "endbr64\nmovl $" id ", %eax\nleaq behind_" symbol "(%rip), %r11\njmp front_all\n"
#elif defined(__aarch64__)
__asm__(".text\n"
        ".type front_all, %function\n"
        "front_all:\n"
        ".cfi_startproc\n"
        "stp x29, x30, [sp, #-96]!\n"
        ".cfi_def_cfa_offset 96\n"
        ".cfi_offset x29, -96\n"
        ".cfi_offset x30, -88\n"
        "mov x29, sp\n"
        "stp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\nstp x6, x7, [sp, #64]\nstp x8, x17, [sp, #80]\n"
        "mov w0, w16\n"
        "bl front_enter\n"
        "mov x16, x0\n"
        "ldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\nldp x8, x17, [sp, #80]\n"
        "ldp x29, x30, [sp], #96\n"
        ".cfi_restore x29\n"
        ".cfi_restore x30\n"
        ".cfi_def_cfa_offset 0\n"
        "tbnz x16, #32, 1f\n"
        "br x17\n"
        "1: mov w0, w16\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size front_all, . - front_all\n");
#define FRONT_GO(symbol, id) "hint #34\nmov w16, #" id "\nadrp x17, behind_" symbol "\nadd x17, x17, :lo12:behind_" symbol "\nb front_all\n"
#else
#error "the fake HIP runtime has no entries for this machine"
#endif

/* An entry; those of a table are numbered in its order, from 0. */
#define FRONT_ENTRY(kind, version, result, symbol, params) \
    __asm__(".text\n.globl " #symbol "\n.type " #symbol ", %function\n" #symbol ":\n.cfi_startproc\n" \
            FRONT_GO(#symbol, FRONT_TEXT(__COUNTER__)) ".cfi_endproc\n.size " #symbol ", . - " #symbol "\n");
#define FRONT_NAME(kind, version, result, symbol, params) #symbol,
/* Whether a function returns a pointer, which no code can stand for. */
#define FRONT_POINTS(kind, version, result, symbol, params) sizeof(result) == sizeof(void *),

#endif
