# Description: docs/guide.md is true: its files are written, its commands run in order with an installation on
# PATH, what it shows of their output is compared ("..." stands for anything), its messages exist.
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
# the page counts its own commands: a block that the script does not take is missed
python3 "$tree/../tests/tools/guide.py" "$tree/../docs/guide.md" run >result || fail "guide.py (status $?)"
cat result
failed=$((failed + $(grep -c '^failed' result)))
read -r ran left all <<END
$(sed -n 's/^commands: \([0-9]*\) ran, \([0-9]*\) left out, of \([0-9]*\)$/\1 \2 \3/p' result)
END
checks=$((checks + ${ran:-0}))
[ "$((${ran:-0} + ${left:-0}))" -eq "${all:-1}" ] || fail "the page has ${all:-no} commands, $ran ran, $left left out"
[ "$(grep -c '^\$ ' "$tree/../docs/guide.md")" -eq "${all:-0}" ] || fail "commands are counted wrongly"
# what the library warns of is explained, or left out for a reason; what is explained, something says
works python3 "$tree/../tests/tools/guide_messages.py" "$tree/../docs/guide.md" \
  $(cd "$tree/.." && find "$PWD/runtime" "$PWD/abi" "$PWD/backends" -name '*.c' -not -path '*/simt/*')
sed -n '/^## What messages mean/,$s/^| `\([^`]*\)`.*/\1/p' "$tree/../docs/guide.md" >messages
# the text may be broken between lines of a source
cat "$tree"/../tools/*.c "$tree"/../abi/*.c "$tree"/../runtime/*/*.c "$tree"/../backends/host/*.c \
  "$tree"/../abi/kmpc/*/*.c "$tree"/../backends/remote/*.c |
  tr -d '\n' | sed 's/" *"//g' >sources
while read -r message; do
  checks=$((checks + 1))
  grep -qF -- "$message" sources || fail "nothing says: $message"
done <messages
done_testing
