#!/bin/sh
# Unpacks LLVM 22's offload library (contestant "peer22") into build/peer22, because libomp-22-dev conflicts with
# libomp-19-dev.
set -e
cd "$(dirname "$0")/.."
mkdir -p build/peer22
cd build/peer22
for package in liboffload-22 liboffload-22-dev libomp-22-dev; do apt-get download -q "$package"; done
for deb in *.deb; do dpkg -x "$deb" .; done
rm -f ./*.deb
ln -sf /usr/lib/llvm-19/lib/libomp.so.5 usr/lib/x86_64-linux-gnu/libomp.so.5
echo "build/peer22: ready; remove build/bench/peer22 and run: ninja bench_programs"
