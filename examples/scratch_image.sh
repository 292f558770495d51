#!/bin/sh
# A container image of one static program and nothing else: scratch_image.sh PROGRAM IMAGE.tar
# The archive is the image's root file system, of which a container engine makes a container (import, or ADD to
# scratch). Refuses programs that would need more than themselves.
#   scratch_image.sh --run IMAGE.tar [ARGUMENT...]    runs its program there, by chroot: there is nothing else
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
  else # root of a name space of one's own, where the system lets everybody have one
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
# of the smallest size that tar writes; its usual record is 10 KB
tar -C "$root" -b 1 --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$image" app tmp
echo "$image: $(stat -c %s "$image") bytes, program /app"
