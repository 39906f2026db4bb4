#include "own.h"

const struct fk_own fk_own = {.behind = 0, .version = 13000, .model = "H200"};
