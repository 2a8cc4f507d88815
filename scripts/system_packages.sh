#!/bin/sh
# Install the Debian packages of system_packages.txt where that is allowed; elsewhere name those that are missing.
set -eu
cd "$(dirname "$0")"

command -v dpkg-query >/dev/null 2>&1 || exit 0
missing=
for package in $(sed 's/#.*//' system_packages.txt); do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing$missing"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086  # a list of words on purpose
    if apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
        exit 0
    fi
    echo "the installation failed; the tests that need a missing package will skip" >&2
else
    echo "some tests will skip; to run them: apt-get install$missing"
fi
