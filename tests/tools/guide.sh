# Description: runs the commands of docs/start (all: docs) with an installation and compares their output. Each message of
# docs/reference/messages.md must exist in a source, and each variable of the registry in docs/reference/environment.md.
all=${1:-no}
name=guide-$all
. tests/tools/lib.sh
docs=$tree/../docs
works env DESTDIR="$work/stage" sh "$tree/../tools/install.sh" /opt/solo
mkdir run
PATH=$work/stage/opt/solo/bin:$PATH
PKG_CONFIG_PATH=$work/stage/opt/solo/lib/pkgconfig
EXAMPLES=$tree/../examples
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=false
OMP_TARGET_OFFLOAD=mandatory
export PATH PKG_CONFIG_PATH EXAMPLES OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_plm_rsh_agent
export OMP_TARGET_OFFLOAD
# these pages write programs that other pages use
first="$docs/start/static.md $docs/how-to/profile.md"
pages="$first $(grep -rl '^\$ ' "$docs" --include='*.md' | sort | grep -vxF "$(echo "$first" | tr ' ' '\n')")"
[ "$(echo $pages | wc -w)" -ge 18 ] || fail "few pages have commands:" $pages
[ $all = all ] || pages="$first $(echo $pages | tr ' ' '\n' | grep '/start/' | grep -vxF "$(echo "$first" | tr ' ' '\n')")"
python3 "$tree/../tests/tools/guide.py" run $pages >result || fail "guide.py (status $?)"
cat result
failed=$((failed + $(grep -c '^failed' result)))
# no command may be missed
read -r ran left all <<END
$(sed -n 's/^commands: \([0-9]*\) ran, \([0-9]*\) left out, of \([0-9]*\)$/\1 \2 \3/p' result)
END
checks=$((checks + ${ran:-0}))
[ "$((${ran:-0} + ${left:-0}))" -eq "${all:-1}" ] || fail "the pages have ${all:-no} commands, but $ran ran and $left were skipped"
[ "$(cat $pages | grep -c '^\$ ')" -eq "${all:-0}" ] || fail "guide.py counts the commands wrongly"
(cd "$tree/.." && python3 tests/tools/guide_other.py docs/start/*.md docs/tutorials/*.md docs/how-to/*.md docs/*.md \
  docs/reference/environment.md) >out || fail "$(cat out)"
# the first program of README.md
mkdir readme
ln -s "$tree" readme/build
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$docs/../README.md" >readme/hello.c
sed -n 's/^    \(build\/bin\/solo-cc .*[^ ]\)  *#.*/\1/p' "$docs/../README.md" >readme/commands
[ "$(grep -vc targets= readme/commands)" -ge 2 ] || fail "few commands in README.md"
while read -r command; do
  case $command in *--targets=*) continue ;; esac # start/gpu.md
  works sh -c "cd readme && { $command; } && ./hello" && grep -qx 'sum 499500' out || fail "README.md: $command"
done <readme/commands
# the page explains each warning, or guide_messages.py lists an exception
works python3 "$tree/../tests/tools/guide_messages.py" "$docs/reference/messages.md" \
  $(cd "$tree/.." && find "$PWD/runtime" "$PWD/abi" "$PWD/backends" -name '*.c' -not -path '*/simt/*')
sed -n 's/^| `\([^`]*\)`.*/\1/p' "$docs/reference/messages.md" >messages
[ "$(wc -l <messages)" -ge 25 ] || fail "few messages in reference/messages.md"
cat "$tree"/../tools/*.c "$tree"/../abi/*.c "$tree"/../runtime/*/*.c "$tree"/../backends/host/*.c \
  "$tree"/../abi/kmpc/*/*.c "$tree"/../abi/gomp/*.c "$tree"/../backends/remote/*.c |
  tr -d '\n' | sed 's/" *"//g' >sources
while read -r message; do
  checks=$((checks + 1))
  grep -qF -- "$message" sources || fail "no source prints: $message"
done <messages
works solo-info --settings && sed -n '/^$/q;s/^\([A-Z_]*\) .*/\1/p' out | sort >registry
sed -n 's/^| `\([A-Z_]*\)` .*/\1/p' "$docs/reference/environment.md" | sort >page
[ "$(wc -l <registry)" -ge 40 ] || fail "solo-info --settings prints few variables"
diff registry page >different || fail "reference/environment.md (>) and solo-info --settings (<) differ:" $(cat different)
done_testing
