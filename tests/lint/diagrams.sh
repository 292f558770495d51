#!/bin/sh
# Description: checks that each diagram of docs/design has the texts and edges that dot renders from its source. Coordinates
# depend on the installed fonts and are not compared.
cd "$(dirname "$0")/../.." || exit 1
command -v dot >/dev/null || { echo "skipped: dot (Graphviz) is missing"; exit 77; }
fail=0
texts() { grep -oE '<title>[^<]*</title>|<text[^>]*>[^<]*</text>' | sed 's/<[^>]*>//g' | sort; }
for source in docs/design/*.dot; do
  svg=${source%.dot}.svg
  [ -f "$svg" ] || { echo "$svg is missing; run docs/design/draw.sh"; fail=1; continue; }
  [ "$(dot -Tsvg "$source" | texts)" = "$(texts <"$svg")" ] || { echo "$svg is not rendered from the current $source; run docs/design/draw.sh"; fail=1; }
done
[ $fail = 0 ] && echo "diagrams are current"
exit $fail
