#!/bin/sh
# Make .venv with the first Python on the path that is new enough; keep one that already works.
set -eu
cd "$(dirname "$0")/.."

new_enough='import sys; sys.exit(sys.version_info < (3, 11))'

works() {
    command -v "$1" >/dev/null 2>&1 && "$1" -c "$new_enough" >/dev/null 2>&1
}

if works .venv/bin/python && .venv/bin/python -m pip --version >/dev/null 2>&1; then
    exit 0
fi

python=
for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if works "$name"; then
        python=$name
        break
    fi
done

if [ -z "$python" ]; then
    found=$(python3 --version 2>/dev/null || echo "no Python")
    echo "howsure needs Python 3.11 or newer; found $found. Install one, or put it first on the path." >&2
    exit 1
fi

echo "step 1: making .venv with $("$python" --version)"
# Debian splits ensurepip off into python3-venv; the system's own pip can fill the environment without it.
if ! "$python" -m venv --clear .venv >/dev/null 2>&1; then
    "$python" -m venv --clear --without-pip .venv
    "$python" -m pip --python .venv/bin/python install --quiet --disable-pip-version-check pip
fi
