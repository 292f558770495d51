#!/bin/sh
# Description: checks that only abi/ defines interface names, that other global names start with solo_, and that no library
# needs dlopen, C++, LLVM or libffi.
cd "$(dirname "$0")/../.." || exit 1
fail=0
complain() { echo "$*"; fail=1; }
interface='^(__tgt_|__kmpc_|kmpc_|kmp_|omp_|ompx_|llvm_omp_|__llvm|llvmLaunch|llvmP|ompt_|__jit_debug_|ompc_|GOMP_)'
for lib in build/lib/*/libsolo.a build/lib/*/libsolo_linked.a build/lib/*/libomptarget.a; do
  [ -f "$lib" ] || continue
  need=$(nm -u "$lib" 2>/dev/null | awk '{print $NF}' | sort -u |
    grep -E '^(dlopen|dlsym|dlmopen|dlvsym|_Z|ffi_)|LLVM' | grep -v '^__llvm')
  [ -z "$need" ] || complain "$lib needs:" $need
  case $lib in # remote_mpi_enter.c
  */mpich/*) known='^(MPI_Init(_thread)?|mpi_init(_thread)?_f08_)$' ;;
  */openmpi/*) known='^(MPI_Init(_thread)?|mpi_init(_thread)?_|ompi_init(_thread)?_f)$' ;;
  *) known='^$' ;;
  esac
  # weak and strong definitions that could collide with names of a program
  have=$(nm --defined-only --extern-only "$lib" 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u |
    grep -vE '^solo_' | grep -vE "$interface" | grep -vE "$known")
  [ -z "$have" ] || complain "$lib defines:" $have
done
# outside abi/ (simt_: backends/simt/exec, local in the archives)
for o in build/glibc/runtime.o build/glibc/backends.o; do
  [ -f "$o" ] || continue
  have=$(nm --defined-only --extern-only "$o" | awk '{print $3}' | grep -vE '^(solo|simt)_')
  [ -z "$have" ] || complain "$o defines:" $have
done
[ $fail = 0 ] && echo "symbols are correct"
exit $fail
