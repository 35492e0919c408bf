#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds everything once into $PREFIX; meta.yaml assigns the files to packages.
set -euo pipefail
cmake -G Ninja -S . -B build ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
    -DCMAKE_INSTALL_LIBDIR=lib -DPython3_EXECUTABLE="$PYTHON" -DLDPC_PYTHON=ON -DLDPC_GNURADIO=ON -DLDPC_RECEIVERS=ON -DLDPC_NVCC= \
    -DBUILD_TESTING=OFF
cmake --build build -j "${CPU_COUNT:-2}"
cmake --install build
