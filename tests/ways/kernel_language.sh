# Sourced: builds HIP and CUDA programs by the steps of design document 004 (seeds.list) in the current folder.
here=$tree/..
headers=$tree/include/language
dress_gfx90a='224 64 3 0x53f'
dress_sm_90='190 0x41 8 0x06005a04'

# device_code LANGUAGE VERSION TARGET SOURCE OUT: LLVM bitcode for the GPU
device_code() {
  case $1 in
  hip) set -- "$@" "-x hip --offload-arch=$3 -nogpuinc -nogpulib" ;;
  cuda) set -- "$@" "-x cuda --cuda-gpu-arch=$3 -nocudainc -nocudalib -Wno-unknown-cuda-version -Xclang -target-sdk-version=12.0" ;;
  esac
  # shellcheck disable=SC2086
  "clang++-$2" $6 -isystem "$headers" -O2 --cuda-device-only -emit-llvm -c "$4" -o "$5"
}
# virtual_image VERSION TARGET BITCODE OUT: an image for the virtual GPU
virtual_image() {
  eval "dress=\$dress_$2"
  rm -rf "$4.kept" && mkdir "$4.kept" "$4.kept/info" || return 1
  (cd "$here" && SIMT_DEVICE=$tree/lib/simt sh backends/simt/translate.sh -v "$1" -a "$2" -k "$work/$4.kept" -o "$work/$4.so" "$work/$3") ||
    return 1
  case $2 in
  sm_*)
    "llc-$1" -mcpu="$2" -O2 "$4.kept/gpu.ll" -o "$4.kept/gpu.ptx" &&
      python3 "$here/tests/ways/nv_info.py" "$4.kept/gpu.ptx" "$4.kept/info" || return 1
    for info in "$4.kept/info/"*; do
      objcopy --add-section ".nv.info.$(basename "$info")=$info" "$4.so" || return 1
    done
    ;;
  esac
  "$tree/sim/sim-dress" "$4.so" "$4" $dress
}
# bundle TARGET IMAGE OUT: a .hipfb of HIP; CUDA needs none
bundle() {
  clang-offload-bundler-19 -type=o -bundle-align=4096 \
    "-targets=host-x86_64-unknown-linux-gnu,hipv4-$1" -input=/dev/null "-input=$2" "-output=$3"
}
# host_code LANGUAGE VERSION TARGET SOURCE BINARY OUT
host_code() {
  case $1 in
  hip) flags="-x hip --offload-arch=$3 -nogpuinc -nogpulib" ;;
  cuda) flags="-x cuda --cuda-gpu-arch=$3 -nocudainc -nocudalib -Wno-unknown-cuda-version -Xclang -target-sdk-version=12.0" ;;
  esac
  # shellcheck disable=SC2086
  "clang++-$2" $flags -isystem "$headers" -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary \
    -Xclang "$5" -c "$4" -o "$6"
}
# link_with LANGUAGE DRIVER OBJECT OUT    DRIVER: cuda, hsa; -: none
link_with() {
  driver=
  case $2 in
  cuda) driver="-Wl,--no-as-needed $tree/sim/cuda/libcuda.so.1 -Wl,-rpath,$tree/sim/cuda" ;;
  hsa) driver="-Wl,--no-as-needed $tree/sim/hsa/libhsa-runtime64.so.1 -Wl,-rpath,$tree/sim/hsa" ;;
  esac
  # shellcheck disable=SC2086
  g++ "$3" -o "$4" -L"$tree/lib/glibc" "-lsolo_$1" "$tree/lib/glibc/libsolo.a" $driver -lpthread -lm
}
# on_device COMMAND...: sets the simulated processors
on_device() {
  env SIM_HSA_AGENT=gfx90a:sramecc+:xnack- SIM_CUDA_ARCH=90 "$@"
}
