#!/bin/sh
# Translates GPU code into a shared object for this CPU (docs/design/virtual-gpu.md).
#   translate.sh [-r] [-n] [-P] [-O 0-3] [-v 19|22] [-k FOLDER] [-l BITCODE] -a ARCH -o OUT INPUT...
# ARCH: sm_NN or gfxNNN. INPUT: objects or bitcode from clang -fopenmp-targets=... -foffload-lto.
# OUT imports no symbols and exports its kernels and variables.
#   -k  save intermediate files in FOLDER   -l  link BITCODE if the program calls it
#   -r  report accesses of code with debug information (-g) to the race detector
#   -n  omit the metadata note of gfxNNN    -p FOLDER  prepare the bitcode of device/
#   -P  write a container with PTX (for drivers of CUDA 11, if they support ARCH) and, if ptxas is installed, a cubin
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cpu=${SIMT_CPU:-x86-64-v3} # includes FMA, as GPUs do
version=19 level=2 has_note=yes arch='' out='' keep='' more='' fortran='' atexit='' races=${SIMT_RACES:-0} ptx=
bitcode() { # <source> <out>
  clang-19 --target=x86_64-pc-linux-gnu -march="$cpu" -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-math-errno -std=c11 -fPIC \
    -Wall -Wno-incompatible-library-redeclaration -I"$here/../.." -emit-llvm -c "$1" -o "$2"
}
entry_of_22() { # <triple> <out>: __kmpc_parallel_60 of LLVM 22 on top of LLVM 19's runtime
  version_none=
  case $1 in amdgcn*) version_none='-Xclang -mcode-object-version=none' ;; esac
  # shellcheck disable=SC2086
  clang-22 --target="$1" -nogpulib -O2 -std=c11 $version_none -emit-llvm -c "$here/../../abi/device/parallel_60.c" -o "$2"
}
# LLVM's device runtime with device/gpu.c. openmp-opt adds calls of the functions in llvm.compiler.used, so the optimiser
# must not remove them.
runtime_of() { # <runtime of abi/device/make.sh> <out>
  case $1 in
  *-nvptx-*) gpu=nvptx64-nvidia-cuda more='' space='' ;;
  *) gpu=amdgcn-amd-amdhsa more='-Xclang -mcode-object-version=none' space='addrspace(1) ' ;;
  esac
  # shellcheck disable=SC2086
  clang-19 --target="$gpu" -nogpulib -O2 -std=c11 $more -emit-llvm -S "$here/device/gpu.c" -o "$2.ll"
  sed -E '/^@llvm.compiler.used = /d; /^attributes /s/"(target-features|target-cpu|amdgpu-[a-z-]*|frame-pointer)"="[^"]*" *//g' \
    "$2.ll" >"$2.gpu.ll"
  {
    # No aligned barriers in reductions of teams, because other threads of the block can have ended.
    llvm-dis-19 "$1" -o - | sed -E '/^@llvm.compiler.used = /d; s/@__kmpc_target_init\(/@solo_llvm_target_init(/
      /^define .*@__kmpc_nvptx_teams_reduce_nowait_v2\(/,/^}/s/@[A-Za-z0-9_]*threadsAligned[A-Za-z0-9_]*\(i32 poison\)/@llvm.nvvm.barrier.sync(i32 0)/'
    printf '@llvm.compiler.used = appending %sglobal [5 x ptr] [ptr @__kmpc_get_hardware_thread_id_in_block, ' "$space"
    printf 'ptr @__kmpc_get_hardware_num_threads_in_block, ptr @__kmpc_get_warp_size, '
    printf 'ptr @__kmpc_barrier_simple_spmd, ptr @__kmpc_barrier_simple_generic], section "llvm.metadata"\n'
  } >"$2.llvm.ll"
  llvm-link-19 "$2.llvm.ll" "$2.gpu.ll" -o "$2"
  rm "$2.ll" "$2.gpu.ll" "$2.llvm.ll"
}
prepare() { # <folder>
  mkdir -p "$1"
  for source in nvptx nvptx_math amdgcn libm common; do
    bitcode "$here/device/$source.c" "$1/$source.bc"
  done
  cp "$here/device/asm.ll" "$1/"
  rm -rf "$1/19"
  mkdir "$1/19"
  for runtime in "$here"/../../build/lib/device/19/*.bc; do
    [ ! -f "$runtime" ] || runtime_of "$runtime" "$1/19/$(basename "$runtime")"
  done
  if command -v clang-22 >/dev/null; then
    entry_of_22 nvptx64-nvidia-cuda "$1/parallel_60-nvptx.bc"
    entry_of_22 amdgcn-amd-amdhsa "$1/parallel_60-amdgpu.bc"
  fi
  cp "$here/rewrite.awk" "$here/shared.awk" "$here/slices.awk" "$here/parameters.py" "$here/translate.sh" "$1/"
}
while getopts v:a:o:k:l:p:O:rnP option; do
  case $option in
  p) prepare "$OPTARG"; exit ;;
  r) races=1 ;;
  O) level=$OPTARG ;;
  n) has_note=no ;;
  P) ptx=yes ;;
  v) version=$OPTARG ;;
  a) arch=$OPTARG ;;
  o) out=$OPTARG ;;
  k) keep=$OPTARG ;;
  l) case $OPTARG in *-fortran*) fortran="$fortran $OPTARG" ;; *-atexit*) atexit=$OPTARG ;; *) more="$more $OPTARG" ;; esac ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ "$arch" ] && [ "$out" ] && [ $# -gt 0 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
case $arch in
sm_*) triple=nvptx64-nvidia-cuda vendor=nvptx ;;
gfx*) triple=amdgcn-amd-amdhsa vendor=amdgpu ;;
*) echo "translate.sh: $arch is neither sm_NN nor gfxNNN" >&2; exit 2 ;;
esac
dir=${keep:-$(mktemp -d)}
mkdir -p "$dir"
[ "$keep" ] || trap 'rm -rf "$dir"' EXIT
n=0 code=''
for input; do
  n=$((n + 1))
  case $input in
  *.bc | *.ll) code="$code $input" ;;
  *)
    "clang-offload-packager-$version" "$input" \
      "--image=file=$dir/$n.bc,triple=$triple,arch=$arch,kind=openmp"
    code="$code $dir/$n.bc"
    ;;
  esac
done
# LLVM 19's device runtime, also for code of LLVM 22, which calls one more function (entry_of_22).
runtime=/usr/lib/llvm-19/lib/libomptarget-$vendor-$arch.bc
# Prefers the version with the corrections of abi/device/make.sh and, without -P, device/gpu.c.
if [ "$ptx" ]; then
  set -- "$here/../device/19" "$here/../../build/lib/device/19" "$@"
else
  set -- "$here/19" "$here/../../build/lib/simt/19" "$@"
fi
for folder in "$1" "$2"; do
  [ ! -f "$folder/$(basename "$runtime")" ] || { runtime=$folder/$(basename "$runtime"); break; }
done
shift 2
runtime=${SIMT_RUNTIME:-$runtime}
[ -f "$runtime" ] || { echo "translate.sh: no device runtime for $arch: $runtime" >&2; exit 1; }
# SIMT_DEVICE: the folder of an earlier `translate.sh -p FOLDER`.
case $arch in
sm_*) parts='nvptx nvptx_math' asm=$here/device/asm.ll ;;
gfx*) parts=amdgcn asm='' ;;
esac
[ -z "${SIMT_DEVICE:-}" ] || [ -z "$asm" ] || asm=$SIMT_DEVICE/asm.ll
device=$asm
for part in $parts libm common; do
  if [ "${SIMT_DEVICE:-}" ]; then
    device="$device $SIMT_DEVICE/$part.bc"
  else
    bitcode "$here/device/$part.c" "$dir/$part.bc"
    device="$device $dir/$part.bc"
  fi
done
libraries='' constants='' entry=''
if [ "$version" -ge 22 ]; then
  entry=$dir/parallel_60.bc
  if [ "${SIMT_DEVICE:-}" ]; then
    cp "$SIMT_DEVICE/parallel_60-$vendor.bc" "$entry"
  else
    entry_of_22 $triple "$entry"
  fi
fi
case $arch in
sm_*)
  for toolkit in "${CUDA_HOME:-}" /usr/local/cuda /usr/lib/cuda; do
    [ -f "$toolkit/nvvm/libdevice/libdevice.10.bc" ] || continue
    libraries=$toolkit/nvvm/libdevice/libdevice.10.bc
    break
  done
  ;;
gfx*)
  for file in ocml ockl; do
    [ -f "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/$file.bc" ] &&
      libraries="$libraries /usr/lib/x86_64-linux-gnu/amdgcn/bitcode/$file.bc"
  done
  # AMD's device libraries read these constants.
  hex=$(printf '%s' "$arch" | sed 's/^gfx//; s/\(.*\)\(.\)\(.\)$/\1 \2 \3/')
  # shellcheck disable=SC2086
  set -- $hex
  isa=$(($1 * 1000 + 0x$2 * 100 + 0x$3))
  wave64=1
  [ "$1" -ge 10 ] && wave64=0
  constants=$dir/constants.ll
  {
    echo 'target triple = "amdgcn-amd-amdhsa"'
    echo "@__oclc_ABI_version = hidden addrspace(4) constant i32 500"
    echo "@__oclc_ISA_version = hidden addrspace(4) constant i32 $isa"
    echo "@__oclc_wavefrontsize64 = hidden addrspace(4) constant i8 $wave64"
    for name in finite_only_opt unsafe_math_opt daz_opt correctly_rounded_sqrt32; do
      value=0
      [ $name = correctly_rounded_sqrt32 ] && value=1
      echo "@__oclc_$name = hidden addrspace(4) constant i8 $value"
    done
  } >"$constants"
  ;;
esac
# Adds the Fortran library only to programs with code of flang.
# shellcheck disable=SC2086
case $("llvm-nm-$version" -u $code 2>"$dir/words") in *" solo_"* | *_Fortran*) more="$more $fortran" fortran='' ;; esac
# shellcheck disable=SC2086
case $("llvm-nm-$version" -u $code 2>"$dir/words") in *__cxa_atexit*) more="$more $atexit" ;; esac
# shellcheck disable=SC2086
[ -z "$fortran" ] || ! grep -qa flang $code || more="$more $fortran"
# shellcheck disable=SC2086
"llvm-link-$version" $code $more -o "$dir/program.bc" 2>"$dir/words" || { cat "$dir/words" >&2; exit 1; }
add() { # <bitcode...>: links the functions that the program calls
  "llvm-link-$version" --internalize --only-needed "$dir/program.bc" "$@" -o "$dir/all.bc" 2>"$dir/words" ||
    { cat "$dir/words" >&2; exit 1; }
  mv "$dir/all.bc" "$dir/program.bc"
}
undefined=$("llvm-nm-$version" -u "$dir/program.bc")
# shellcheck disable=SC2086
case $undefined in
*__nv_* | *__ocml_* | *__ockl_*) add $libraries ;;
esac
# Divides loops into slices, except in exact images, which debuggers and the race detector use.
program=$dir/program.bc
case $level$races$ptx$runtime$undefined in
[1-3]0*/simt/19/*__kmpc_distribute_static_init_*)
  "llvm-dis-$version" "$dir/program.bc" -o "$dir/program.ll"
  program=$dir/sliced.ll
  awk -f "$here/slices.awk" "$dir/program.ll" "$dir/program.ll" >"$program"
  ;;
esac
# The race detector ignores accesses of LLVM's runtime. debugify adds source locations to the runtime's
# instructions, so that rewrite.awk recognises them after inlining. simt_clear_accesses clears the records
# of memory that __kmpc_free_shared frees.
gpu=$dir/gpu.ll unverified=
if [ "$races" = 1 ]; then
  opt-19 -passes=debugify -debugify-level=locations "$runtime" -S -o "$dir/runtime.ll" >"$dir/words" 2>&1 ||
    { cat "$dir/words" >&2; exit 1; }
  awk '{ print }
    /^define .*@__kmpc_free_shared\(/ { print "  call void @simt_clear_accesses(ptr %0, i64 %1)"; any = 1 }
    END { if (any) print "declare void @simt_clear_accesses(ptr, i64)" }' "$dir/runtime.ll" | llvm-as-19 -o "$dir/runtime.bc"
  runtime=$dir/runtime.bc
  gpu="$gpu $gpu" # two passes
  unverified=--disable-verify # Clang 19 emits wrong locations for inlined variables
fi
# device/gpu.c replaces the runtime's state machine, so openmp-opt must not emit one. globaldce requires runtime_of():
# otherwise it would remove functions that openmp-opt calls.
machine=-openmp-opt-disable-state-machine-rewrite first=
case $runtime in */simt/19/*) first=globaldce, ;; esac
last=
[ -z "$ptx" ] || machine='' last=,globaldce # LLVM 19 cannot compile an unused function of the runtime at -O0
# Link the whole runtime last: the optimiser adds calls of its functions, and another link would remove
# internal functions that are not called yet.
"llvm-link-$version" --internalize "$program" $entry "$runtime" $constants -o "$dir/linked.bc" \
  2>"$dir/words" || { cat "$dir/words" >&2; exit 1; }
# shellcheck disable=SC2086
"opt-$version" $unverified -mcpu="$arch" $machine -passes="${first}default<O$level>$last" \
  "$dir/linked.bc" -S -o "$dir/gpu.ll"
if [ "$ptx" ]; then
  case ${arch#sm_} in
  8[79]* | 90*) isa=78 ;;
  86*) isa=71 ;;
  1*) isa=86 ;;
  *) isa=70 ;;
  esac
  "llc-$version" -mcpu="$arch" -mattr=+ptx$isa -O3 "$dir/gpu.ll" -o "$dir/image.ptx"
  kind="triple=$triple,arch=$arch,kind=openmp"
  images="--image=file=$dir/image.ptx,$kind"
  ptxas=$(command -v ptxas || ls "${CUDA_HOME:-/usr/local/cuda}/bin/ptxas" 2>"$dir/words" || :)
  if [ "$ptxas" ]; then
    "$ptxas" -arch="$arch" "$dir/image.ptx" -o "$dir/image.cubin"
    images="--image=file=$dir/image.cubin,$kind $images"
  fi
  # shellcheck disable=SC2086
  "clang-offload-packager-$version" -o "$out" $images
  exit
fi
# shellcheck disable=SC2086
awk -v cpu="$cpu" -v races="$races" -v exact=$((level == 0)) -f "$here/rewrite.awk" $gpu >"$dir/words.ll"
# Only kernels of CUDA and HIP need parameters.py, so OpenMP programs need no Python.
if grep -Eq '^define [^@]*(amdgpu_kernel|ptx_kernel) [^@]*@(_?[^_])|^![0-9]+ = !\{ptr @_?[^_][^,]*, !"kernel"|^@[^ ]* = external .*\[0 x ' "$dir/gpu.ll" &&
  command -v python3 >/dev/null; then
  python3 "$here/parameters.py" "$dir/gpu.ll" "$dir/words.ll" >"$dir/cpu.ll"
else
  cp "$dir/words.ll" "$dir/cpu.ll"
fi
# shellcheck disable=SC2086
"llvm-link-$version" --internalize "$dir/cpu.ll" $device -o "$dir/cpu.bc"
# Intrinsics are inlined even at -O0.
case $level in
0) passes=always-inline ;;
*) passes='default<O1>' ;;
esac
"opt-$version" -passes="$passes" "$dir/cpu.bc" -o "$dir/final.bc"
compile() { "llc-$version" -mcpu="$cpu" "-O$level" -relocation-model=pic "$dir/final.bc" "$@"; }
# base: SIMT_SHARED_AT
case $level$races in
[1-3]0)
  compile -o "$dir/device.s"
  if awk -v base=4096 -v limit=32768 -f "$here/shared.awk" "$dir/device.s" "$dir/device.s" >"$dir/direct.s"; then
    "llvm-mc-$version" -triple=x86_64-pc-linux-gnu -filetype=obj "$dir/direct.s" -o "$dir/device.o"
  else
    compile -emulated-tls -filetype=obj -o "$dir/device.o"
  fi
  ;;
*) compile -emulated-tls -filetype=obj -o "$dir/device.o" ;;
esac
note=''
case $arch-$has_note in
gfx*-yes)
  "llc-$version" -mcpu="$arch" -O2 -filetype=obj "$dir/gpu.ll" -o "$dir/gpu.o" 2>"$dir/words" ||
    { cat "$dir/words" >&2; exit 1; }
  "llvm-objcopy-$version" --dump-section ".note=$dir/note" "$dir/gpu.o"
  printf '.section .note,"a",@note\n.balign 4\n.incbin "%s"\n.section .note.GNU-stack,"",@progbits\n' \
    "$dir/note" >"$dir/note.s"
  as --64 "$dir/note.s" -o "$dir/note.o"
  note=$dir/note.o
  ;;
esac
# shellcheck disable=SC2086
ld -shared -Bsymbolic --hash-style=sysv --build-id=none -z defs -o "$out" "$dir/device.o" $note
