/* Places and binding. */
#include "abi/kmpc/crew.h"

void solo_kmp_place_crew(kmpc_thread *self, kmpc_crew *crew, int32_t bind) {
  (void)self, (void)crew, (void)bind;
}

void solo_kmp_place_self(kmpc_thread *self, int32_t place) {
  self->place = place;
}
