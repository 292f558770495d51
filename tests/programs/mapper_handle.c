/* Description: calls the mapper interface with a zeroed handle in the layout of LLVM's vector of
 * components. Checks order and ownership. */
#include "check.h"
#include <stdint.h>
#include <stdlib.h>

typedef struct component {
  void *base, *begin;
  int64_t size, type;
  void *name;
} component;

/* guard: detects writes beyond the handle */
typedef struct handle {
  component *first, *last, *end;
  uint64_t guard;
} handle;

int64_t __tgt_mapper_num_components(void *handle);
void __tgt_push_mapper_component(void *handle, void *base, void *begin, int64_t size, int64_t type,
                                 void *name);

int main(void) {
  enum { COUNT = 100 };
  handle mine = {.guard = 42};
  CHECK_INT(__tgt_mapper_num_components(&mine), 0);
  for (int64_t i = 0; i < COUNT; i++)
    __tgt_push_mapper_component(&mine, &mine, &mine.guard, i, 2 * i, NULL);
  CHECK_INT(__tgt_mapper_num_components(&mine), COUNT);
  CHECK_INT(mine.guard, 42);
  CHECK_INT(mine.last - mine.first, COUNT);
  CHECK_INT(mine.end >= mine.last, 1);
  for (int64_t i = 0; i < COUNT; i++) {
    CHECK_INT(mine.first[i].size, i);
    CHECK_INT(mine.first[i].type, 2 * i);
    CHECK_INT(mine.first[i].base == (void *)&mine, 1);
    CHECK_INT(mine.first[i].begin == (void *)&mine.guard, 1);
  }
  free(mine.first);
#pragma omp target
  {}
  return result();
}
