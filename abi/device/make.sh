#!/bin/sh
# Description: compiles solo's device code to bitcode and an archive for clang's linker wrapper.
#   make.sh FOLDER     writes solo-*.bc, libsolo_device.a and, last, stamp. absent: missing files and reasons.
#                      SOLO_DEVICE_ONLY=TRIPLE, SOLO_DEVICE_CPU=sm_NN: only for this triple, this processor
#                      19/, 22/: Clang 19's device runtime with corrections, for Clang 19; for Clang and flang 22
set -eu
tree=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
rm -rf ./*.bc ./*.a absent stamp 19 22 rocm
# Removes attributes of a processor, which prevent inlining into code for others.
neutral='/^attributes /s/"(target-features|target-cpu|amdgpu-[a-z-]*|frame-pointer)"="[^"]*" *//g'
relative="s|^(source_filename = \")$tree/|\\1|" # for reproducible files
# The optimiser inlines weak_odr functions, but no weak ones. All definitions are equal.
inlined='/^define weak .*@solo_(for|distribute|parallel)_/s/^define weak /define weak_odr /'
objects=
add() { # add <name> <triple>: one object of the archive
  clang-offload-packager-19 -o images "--image=file=solo-$1.bc,triple=$2,arch=generic,kind=openmp"
  cat >images.s <<'END'
  .section .llvm.offloading,"e",@0x6fff4c0b
  .balign 8
  .incbin "images"
  .section .note.GNU-stack,"",@progbits
END
  gcc -c images.s -o "solo-$1.o"
  objects="$objects solo-$1.o"
  rm -f images images.s
}
is_wanted() { [ "${SOLO_DEVICE_ONLY:-$1}" = "$1" ]; }
compile() { # compile <name> <triple> <source> [option...]
  name=$1 triple=$2 source=$3
  is_wanted "$triple" || return 0
  shift 3
  if clang-19 --target="$triple" -std=c11 -Wall -Wextra -O2 -nogpulib -ffreestanding "$@" \
    -emit-llvm -S "$tree/$source" -o code.ll 2>words && sed -i -E "$neutral; $inlined; $relative" code.ll &&
    clang-19 --target="$triple" -nogpulib -x ir -Wno-override-module -O2 -emit-llvm -c code.ll \
      -o "solo-$name.bc" 2>words; then
    add "$name" "$triple"
  else
    echo "no device code for $name: $(head -1 words)" | tee -a absent
  fi
  rm -f words code.ll
}
for part in '' -memory -task -routines -lock -cxx -atexit -string -fortran_loops -fortran_parallel -fortran_routines; do
  file=${part#-}.c
  [ "$part" ] || file=fptr.c
  compile "nvptx$part" nvptx64-nvidia-cuda "$file"
  compile "amdgcn$part" amdgcn-amd-amdhsa "$file" -Xclang -mcode-object-version=none
done
# The library of Fortran: one file per vendor, and the list of its functions for solo-fc.
fortran='assign memory reduce array dim shift text io math'
for part in $fortran; do
  compile "nvptx-fortran_$part" nvptx64-nvidia-cuda "fortran_$part.c"
  compile "amdgcn-fortran_$part" amdgcn-amd-amdhsa "fortran_$part.c" -Xclang -mcode-object-version=none
done
for vendor in nvptx amdgcn; do
  case ${SOLO_DEVICE_ONLY:-$vendor} in "$vendor"*) ;; *) continue ;; esac
  parts=$(for part in $fortran; do echo "solo-$vendor-fortran_$part.bc"; done)
  # shellcheck disable=SC2086
  llvm-link-19 $parts -o "solo-$vendor-fortran.bc" || echo "no library of Fortran for $vendor" | tee -a absent
  # shellcheck disable=SC2086
  rm -f $parts
done
llvm-dis-19 solo-nvptx-fortran.bc -o - | sed -nE 's/^define [^@]*@([^ (]*)\(.*/\1/p' | sort >fortran.list
compile amdgcn-print amdgcn-amd-amdhsa print.c -Xclang -mcode-object-version=none
compile nvptx-critical nvptx64-nvidia-cuda critical.c
compile nvptx-doacross nvptx64-nvidia-cuda doacross.c
if [ "$objects" ]; then
  # shellcheck disable=SC2086
  ar rcsD libsolo_device.a $objects
  rm -f $objects
