/* The ring of loops that a team shares: taking turns (state diagram in loop.h). */
#include "abi/kmpc/team/cancel.h"
#include "abi/kmpc/team/worker_team.h"

static int is_ready(kmpc_loop_slot *slot, uint32_t number) {
  /* pairs with solo_kmp_slot_ready and solo_kmp_slot_free */
  return solo_load_seq_cst(&slot->turn) == number &&
         solo_load_seq_cst(&slot->state) != KMPC_SLOT_SETUP;
}

int solo_kmp_slot_enter(kmpc_thread *self, kmpc_loop_slot *slot, uint32_t number) {
  kmpc_eventcount *event = &self->context.team->event;
  kmpc_backoff backoff = {0};
  for (;;) {
    if (is_ready(slot, number)) {
      uint32_t state = KMPC_SLOT_FREE;
      /* pairs with solo_kmp_slot_ready */
      if (solo_load_acquire(&slot->state) == KMPC_SLOT_READY) return KMPC_ENTER_READY;
      /* pairs with solo_kmp_slot_free */
      if (solo_cas_acq_rel(&slot->state, &state, KMPC_SLOT_SETUP)) return KMPC_ENTER_FIRST;
      continue;
    }
    if (solo_kmp_is_cancelled(self->context.team)) return KMPC_ENTER_CANCELLED;
    if (solo_kmp_spin(&backoff)) continue;
    uint32_t key = solo_kmp_event_prepare(event);
    if (is_ready(slot, number) || solo_kmp_is_cancelled(self->context.team))
      solo_kmp_event_cancel(event);
    else
      solo_kmp_event_sleep(event, key);
  }
}

void solo_kmp_slot_ready(kmpc_thread *self, kmpc_loop_slot *slot) {
  solo_store_seq_cst(&slot->state, KMPC_SLOT_READY); /* pairs with solo_kmp_slot_enter */
  solo_kmp_notify(&self->context.team->event);
}

int solo_kmp_slot_leave(kmpc_thread *self, kmpc_loop_slot *slot) {
  /* pairs with itself: the last thread sees that all others are through */
  return solo_add_acq_rel(&slot->left, 1) + 1 == (uint32_t)self->context.team->size;
}

void solo_kmp_slot_free(kmpc_thread *self, kmpc_loop_slot *slot) {
  solo_store_relaxed(&slot->left, 0); /* published by turn */
  solo_store_relaxed(&slot->state, KMPC_SLOT_FREE);
  /* pairs with solo_kmp_slot_enter; relaxed read: only the last thread writes */
  solo_store_seq_cst(&slot->turn, solo_load_relaxed(&slot->turn) + KMPC_LOOP_SLOTS);
  solo_kmp_notify(&self->context.team->event);
}
