#!/bin/sh
# Makes device code for a GPU into a shared object for this CPU that the virtual GPU runs.
#   translate.sh [-v 19|22] [-k FOLDER] -a ARCH -o OUT INPUT...
# ARCH: sm_NN or gfxNNN. INPUT: objects or bitcode from clang -fopenmp-targets=... -foffload-lto.
# OUT imports nothing; its kernels and variables are dynamic symbols. -k: what came between is kept in
# FOLDER (FOLDER/gpu.ll is the device code as optimised for the GPU).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cpu=${SIMT_CPU:-x86-64-v3} # with fused multiply and add, which GPUs have
version=19 arch='' out='' keep=''
while getopts v:a:o:k: option; do
  case $option in
  v) version=$OPTARG ;;
  a) arch=$OPTARG ;;
  o) out=$OPTARG ;;
  k) keep=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ "$arch" ] && [ "$out" ] && [ $# -gt 0 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
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
# LLVM's device runtime is only in version 19's packages; 22 calls the same functions but one.
runtime=${SIMT_RUNTIME:-/usr/lib/llvm-19/lib/libomptarget-$vendor-$arch.bc}
[ -f "$runtime" ] || { echo "translate.sh: no device runtime for $arch: $runtime" >&2; exit 1; }
compile() { # compile <name> <source>
  clang-19 --target=x86_64-pc-linux-gnu -march="$cpu" -O2 -std=c11 -fPIC -Wall -Wno-incompatible-library-redeclaration \
    -I"$here/../.." -emit-llvm -c "$2" -o "$dir/$1.bc"
}
libraries=
case $arch in
sm_*) compile vendor "$here/device/nvptx.c" ;;
gfx*) compile vendor "$here/device/amdgcn.c" ;;
esac
compile common "$here/device/common.c"
case $arch in
sm_*)
  for toolkit in "${CUDA_HOME:-}" /usr/local/cuda /usr/lib/cuda; do
    [ -f "$toolkit/nvvm/libdevice/libdevice.10.bc" ] || continue
    libraries=$toolkit/nvvm/libdevice/libdevice.10.bc
    break
  done
  ;;
esac
# shellcheck disable=SC2086
"llvm-link-$version" $code -o "$dir/program.bc"
"llvm-link-$version" --internalize "$dir/program.bc" "$runtime" -o "$dir/linked.bc" 2>"$dir/words" ||
  { cat "$dir/words" >&2; exit 1; }
if [ "$libraries" ] && "llvm-dis-$version" "$dir/linked.bc" -o - | grep -q '@__nv_'; then
  "llvm-link-$version" --internalize --only-needed "$dir/linked.bc" $libraries -o "$dir/all.bc" 2>"$dir/words"
  mv "$dir/all.bc" "$dir/linked.bc"
fi
"opt-$version" -mcpu="$arch" -passes='default<O2>' "$dir/linked.bc" -S -o "$dir/gpu.ll"
awk -v cpu="$cpu" -f "$here/rewrite.awk" "$dir/gpu.ll" >"$dir/cpu.ll"
"llvm-link-$version" --internalize "$dir/cpu.ll" "$dir/vendor.bc" "$dir/common.bc" -o "$dir/cpu.bc"
"opt-$version" -passes='default<O1>' "$dir/cpu.bc" -o "$dir/final.bc"
"llc-$version" -mcpu="$cpu" -O2 -relocation-model=pic -emulated-tls -filetype=obj "$dir/final.bc" -o "$dir/device.o"
ld -shared -Bsymbolic --hash-style=sysv --build-id=none -z defs -o "$out" "$dir/device.o"
