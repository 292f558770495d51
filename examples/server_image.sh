#!/bin/sh
# Writes a container image (the root file system) of solo-server and its libraries, without drivers.
#   server_image.sh SOLO-SERVER IMAGE.tar
#   docker import IMAGE.tar solo-server
#   docker run --network=host --pid=host --user $(id -u) --gpus all solo-server /bin/solo-server --listen=gpus
#   SOLO_SERVER=@gpus ./program           (a static program on the host)
# --network=host shares abstract socket names; --pid=host shows the server that a program ended.
set -eu
server=${1:?usage: server_image.sh SOLO-SERVER IMAGE.tar} image=${2:?usage: server_image.sh SOLO-SERVER IMAGE.tar}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/bin" "$root/lib/solo/glibc"
cp "$server" "$root/bin/solo-server"
# the libraries at the paths of this host; the container runtime mounts the drivers
ldd "$server" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-[^ ]*\) .*/\1/p' |
  grep -v -e libcuda -e libhsa-runtime | while read -r library; do
  to=$library
  case $library in */libsolo_drv.so) to=/lib/solo/glibc/libsolo_drv.so ;; esac
  mkdir -p "$root$(dirname "$to")"
  cp -L "$library" "$root$to"
done
tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$image" .
echo "$image: $(stat -c %s "$image") bytes, program /bin/solo-server"
