#!/bin/sh
# Builds the documentation site in build/docs/html; a warning of Sphinx is an error. Opens without a server: index.html.
set -eu
cd "$(dirname "$0")/.."
for tool in sphinx-build doxygen; do
  command -v $tool >/dev/null || { echo "docs/build.sh: $tool is missing; ./configure.sh --bootstrap installs it" >&2; exit 1; }
done
mkdir -p build/docs/doxygen
{ cat docs/Doxyfile; echo OUTPUT_DIRECTORY = build/docs/doxygen; } | doxygen - 
PYTHONDONTWRITEBYTECODE=1 sphinx-build -q -W --keep-going -b html -d build/docs/trees -c docs . build/docs/html
echo "build/docs/html/index.html"