fi
# rocm: AMD's device libraries, with version files for processors that Debian's package lacks.
debian=/usr/lib/$(uname -m)-linux-gnu/amdgcn/bitcode
if [ -f "$debian/ocml.bc" ]; then
  mkdir rocm
  cp "$debian"/*.bc rocm/
  for cpu in "$(dirname "$(clang-19 -print-file-name=libomptarget-amdgpu-gfx90a.bc)")"/libomptarget-amdgpu-gfx*.bc; do
    cpu=$(basename "$cpu" .bc)
    cpu=${cpu#libomptarget-amdgpu-}
    name=${cpu#gfx}
    [ -f "rocm/oclc_isa_version_$name.bc" ] && continue
    stepping=${name#"${name%?}"} rest=${name%?}
    minor=${rest#"${rest%?}"} major=${rest%?}
    llvm-dis-19 rocm/oclc_isa_version_900.bc -o - |
      sed "s/constant i32 [0-9]*/constant i32 $((major * 1000 + 0x$minor * 100 + 0x$stepping))/" >isa.ll
    llvm-as-19 isa.ll -o "rocm/oclc_isa_version_$name.bc"
  done
  rm -f isa.ll
else
  echo "no device libraries of AMD (rocm-device-libs)" | tee -a absent
fi
# Clang's device runtime, in which dispatch.c, task_run.c and team.c replace functions.
device_code() { # device_code <triple> <name> [option...]: NAME-TRIPLE.ll of NAME.c
  triple=$1 name=$2
  shift 2
  is_wanted "$triple" || { echo "not wanted" >words; return 1; }
  clang-19 --target="$triple" -std=c11 -Wall -Wextra -O2 -nogpulib -ffreestanding "$@" -emit-llvm -S "$tree/$name.c" \
    -o "$name-$triple.ll" 2>words && sed -i -E "$neutral" "$name-$triple.ll"
}
# Functions of the archive would use another copy of the runtime's variables.
mended() { # mended <runtime> <out> <more code...>
  llvm-dis-19 "$1" -o - | sed -E "/^define /{
    s/@__kmpc_(dispatch_[a-z0-9_]*|parallel_51|barrier|taskloop|omp_task(|_alloc|_with_deps|_complete_if0))\(/@solo_llvm_\1(/
    s/@omp_(get_max_threads|(init|destroy|set|unset|test)_lock)\(/@solo_llvm_omp_\1(/
  }" >theirs.ll
  out=$2
  shift 2
  llvm-link-19 theirs.ll "$@" -o "$out"
}
folder=$(dirname "$(clang-19 -print-file-name=libomptarget-nvptx-sm_70.bc 2>words || :)")
nvidia=nvptx64-nvidia-cuda amd=amdgcn-amd-amdhsa
if [ -f "$folder/libomptarget-nvptx-sm_70.bc" ] && device_code $nvidia dispatch -march=sm_70 &&
  device_code $nvidia task_run -march=sm_70 && device_code $nvidia team -march=sm_70 && device_code $nvidia parallel_60 -march=sm_70; then
  mkdir 19 22
  more='solo-nvptx-memory.bc solo-nvptx-task.bc solo-nvptx-routines.bc solo-nvptx-lock.bc solo-nvptx-cxx.bc
    solo-nvptx-critical.bc solo-nvptx-doacross.bc'
  for runtime in "$folder"/libomptarget-nvptx-${SOLO_DEVICE_CPU:-sm_[789]?}.bc; do
    # shellcheck disable=SC2086
    mended "$runtime" "19/$(basename "$runtime")" dispatch-$nvidia.ll task_run-$nvidia.ll team-$nvidia.ll $more
  done
  # shellcheck disable=SC2086
  mended "$folder/libomptarget-nvptx-sm_70.bc" 22/libomptarget-nvptx.bc dispatch-$nvidia.ll task_run-$nvidia.ll team-$nvidia.ll \
    parallel_60-$nvidia.ll $more
  llvm-ar-19 rcs 22/libompdevice.a 22/libomptarget-nvptx.bc
else
  echo "no device runtime for nvptx: $(head -1 words)" | tee -a absent
fi
if [ -f "$folder/libomptarget-amdgpu-gfx90a.bc" ] && device_code $amd dispatch -Xclang -mcode-object-version=none &&
  device_code $amd task_run -Xclang -mcode-object-version=none &&
  device_code $amd team -Xclang -mcode-object-version=none &&
  device_code $amd parallel_60 -Xclang -mcode-object-version=none; then
  mkdir -p 19 22
  more='solo-amdgcn-memory.bc solo-amdgcn-task.bc solo-amdgcn-routines.bc solo-amdgcn-lock.bc solo-amdgcn-cxx.bc'
  for runtime in "$folder"/libomptarget-amdgpu-gfx*.bc; do
    # shellcheck disable=SC2086
    mended "$runtime" "19/$(basename "$runtime")" dispatch-$amd.ll task_run-$amd.ll team-$amd.ll $more
    # without llvm.compiler.used, so that flang's link includes only the functions that kernels call
    llvm-link-19 "19/$(basename "$runtime")" parallel_60-$amd.ll -S -o both.ll
    sed '/^@llvm.compiler.used/d' both.ll | llvm-as-19 -o "22/$(basename "$runtime")"
  done
else
  echo "no device runtime for amdgpu: $(head -1 words)" | tee -a absent
fi
rm -f words ./*.ll
: >stamp
