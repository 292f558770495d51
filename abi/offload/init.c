/* Start and end of the interface, fork(2). */
#include "abi/offload/stream.h"

static void before_fork(void) {
  pthread_mutex_lock(&ol_lock);
  pthread_mutex_lock(&ol_results_lock);
}

static void in_parent(void) {
  pthread_mutex_unlock(&ol_results_lock);
  pthread_mutex_unlock(&ol_lock);
}

static void in_child(void) {
  ol_streams_forked();
  in_parent();
}

ol_result_t olInit(void) {
  static int once;
  pthread_mutex_lock(&ol_lock);
  if (!ol_core) ol_core = solo_offload_core(); /* other threads read it without the lock */
  int fits = ol_core->version == SOLO_OFFLOAD_CORE_VERSION;
  if (fits && !once) {
    /* Prepare handlers run in reverse order of registration. Therefore fork(2) acquires ol_lock before the locks of the
     * core, as other threads do. */
    ol_core->install_fork_handlers();
    once = pthread_atfork(before_fork, in_parent, in_child) == 0;
  }
  /* release; the program itself orders olInit before other calls */
  if (fits) solo_add_release(&ol_initialised, 1);
  pthread_mutex_unlock(&ol_lock);
  return fits ? OL_SUCCESS
              : ol_fail(OL_ERRC_BACKEND_FAILURE,
                        "olInit: this library and libsolo are of different versions");
}

ol_result_t olShutDown(void) {
  pthread_mutex_lock(&ol_lock);
  uint32_t calls = solo_load_relaxed(&ol_initialised); /* relaxed: lock held */
  if (calls == 1) {
    struct ol_stream *streams = ol_queues_end();
    pthread_mutex_unlock(&ol_lock);
    ol_streams_end(streams);
    pthread_mutex_lock(&ol_lock);
    calls = solo_load_relaxed(&ol_initialised); /* relaxed: lock held */
  }
  if (calls == 1) {
    ol_each(&ol_events, ol_event_end);
    ol_each(&ol_programs, ol_program_end);
    ol_memory_end();
    ol_platforms_end();
  }
  /* release: as in olInit; readers are relaxed */
  if (calls) solo_sub_release(&ol_initialised, 1);
  pthread_mutex_unlock(&ol_lock);
  return calls ? OL_SUCCESS : ol_uninitialised();
}
