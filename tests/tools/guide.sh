# Description: runs the commands of docs/guide.md with an installation and compares their output. Each message of the guide
# must exist in a source.
name=guide
. tests/tools/lib.sh
works env DESTDIR="$work/stage" sh "$tree/../tools/install.sh" /opt/solo
mkdir run
PATH=$work/stage/opt/solo/bin:$PATH
PKG_CONFIG_PATH=$work/stage/opt/solo/lib/pkgconfig
EXAMPLES=$tree/../examples
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=false
OMP_TARGET_OFFLOAD=mandatory
export PATH PKG_CONFIG_PATH EXAMPLES OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_plm_rsh_agent
export OMP_TARGET_OFFLOAD
# compare the numbers of commands, so that no block is missed
python3 "$tree/../tests/tools/guide.py" "$tree/../docs/guide.md" run >result || fail "guide.py (status $?)"
cat result
failed=$((failed + $(grep -c '^failed' result)))
read -r ran left all <<END
$(sed -n 's/^commands: \([0-9]*\) ran, \([0-9]*\) left out, of \([0-9]*\)$/\1 \2 \3/p' result)
END
checks=$((checks + ${ran:-0}))
[ "$((${ran:-0} + ${left:-0}))" -eq "${all:-1}" ] || fail "the page has ${all:-no} commands, but $ran ran and $left were skipped"
[ "$(grep -c '^\$ ' "$tree/../docs/guide.md")" -eq "${all:-0}" ] || fail "guide.py counts the commands wrongly"
# the guide explains each warning, or guide_messages.py lists an exception
works python3 "$tree/../tests/tools/guide_messages.py" "$tree/../docs/guide.md" \
  $(cd "$tree/.." && find "$PWD/runtime" "$PWD/abi" "$PWD/backends" -name '*.c' -not -path '*/simt/*')
sed -n '/^## What messages mean/,$s/^| `\([^`]*\)`.*/\1/p' "$tree/../docs/guide.md" >messages
cat "$tree"/../tools/*.c "$tree"/../abi/*.c "$tree"/../runtime/*/*.c "$tree"/../backends/host/*.c \
  "$tree"/../abi/kmpc/*/*.c "$tree"/../abi/gomp/*.c "$tree"/../backends/remote/*.c |
  tr -d '\n' | sed 's/" *"//g' >sources
while read -r message; do
  checks=$((checks + 1))
  grep -qF -- "$message" sources || fail "no source prints: $message"
done <messages
done_testing
