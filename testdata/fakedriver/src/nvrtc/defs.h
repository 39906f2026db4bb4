/* defs.h: the words of CUDA C++ that are looked for in a program after its macros
 * were expanded, and that mean something only after that. */
#define __global__ __attribute__((noinline, used, visibility("default")))
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __block_size__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
