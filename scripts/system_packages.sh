#!/bin/sh
# Install the Debian packages of a list (system_packages.txt unless another is named) where that is allowed; elsewhere
# name those that are missing.
set -eu
cd "$(dirname "$0")"

command -v dpkg-query >/dev/null 2>&1 || exit 0
missing=
while read -r package program; do
    if [ -z "$package" ] || { [ -n "$program" ] && command -v "$program" >/dev/null 2>&1; }; then continue; fi
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done <<END
$(sed 's/#.*//; /^[[:space:]]*$/d' "${1:-system_packages.txt}")
END
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing$missing"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086  # a list of words on purpose
    if apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
        exit 0
    fi
    echo "the installation failed; what needs a missing package will be skipped" >&2
else
    echo "something will be skipped; to run it: apt-get install$missing"
fi
