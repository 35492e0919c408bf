#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_deb.sh FOLDER ROOT [SUITE]
# As root: installs the packages in FOLDER in a fresh Debian root ROOT (SUITE, default the suite of this system), runs debian/tests,
# removes and purges them, and checks that no files remain.
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD
folder=$(realpath "$1")
root=$(realpath -m "$2")
. tests/packages/root.sh
names="libldpc1 libldpc-dev libdvbt2-1 libdvbt2-dev libdvbs2-1 libdvbs2-dev python3-libldpc ldpc-tools gr-ldpc gr-ldpc-doc"

make_root "${3:-}"
mkdir -p "$root/packages" "$root/source"
rm -f "$root"/packages/*
cp "$folder"/*.deb "$root/packages"
cp -r "$source/examples" "$source/packaging" "$root/source"

inside apt-get update -q
inside sh -c 'apt-get install -q -y --no-install-recommends /packages/*.deb gcc libc6-dev pkg-config python3-matplotlib'
for test in library programs flowgraph; do
    inside sh -c "cd /source && AUTOPKGTEST_TMP=\$(mktemp -d) packaging/debian/tests/$test"
done
for name in $names; do
    inside dpkg -s "$name" | grep -q 'Status: install ok installed'
done

# shellcheck disable=SC2086
inside apt-get purge -q -y $names
# GNU Radio has files with such names, too
left=$(inside find / -xdev \( -name '*ldpc*' -o -name '*dvb[st]2*' \) ! -path '/packages/*' ! -path '/source/*' ! -path '/tmp/*' ! -path '/root/*' \
    -exec sh -c 'dpkg -S "$1" >/dev/null 2>&1 || echo "$1"' sh {} ';')
[ -z "$left" ] || { echo "files remain: $left" >&2 && exit 1; }
