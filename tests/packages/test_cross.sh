#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_cross.sh [FOLDER]
# Cross-compiles libldpc with its GPU backends for aarch64 and installs it below FOLDER (default build-cross). Builds the C example
# against that installation, and against the unpacked tarball of `ninja package`, and runs it in an emulator. Needs
# gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(realpath -m "${1:-build-cross}")
triple=aarch64-linux-gnu
cmake -G Ninja -S . -B "$folder" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=$triple-gcc -DLDPC_WERROR=ON -DLDPC_CUDA=ON -DLDPC_NVCC= \
    -DLDPC_PYTHON=OFF -DLDPC_GNURADIO=OFF -DLDPC_RECEIVERS=OFF -DBUILD_TESTING=OFF
cmake --build "$folder"
rm -rf "$folder/prefix"
cmake --install "$folder" --prefix "$folder/prefix"

cmake --build "$folder" --target package
rm -rf "$folder/unpacked"
mkdir "$folder/unpacked"
tar -C "$folder/unpacked" --strip-components=1 -xf "$folder"/gr-ldpc-*-Linux-aarch64.tar.gz

for prefix in "$folder/prefix" "$folder/unpacked"; do
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    # shellcheck disable=SC2046
    $triple-gcc -std=c11 examples/c/decode.c $(pkg-config --cflags --libs libldpc) -o "$prefix/decode"
    qemu-aarch64 -L /usr/$triple -E LD_LIBRARY_PATH="$prefix/lib" "$prefix/decode" | tee "$prefix/decode.txt"
    grep -q "all bits right" "$prefix/decode.txt"
done
