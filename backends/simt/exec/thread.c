/* The GPU thread that a host thread runs (device/self.h). */
#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { ARCH_SET_GS = 0x1001, ARCH_GET_GS = 0x1004 }; /* <asm/prctl.h>, which musl lacks */

_Thread_local simt_block *simt_current_block;
_Thread_local simt_thread *simt_current_thread;

static _Thread_local simt_gs_words gs_words;

void simt_thread_select(simt_thread *t) {
  simt_current_thread = t;
  gs_words.lane = &t->lane;
}

void simt_current_begin(simt_block *block, simt_current *out_before) {
  *out_before =
      (simt_current){.block = simt_current_block, .thread = simt_current_thread, .words = gs_words};
  syscall(SYS_arch_prctl, ARCH_GET_GS, &out_before->gs);
  syscall(SYS_arch_prctl, ARCH_SET_GS, &gs_words);
  simt_current_block = block;
  gs_words.shared = block->shared;
}

void simt_current_end(const simt_current *before) {
  simt_current_block = before->block;
  simt_current_thread = before->thread;
  gs_words = before->words;
  syscall(SYS_arch_prctl, ARCH_SET_GS, before->gs);
}
