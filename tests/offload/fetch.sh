#!/bin/sh
# Unpacks LLVM's liboffload 22 into build/offload-peer (configure.sh --bootstrap). Not installed, because the package
# could replace other programs' libomptarget.so.22.1.
set -e
cd "$(dirname "$0")/../.."
peer=build/offload-peer
[ -f $peer/complete ] && exit 0
mkdir -p $peer
cd $peer
rm -f ./*.deb
for package in liboffload-22 liboffload-22-dev libomp-22-dev; do apt-get download -q "$package"; done
for deb in *.deb; do dpkg -x "$deb" .; done
rm -f ./*.deb
touch complete
