#!/bin/sh
# Description: docs/conformance/device.md has the tables of OpenMP's routines, of the functions that compilers call and of
# Fortran's library, from the symbols of the device runtime. A missing function has a reason.   device_table.sh [--update]
set -eu
cd "$(dirname "$0")/../.."
dir=build/lib/device
[ -f $dir/19/libomptarget-nvptx-sm_90.bc ] || { echo "skipped: no device runtime"; exit 77; }
out=build/device.md
# 5.2, chapter 18, without routines that only the host calls (tool control, devices, memory of devices)
routines='alloc aligned_alloc calloc aligned_calloc realloc free init_allocator destroy_allocator set_default_allocator
get_default_allocator get_num_threads get_max_threads get_thread_num set_num_threads in_parallel set_dynamic get_dynamic
get_cancellation set_nested get_nested set_schedule get_schedule get_thread_limit get_supported_active_levels
set_max_active_levels get_max_active_levels get_level get_ancestor_thread_num get_team_size get_active_level get_proc_bind
get_num_places get_place_num_procs get_place_proc_ids get_place_num get_partition_num_places get_partition_place_nums
set_affinity_format get_affinity_format display_affinity capture_affinity get_num_teams get_team_num set_num_teams
get_max_teams set_teams_thread_limit get_teams_thread_limit get_max_task_priority in_explicit_task in_final get_num_procs
set_default_device get_default_device get_num_devices get_device_num is_initial_device get_initial_device init_lock
init_lock_with_hint destroy_lock set_lock unset_lock test_lock init_nest_lock init_nest_lock_with_hint destroy_nest_lock
set_nest_lock unset_nest_lock test_nest_lock get_wtime get_wtick fulfill_event'
names() { # names <vendor> <runtime...>
  vendor=$1
  shift
  for file in "$@" $dir/solo-"$vendor"*.bc; do llvm-nm-19 --defined-only "$file"; done | awk '{ print $NF }' | sort -u
}
names nvptx $dir/19/libomptarget-nvptx-sm_90.bc $dir/22/libomptarget-nvptx.bc >build/device.nvptx
names amdgcn $dir/19/libomptarget-amdgpu-gfx90a.bc $dir/22/libomptarget-amdgpu-gfx90a.bc >build/device.amdgcn
grep -qx omp_get_num_threads build/device.nvptx || { echo "failed: no names of the device runtime"; exit 1; }
fail=0
has() { grep -qx "$2" "build/device.$1"; }
reason_of() { # reason_of <routine or construct>
  case $1 in
  set_default_allocator) echo 'implicit tasks have no allocator; pass the allocator to `omp_alloc`' ;;
  *affinity*) echo 'threads of a GPU have no affinity' ;;
  in_explicit_task) echo 'the runtime does not record tasks' ;;
  fulfill_event | 'task detach') echo 'a task on a GPU is complete when its code ends' ;;
  'single copyprivate') echo 'threads cannot read private memory of another thread; use a shared variable' ;;
  'ordered depend (doacross)') echo 'a wavefront would wait forever' ;;
  'uses_allocators with traits') echo 'Clang 19 and 22 fail; call `omp_init_allocator` in the kernel' ;;
  threadprivate) echo 'unspecified (5.2, 13.8)' ;;
  esac
}
explain() { # explain <name> <symbol...>: the cells; a reason, if one is missing, and only then
  name=$1 nvidia=yes amd=yes
  shift
  for symbol; do
    has nvptx "$symbol" || nvidia=-
    has amdgcn "$symbol" || amd=-
  done
  why=
  [ $nvidia$amd = yesyes ] || why=$(reason_of "$name")
  [ "$why" ] || [ $nvidia$amd = yesyes ] || why='no reason'
  echo "$nvidia | $amd | $why |"
}
# constructs and the functions that compilers call
constructs='target|__kmpc_target_init __kmpc_target_deinit __kmpc_global_thread_num
parallel|__kmpc_parallel_51 __kmpc_parallel_60 solo_parallel_60 __kmpc_get_shared_variables __kmpc_push_proc_bind
shared variables|__kmpc_alloc_shared __kmpc_free_shared
for, static|__kmpc_for_static_init_4 __kmpc_for_static_init_4u __kmpc_for_static_init_8 __kmpc_for_static_init_8u __kmpc_for_static_fini
for, other schedules|__kmpc_dispatch_init_4 __kmpc_dispatch_next_4u __kmpc_dispatch_next_8 __kmpc_dispatch_fini_8u __kmpc_dispatch_deinit
distribute|__kmpc_distribute_static_init_4 __kmpc_distribute_static_init_4u __kmpc_distribute_static_init_8 __kmpc_distribute_static_init_8u
loops of flang|solo_for_static_loop_4u solo_distribute_static_loop_8u solo_distribute_for_static_loop_4u
reduction|__kmpc_nvptx_parallel_reduce_nowait_v2 __kmpc_nvptx_teams_reduce_nowait_v2 __kmpc_shuffle_int32 __kmpc_shuffle_int64
reduction of arrays (Fortran)|solo_parallel_reduce solo_teams_reduce solo_reduce_end
barrier, flush|__kmpc_barrier __kmpc_cancel_barrier __kmpc_flush
critical|__kmpc_critical __kmpc_end_critical __kmpc_critical_with_hint
single, masked|__kmpc_single __kmpc_end_single __kmpc_masked __kmpc_end_masked __kmpc_master __kmpc_end_master
single copyprivate|__kmpc_copyprivate
ordered|__kmpc_ordered __kmpc_end_ordered
ordered depend (doacross)|__kmpc_doacross_init __kmpc_doacross_wait __kmpc_doacross_post __kmpc_doacross_fini
cancel|__kmpc_cancel __kmpc_cancellationpoint
task|__kmpc_omp_task_alloc __kmpc_omp_task __kmpc_omp_task_with_deps __kmpc_omp_task_begin_if0 __kmpc_omp_taskyield
task detach|__kmpc_task_allow_completion_event
taskwait, taskgroup|__kmpc_omp_taskwait __kmpc_omp_taskwait_deps_51 __kmpc_omp_wait_deps __kmpc_taskgroup __kmpc_end_taskgroup
taskloop|__kmpc_taskloop __kmpc_taskloop_5
task reductions|__kmpc_taskred_init __kmpc_taskred_modifier_init __kmpc_task_reduction_modifier_fini __kmpc_task_reduction_get_th_data
task affinity|__kmpc_omp_reg_task_with_affinity
allocate|__kmpc_alloc __kmpc_aligned_alloc __kmpc_free
uses_allocators with traits|__kmpc_init_allocator __kmpc_destroy_allocator
error|__kmpc_error
threadprivate|__kmpc_threadprivate_cached
indirect calls|__llvm_omp_indirect_call_lookup
printf, assert|__llvm_omp_vprintf __assert_fail
static objects of functions (C++; NVIDIA: Clang 22)|__cxa_guard_acquire __cxa_guard_release __cxa_atexit
pure virtual functions (C++)|__cxa_pure_virtual __cxa_deleted_virtual
errors of the standard library (C++)|_ZSt20__throw_length_errorPKc _ZSt17__throw_bad_allocv _ZSt25__throw_bad_function_callv'
{
  echo '# What works in device code'
  echo
  echo 'Generated by `tests/simt/device_table.sh --update` from the symbols of the device runtime. `-`: the'
  echo 'link fails and names the function. CPU devices have all functions.'
  echo
  echo '## Routines of OpenMP 5.2'
  echo
  echo '| routine | NVIDIA | AMD | reason |'
  echo '|---|---|---|---|'
  for routine in $routines; do echo "| \`omp_$routine\` | $(explain "$routine" "omp_$routine")"; done
  echo
  echo '## Constructs'
  echo
  echo 'Functions that Clang 19, Clang 22 and flang 22 call:'
  echo
  echo '| construct | NVIDIA | AMD | reason |'
  echo '|---|---|---|---|'
  echo "$constructs" | while IFS='|' read -r construct symbols; do
    # shellcheck disable=SC2086
    echo "| $construct | $(explain "$construct" $symbols)"
  done
  echo
  echo '## Functions of Fortran'
  echo
  echo '[dim]: DIM works'
  echo
  sed -n 's/^_FortranA//p' $dir/fortran.list |
    sed -E 's/(Integer|Real)[0-9].*//; s/[48]?_[48]$//; s/[1-9]$//' | tr '[:upper:]' '[:lower:]' | sort -u |
    awk '/dim$/ && sub(/dim$/, "") { print $0 "[dim]"; next } { print }' | sort | tr '\n' ' ' |
    sed -E 's/([a-z]+) \1\[/\1[/g; s/ $/\n/; s/ /, /g' | fold -s -w 118 | sed 's/ *$//'
} >$out
grep 'no reason' $out && { echo "failed: functions are missing without a reason"; fail=1; }
grep '^_Fortran' $dir/fortran.list >build/device.nvptx
llvm-nm-19 --defined-only $dir/solo-amdgcn-fortran.bc | sed -n 's/.* \(_Fortran\)/\1/p' | sort | diff build/device.nvptx - ||
  { echo "failed: the Fortran libraries of NVIDIA (<) and AMD (>) differ"; fail=1; }
[ "${1:-}" != --update ] || cp $out docs/conformance/device.md
diff docs/conformance/device.md $out || { echo "failed: docs/conformance/device.md: run device_table.sh --update"; exit 1; }
exit $fail
