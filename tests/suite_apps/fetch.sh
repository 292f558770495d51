#!/bin/sh
# Downloads Debian's source packages into build/suite_apps, unless they exist. Does not change the machine's package lists.
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/suite_apps
stop() { echo "suite-apps: $*" >&2; exit 77; }
for tool in apt-get cmake clang++-19; do
  command -v $tool >/dev/null || stop "no $tool: ./configure.sh --bootstrap installs it"
done
mkdir -p "$work"
cd "$work"
lists=
fetch() { # fetch PACKAGE FOLDER PATTERN...: unpacks files of the source package into FOLDER
  package=$1 folder=$2
  shift 2
  [ -e "$folder" ] && return
  [ "$lists" ] || sh ../../ports/cross/apt_sources.sh apt || stop "cannot download the package lists"
  lists=1
  APT_CONFIG=$work/apt/apt.conf apt-get -qq --download-only --only-source source "$package" ||
    stop "no source package $package in this machine's package sources"
  rm -rf "$folder.new"
  mkdir "$folder.new"
  tar xf "$(echo "$package"_*.orig.tar.*)" -C "$folder.new" --strip-components=1 --wildcards "$@"
  mv "$folder.new" "$folder"
}
fetch trilinos trilinos '*/packages/kokkos/*'
fetch hypre hypre '*/src/*'
fetch sundials sundials '*'
