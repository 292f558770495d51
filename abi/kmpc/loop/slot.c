#include "abi/kmpc/loop/loop.h"
#include "abi/kmpc/team/cancellation.h"
#include "abi/kmpc/team/wait.h"

typedef struct entering {
  kmpc_team *team;
  kmpc_loop_slot *slot;
  uint32_t number;
} entering;

static int is_ready(const entering *at) {
  /* pairs with solo_kmp_slot_ready and solo_kmp_slot_free */
  return solo_load_acquire(&at->slot->turn) == at->number &&
         solo_load_acquire(&at->slot->state) != KMPC_SLOT_SETUP;
}

static int can_enter(void *what) {
  const entering *at = what;
  return is_ready(at) || solo_kmp_is_cancelled(at->team);
}

int solo_kmp_slot_enter(kmpc_thread *self, kmpc_loop_slot *slot, uint32_t number) {
  kmpc_team *team = self->context.team;
  entering at = {team, slot, number};
  for (;;) {
    solo_kmp_wait(self, &team->eventcount, can_enter, solo_kmp_no_help, &at);
    if (!is_ready(&at)) {
      if (solo_kmp_is_cancelled(team)) return KMPC_ENTER_CANCELLED;
      continue;
    }
    uint32_t state = KMPC_SLOT_FREE;
    /* pairs with solo_kmp_slot_ready */
    if (solo_load_acquire(&slot->state) == KMPC_SLOT_READY) return KMPC_ENTER_READY;
    /* pairs with solo_kmp_slot_free */
    if (solo_cas_acq_rel(&slot->state, &state, KMPC_SLOT_SETUP)) return KMPC_ENTER_FIRST;
  }
}

void solo_kmp_slot_ready(kmpc_thread *self, kmpc_loop_slot *slot) {
  /* pairs with is_ready: the shared data of the loop are complete in state READY */
  solo_store_seq_cst(&slot->state, KMPC_SLOT_READY);
  solo_kmp_notify(&self->context.team->eventcount);
}

int solo_kmp_slot_leave(kmpc_thread *self, kmpc_loop_slot *slot) {
  uint32_t left = solo_add_acq_rel(&slot->left, 1) + 1;
  SOLO_ASSERT(left <= (uint32_t)self->context.team->size, "a thread leaves a loop twice");
  return left == (uint32_t)self->context.team->size;
}

void solo_kmp_slot_free(kmpc_thread *self, kmpc_loop_slot *slot) {
  /* relaxed: the store of `turn` publishes */
  solo_store_relaxed(&slot->left, 0);
  solo_store_relaxed(&slot->state, KMPC_SLOT_FREE);
  /* Invariant: when `turn` changes, the slot is free and no thread uses it. The acq_rel addition in
   *            solo_kmp_slot_leave() orders the last thread after the others.
   * Ordering:  this store pairs with the acquire load in is_ready().
   * Otherwise: two loops could use the slot at the same time.
   */
  solo_store_seq_cst(&slot->turn, solo_load_relaxed(&slot->turn) + KMPC_LOOP_SLOTS);
  solo_kmp_notify(&self->context.team->eventcount);
}
