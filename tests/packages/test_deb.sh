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
suite=${3:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    sed -nE 's|^(deb\|URIs:) (\[[^]]*\] )?(https?://[^ ]*/debian)/?( .*)?$|\3|p' | head -1 || true)
names="libldpc1 libldpc-dev libdvbt2-1 libdvbt2-dev libdvbs2-1 libdvbs2-dev python3-libldpc ldpc-tools gr-ldpc gr-ldpc-doc"

inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 ${proxy:+"http_proxy=$proxy"} \
        chroot "$root" "$@"
}
proxy=${http_proxy:-}

[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$suite" "$root" "${mirror:-http://deb.debian.org/debian}"
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # a root to throw away: no sync for each file
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
for place in usr/lib usr/bin usr/share usr/include; do
    left=$(find "$root/$place" \( -name '*ldpc*' -o -name '*dvb[st]2*' \) ! -path '*/doc/*' ! -path '*gnuradio/examples*' \
        ! -path '*/gnuradio/fec/*' | grep -E 'libldpc|libdvb|gr-ldpc|gnuradio-ldpc|gnuradio/ldpc|bin/ldpc-' || true)
    [ -z "$left" ] || { echo "files remain: $left" >&2 && exit 1; }
done
