#!/bin/sh
# Description: checks solo-pack list with files of vendors' tools, corrupt files and wrong command lines.
name=pack_list
. tests/tools/lib.sh
pack=$tree/bin/solo-pack
images=$tree/images

shows() { # shows FILE TEXT...: solo-pack list must print each text
  file=$1
  shift
  works "$pack" list "$file" || return
  for text; do
    checks=$((checks + 1))
    grep -qF -- "$text" out || { fail "list $file does not print: $text"; sed 's/^/    /' out; }
  done
}
shows "$images/packager-19.bin" \
  '[1] openmp x86_64-unknown-linux-gnu: ELF for x86_64, offset 0x90, ' \
  '[2] openmp amdgcn-amd-amdhsa gfx90a:xnack+: ELF for gfx90a:xnack+, offset 0x98, ' \
  '[3] openmp nvptx64-nvidia-cuda sm_80: PTX for sm_80, offset 0x90, '
shows "$images/packager-22.bin" '[3] openmp nvptx64-nvidia-cuda sm_80: PTX for sm_80'
shows "$images/bundle-22.hipfb" 'host-x86_64-unknown-linux-gnu-: empty' \
  '[2] hipv4-amdgcn-amd-amdhsa--gfx1030: ELF for gfx1030, offset 0x3000, 5000 bytes'
shows "$images/ccob-19.hipfb" 'compressed bundle version 2, zstd' '[2] hipv4-amdgcn'
shows "$images/ccob-22.hipfb" 'compressed bundle version 3, zstd' '[2] hipv4-amdgcn'
shows "$images/text-22.s" 'bundle, text form' 'PTX for sm_80'
shows "$images/ptx-size.fatbin" '[1] PTX sm_80, zstd: PTX for sm_80'
shows "$images/ptx-speed.fatbin" '[1] PTX sm_80, LZ4: PTX for sm_80'
shows "$images/omp-19" '[1] ELF for x86_64' 'section .llvm.offloading: OffloadBinary version 1' \
  '[2] openmp x86_64-pc-linux-gnu: ELF for x86_64'
shows "$images/omp-19.o" '[2] openmp x86_64-pc-linux-gnu: ELF for x86_64'

head -c 300 "$images/packager-19.bin" >cut.bin
refused 'cut.bin:|malformed at offset 0x0: OffloadBinary at offset 8|[1] openmp x86_64' \
  "$pack" list cut.bin "$images/packager-19.bin"
head -c 100 "$images/ccob-22.hipfb" >cut.ccob
refused 'malformed|compressed bundle at offset 8' "$pack" list cut.ccob
echo hello >text
refused 'not an image: 6 bytes that begin with 68 65 6c' "$pack" list text
: >nothing
refused 'not an image: 0 bytes' "$pack" list nothing
refused 'cannot read absent' "$pack" list absent

status() { # status NUMBER COMMAND...
  number=$1
  shift
  checks=$((checks + 1))
  "$@" >out 2>&1
  got=$?
  [ $got -eq "$number" ] || fail "$*: status $got, expected $number"
}
status 0 "$pack" --help
status 2 "$pack"
status 2 "$pack" lst "$images/omp-19"
status 2 "$pack" list
status 2 "$pack" list --frob "$images/omp-19"
status 2 "$pack" create --format=zip -o x "$images/gfx900.co"
status 2 "$pack" create -o x "$images/gfx900.co"
status 2 "$pack" create --format=bundle "$images/gfx900.co"
status 2 "$pack" create --format=bundle --align=3 -o x "$images/gfx900.co"
status 2 "$pack" extract "$images/omp-19"
status 2 "$pack" extract --image=0 -o x "$images/omp-19"
status 2 "$pack" extract --image=two -o x "$images/omp-19"
status 1 "$pack" extract --image=9 -o x "$images/omp-19"
status 1 "$pack" list cut.bin
done_testing
