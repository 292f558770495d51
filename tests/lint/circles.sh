#!/bin/sh
# Description: no circle of files in runtime/, abi/, backends/ and tools/, by includes and by symbols (circles.py).
cd "$(dirname "$0")/../.." || exit 1
exec python3 tests/lint/circles.py .
