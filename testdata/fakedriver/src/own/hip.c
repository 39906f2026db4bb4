#include "own.h"

const struct fk_own fk_own = {.behind = 1, .version = 70100, .model = "MI300X"};
