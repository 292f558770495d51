#!/bin/sh
# Description: OpenMP 6.0's device routines work in each form of a program: static, drop-in, libsolo.so as libomptarget, virtual
# GPUs. Each routine is declared, documented and exported.
name=ways_omp_60
. tests/tools/lib.sh
source=$tree/../tests/ways/programs/omp_60.c
cpu='width 1, 0 wrong'
for libc in musl glibc; do
  works $cc --static --$libc -O2 "$source" -o s-$libc && says "$cpu" ./s-$libc teams
done
works $cc -O2 "$source" -o d && says "$cpu" ./d teams
for v in 19 22; do
  works clang-$v -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -isystem "$tree/include" "$source" -o b$v \
    -L"$tree/lib/glibc/shared-cpu" -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib &&
    says "$cpu" env LD_LIBRARY_PATH="$tree/lib/glibc/shared-cpu" ./b$v teams
done
works $cc --static --targets=simt-sm_90 -O2 "$source" -o nvidia && says 'width 32, 0 wrong' ./nvidia teams
works $cc --targets=simt-gfx90a -O2 "$source" -o amd && says 'width 64, 0 wrong' ./amd teams
refused 'omp_set_device_num_teams: there is no device -2' ./s-musl end
refused 'omp_set_device_num_teams: there is no device -2' ./d end
# routines of sections 24.6, 24.11 to 24.14, 27.1 to 27.5, 27.8 that need no compiler
for function in max_progress_width device_num_teams device_teams_thread_limit devices_memspace device_memspace \
  devices_and_host_memspace device_and_host_memspace devices_all_memspace devices_allocator device_allocator \
  devices_and_host_allocator device_and_host_allocator devices_all_allocator memspace_num_resources \
  memspace_pagesize submemspace; do
  echo omp_get_$function
done >names
printf 'omp_%s\n' set_device_num_teams set_device_teams_thread_limit init_mempartitioner destroy_mempartitioner \
  init_mempartition destroy_mempartition mempartition_set_part mempartition_get_user_data >>names
count 24 functions sh -c 'wc -l <names'
while read -r function; do
  checks=$((checks + 1))
  grep -q "\<$function(" "$tree/include/omp.h" || fail "$function is not declared"
  grep -q "\`$function[(\`]" "$tree/../docs/reference/openmp-functions.md" || fail "$function is not in docs/reference/openmp-functions.md"
  nm -D --defined-only "$tree/lib/glibc/shared-cpu/libsolo.so" | grep -q " $function@@VERS1.0$" ||
    fail "$function is not exported"
done <names
done_testing
