#!/bin/sh
# apt_sources.sh FOLDER: downloads package lists with source packages; use APT_CONFIG=FOLDER/apt.conf apt-get ...
# The machine's lists stay unchanged. Exit status 1: download failed.
set -eu
mkdir -p "$1"
work=$(cd "$1" && pwd)
rm -rf "${work:?}/sources"
mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial"
for list in /etc/apt/sources.list.d/*.sources; do
  [ -f "$list" ] || continue
  sed 's/^Types:.*/Types: deb deb-src/' "$list" >"$work/sources/$(basename "$list")"
done
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -f "$list" ] || continue
  sed -n 's/^deb /deb-src /p; /^deb /p' "$list" >"$work/sources/$(basename "$list" .list).list"
done
cat >"$work/apt.conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/sources";
Dir::State::lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "";
END
APT_CONFIG=$work/apt.conf exec apt-get -qq update
