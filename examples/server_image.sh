#!/bin/sh
# A container image of a device server: server_image.sh SOLO-SERVER IMAGE.tar
# It holds solo-server and the libraries that it needs, but no driver: that is mounted from the host (the
# vendor's container runtime does it). The archive is the image's root file system.
#   docker import IMAGE.tar solo-server
#   docker run --network=host --pid=host --user $(id -u) --gpus all solo-server /bin/solo-server --listen=gpus
# Abstract socket names belong to a network namespace, hence --network=host; --pid=host so that the server
# sees when a program ends. On the host: SOLO_SERVER=@gpus ./program, which is static and has no driver.
set -eu
server=${1:?usage: server_image.sh SOLO-SERVER IMAGE.tar} image=${2:?usage: server_image.sh SOLO-SERVER IMAGE.tar}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/bin" "$root/lib/solo/glibc"
cp "$server" "$root/bin/solo-server"
# what the loader finds here, at the same places; drivers come with the container runtime
ldd "$server" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-[^ ]*\) .*/\1/p' |
  grep -v -e libcuda -e libhsa-runtime | while read -r library; do
  to=$library
  case $library in */libsolo_drv.so) to=/lib/solo/glibc/libsolo_drv.so ;; esac
  mkdir -p "$root$(dirname "$to")"
  cp -L "$library" "$root$to"
done
tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$image" .
echo "$image: $(stat -c %s "$image") bytes, program /bin/solo-server"
