#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_aarch64.sh ROOT [SUITE [ctest options...]]
# As root: cross-compiles libldpc, libdvbt2, libdvbs2 and their C tests for aarch64 in a Debian root ROOT (SUITE, default the suite of
# this system), with the FFTW and VOLK of Debian's arm64, and runs the tests in an emulator. Left out: the kernels, which scripts/nightly
# tests, and test_fork, because the emulator of Debian 12 cannot start threads in a forked child.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$(realpath -m "$1")
. tests/packages/root.sh
make_root "${2:-}"
inside sh -ec 'dpkg --add-architecture arm64
    apt-get update -q
    install="apt-get install -q -y --no-install-recommends"
    $install cmake ninja-build pkg-config python3 qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross libcmocka-dev:arm64 \
        libfftw3-dev:arm64
    $install libvolk-dev:arm64 || $install libvolk2-dev:arm64 # the latter in Debian 12'
rm -rf "$root/gr-ldpc"
git clone -q . "$root/gr-ldpc"
inside env PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig sh -ec 'cd /gr-ldpc
    cmake -G Ninja -S . -B build -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc \
        -DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64 -DLDPC_WERROR=ON -DLDPC_RECEIVERS=ON -DLDPC_PYTHON=OFF -DLDPC_GNURADIO=OFF -DLDPC_CUDA=OFF
    cmake --build build
    ctest --test-dir build -j "$(nproc)" -LE "nightly|abi|fuzz|install|kernels|soak|tree" -E "^test_fork$" \
        --output-on-failure "$@"' ctest "${@:3}"
