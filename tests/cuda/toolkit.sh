# Sourced: sets `toolkit` to the root of a CUDA toolkit with ptxas and libdevice, or to nothing, and extends
# PATH. The ptxas in PATH may be a wrapper outside a toolkit.
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
