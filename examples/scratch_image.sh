#!/bin/sh
# A container image of one static program and nothing else: scratch_image.sh PROGRAM IMAGE.tar
# The archive is the image's root file system; `docker import IMAGE.tar` (or podman, or unpacking it and
# chroot) makes a container of it. Refuses programs that would need more than themselves.
set -eu
program=${1:?usage: scratch_image.sh PROGRAM IMAGE.tar} image=${2:?usage: scratch_image.sh PROGRAM IMAGE.tar}
if readelf -lW "$program" | grep -q INTERP; then
  echo "scratch_image.sh: $program needs a dynamic linker; link it with solo-cc --static" >&2
  exit 1
fi
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp "$program" "$root/app"
strip "$root/app"
mkdir "$root/tmp" && chmod 1777 "$root/tmp"
tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$image" app tmp
echo "$image: $(stat -c %s "$image") bytes, program /app"
