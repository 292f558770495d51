#!/bin/sh
# Description: checks that files have no circular dependencies (circles.py).
cd "$(dirname "$0")/../.." || exit 1
exec python3 tests/lint/circles.py .
