# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests in a root file system of Debian, whose folder is $root.

# make_root [SUITE]: creates $root with only the base system (default: the suite of this system), unless it exists.
make_root() {
    local suite=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")} mirror
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        sed -nE 's|^(deb\|URIs:) (\[[^]]*\] )?(https?://[^ ]*/debian)/?( .*)?$|\3|p' | head -1 || true)
    [ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$suite" "$root" "${mirror:-http://deb.debian.org/debian}"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # a root to throw away: no sync for each file
}

# inside COMMAND...: runs the command in $root, with /proc, /sys and /dev mounted for this command only.
inside() {
    unshare --mount sh -ec 'root=$1; shift
        mount -t proc proc "$root/proc"
        mount -t sysfs sysfs "$root/sys"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
            DEBIAN_FRONTEND=noninteractive ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} "$@"' \
        inside "$root" "$@"
}
