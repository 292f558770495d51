#include "abi/kmpc/kmpc.h"

_Thread_local kmpc_thread solo_kmp_thread_record;
const kmpc_task_ops *_Atomic solo_kmp_task_ops;
