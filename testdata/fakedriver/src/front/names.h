/* names.h: how the linker knows the functions of testdata/hip_on_cuda here: each has
 * its entry in front of it (front.h), which has the name that the world knows. */
#define FACE_DECLARED(result, symbol, params) __attribute__((visibility("hidden"))) result symbol params __asm__("behind_" #symbol)
