#!/bin/sh
# Description: no vendor's name in the code of runtime/: what differs between devices is a field or an
# operation of runtime/backend.h. Comments may give examples. Not looked at: where targets and the
# files with vendors' words in them are read (runtime/image/target*, fatbin*, amdgpu_metadata*,
# offload_binary*), and the texts of settings that only one driver has.
cd "$(dirname "$0")/../.." || exit 1
fail=0
for f in $(find runtime -name '*.[ch]'); do
  case $f in
  runtime/image/target* | runtime/image/fatbin* | runtime/image/amdgpu_metadata* | runtime/image/offload_binary*) continue ;;
  runtime/base/settings.h) continue ;;
  esac
  bad=$(sed -e 's|//.*||' "$f" | tr '\n' '\001' | sed -E 's:/\*([^*]|\*+[^*/])*\*+/::g' | tr '\001' '\n' |
    grep -vE '^#include "' | grep -niE '(^|[^a-z])(nvidia|cuda|nvptx|cubin|amd|amdgpu|amdgcn|gfx|hsa|rocm|hip|sm)([^a-z]|$)')
  [ -z "$bad" ] || { echo "$f:"; echo "$bad"; fail=1; }
done
[ $fail = 0 ] && echo "no vendor in runtime/"
exit $fail
