#!/bin/sh
# Description: checks that code of runtime/ does not name vendors, because runtime/backend.h describes the differences of
# devices. Exceptions: comments, readers of vendors' files, settings of a driver.
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
[ $fail = 0 ] && echo "no vendor's name in runtime/"
exit $fail
