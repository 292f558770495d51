#!/bin/sh
# Writes a container image (the root file system) that contains only one static program.
#   scratch_image.sh PROGRAM IMAGE.tar                writes the archive, for `docker import` or `ADD`
#   scratch_image.sh --run IMAGE.tar [ARGUMENT...]    runs the program of the archive in a chroot
set -eu
usage='usage: scratch_image.sh PROGRAM IMAGE.tar, scratch_image.sh --run IMAGE.tar [ARGUMENT...]'
program=${1:?$usage} image=${2:?$usage}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
if [ "$program" = --run ]; then
  shift 2
  tar -C "$root" --no-same-owner -xf "$image"
  if [ "$(id -u)" = 0 ]; then
    chroot "$root" /app "$@"
  else # root in a new user namespace, if the system allows it
    unshare --user --map-root-user chroot "$root" /app "$@"
  fi
  exit
fi
if readelf -lW "$program" | grep -q INTERP; then
  echo "scratch_image.sh: $program needs a dynamic linker; link it with solo-cc --static" >&2
  exit 1
fi
cp "$program" "$root/app"
strip "$root/app"
mkdir "$root/tmp" && chmod 1777 "$root/tmp"
# -b 1: the default record size of tar would pad the archive to 10 KB
tar -C "$root" -b 1 --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$image" app tmp
echo "$image: $(stat -c %s "$image") bytes, program /app"
