#include "abi/registration_list.h"

static solo_lock live_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);
static solo_registration *live;

solo_status solo_registration_check(const solo_registration *r) {
  solo_lock_acquire(&live_lock);
  const solo_registration *found = live;
  while (found && found != r) found = found->next;
  solo_lock_release(&live_lock);
  return found ? SOLO_OK : solo_fail(SOLO_INVALID, "%p is not a registered image", (const void *)r);
}

void solo_registration_insert(solo_registration *r) {
  solo_lock_acquire(&live_lock);
  r->next = live;
  live = r;
  solo_lock_release(&live_lock);
}

int solo_registration_remove(const solo_registration *r) {
  solo_lock_acquire(&live_lock);
  solo_registration **link = &live;
  while (*link && *link != r) link = &(*link)->next;
  int found = *link != NULL;
  if (found) *link = r->next;
  solo_lock_release(&live_lock);
  return found;
}
