#!/bin/sh
# Description: HIP and CUDA programs of Clang run on the virtual GPUs of the simulated drivers.
#   kernel_languages.sh VERSION [PROGRAMS]   PROGRAMS: a pattern, default gpu_*
version=$1 programs=${2:-gpu_*}
name=ways_kernel_languages_${version}_$(echo "$programs" | tr -c 'a-z0-9\n' _)
. tests/tools/lib.sh
. "$tree/../tests/ways/kernel_language.sh"
for source in "$here"/tests/ways/programs/$programs.cpp; do
  program=$(basename "$source" .cpp)
  for language in hip cuda; do
    case $language in
    hip) target=gfx90a driver=hsa ;;
    cuda) target=sm_90 driver=cuda ;;
    esac
    p=$program-$language
    works device_code $language "$version" $target "$source" $p.bc || continue
    works virtual_image "$version" $target $p.bc $p.image || continue
    case $language in
    hip) works bundle amdgcn-amd-amdhsa--$target $p.image $p.fat ;;
    cuda) cp $p.image $p.fat ;;
    esac
    works host_code $language "$version" $target "$source" $p.fat $p.o || continue
    works link_with $language $driver $p.o $p || continue
    checks=$((checks + 1))
    on_device timeout 60 ./$p >out 2>&1 && tail -n 1 out | grep -qx right || { fail "$p"; sed 's/^/    /' out; }
  done
done
done_testing
