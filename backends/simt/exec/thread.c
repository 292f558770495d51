/* The GPU thread that a host thread runs (device/self.h). */
#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { ARCH_SET_GS = 0x1001, ARCH_GET_GS = 0x1004 }; /* <asm/prctl.h>, which musl lacks */

_Thread_local simt_block *simt_current_block;
_Thread_local simt_thread *simt_current_thread;

void simt_current_begin(simt_block *block, simt_current *out_before) {
  *out_before = (simt_current){.block = simt_current_block, .thread = simt_current_thread};
  syscall(SYS_arch_prctl, ARCH_GET_GS, &out_before->gs);
  syscall(SYS_arch_prctl, ARCH_SET_GS, block->words);
  simt_current_block = block;
  block->current = &simt_current_thread;
  *block->words = (simt_gs_words){.self = block->words, .shared = block->shared};
}

void simt_current_end(const simt_current *before) {
  simt_current_block = before->block;
  simt_current_thread = before->thread;
  if (before->block) before->block->words->lane = &before->thread->lane;
  syscall(SYS_arch_prctl, ARCH_SET_GS, before->gs);
}
