#!/bin/sh
# Renders each Graphviz source of this folder to the SVG of the same name.
cd "$(dirname "$0")" || exit 1
for source in *.dot; do dot -Tsvg "$source" -o "${source%.dot}.svg" || exit 1; done
