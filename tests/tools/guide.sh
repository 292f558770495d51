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
python3 "$tree/../tests/tools/guide.py" "$tree/../docs/guide.md" run >result
checks=$((checks + $(grep -c '^ran' result)))
grep -v '^ran' result
failed=$((failed + $(grep -c '^failed' result)))
[ "$(grep -c '^ran' result)" -ge 20 ] || fail "the guide has only $(grep -c '^ran' result) commands"
# messages that the guide explains are said by something
sed -n '/^## What messages mean/,$s/^| `\([^`]*\)`.*/\1/p' "$tree/../docs/guide.md" >messages
# the text may be broken between lines of a source
cat "$tree"/../tools/*.c "$tree"/../abi/*.c "$tree"/../runtime/*/*.c "$tree"/../backends/host/*.c |
  tr -d '\n' | sed 's/" *"//g' >sources
while read -r message; do
  checks=$((checks + 1))
  grep -qF -- "$message" sources || fail "nothing says: $message"
done <messages
done_testing
