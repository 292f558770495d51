# Sourced: sets `toolkit` to the root of a CUDA toolkit that clang can use (ptxas and libdevice), or to
# nothing. CUDA_HOME comes first, then the usual place, then wherever PATH's ptxas really is: it may be
# a wrapper in a folder that is no toolkit. Puts the toolkit's tools on PATH.
toolkit=
for toolkit_root in "${CUDA_HOME:-}" /usr/local/cuda /usr/lib/cuda /usr \
  "$(dirname "$(dirname "$(readlink -f "$(command -v ptxas || echo /)")")")"; do
  if [ -n "$toolkit_root" ] && [ -x "$toolkit_root/bin/ptxas" ] &&
    ls "$toolkit_root"/nvvm/libdevice/libdevice.*.bc >/dev/null 2>&1; then
    toolkit=$toolkit_root
    PATH=$toolkit/bin:$PATH
    break
  fi
done
