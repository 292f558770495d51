#include "runtime/base/generation.h"

_Atomic uint64_t solo_registry_generation = 1;
