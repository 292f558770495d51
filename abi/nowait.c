/* Asynchronous completion of target tasks, as libomp and abi/kmpc ask for it.
 *
 * A runtime may leave a handle with a target task (__kmpc_omp_get_target_async_handle_ptr); the
 * task is then asked about again until the handle is NULL. Ours leaves none: the work of a target
 * task is complete when its body returns, whichever thread runs it. The query therefore has nothing
 * to look at, and says so if somebody else left a handle.
 */
#include "runtime/base/platform.h"

SOLO_EXPORT void __tgt_target_nowait_query(void **handle);

void __tgt_target_nowait_query(void **handle) {
  if (handle) *handle = NULL;
}
