#!/bin/bash -eu
# SPDX-License-Identifier: BSD-3-Clause
# The fuzz targets of the C library for OSS-Fuzz, which sets CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SRC and OUT. With
# Debian's clang the same script runs outside of it:
#
#     CC=clang CXX=clang++ CFLAGS=-fsanitize=address,fuzzer-no-link CXXFLAGS=-fsanitize=address,fuzzer-no-link \
#         LIB_FUZZING_ENGINE=-fsanitize=fuzzer OUT=/tmp/out tests/fuzz/oss-fuzz/build.sh
#
# Targets that need GNU Radio, FFTW or Python are not among them.
source_folder=${SRC:+$SRC/gr-ldpc}
[ -d "${source_folder:-}" ] || source_folder=$(cd "$(dirname "$0")/../../.." && pwd)
work=${WORK:-$(mktemp -d)}/gr-ldpc
mkdir -p "$OUT" "$work"

cmake -G Ninja -S "$source_folder" -B "$work" -DCMAKE_BUILD_TYPE=None -DLDPC_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DLDPC_HARDEN=OFF \
    -DLDPC_PYTHON=OFF -DLDPC_GNURADIO=OFF -DLDPC_CUDA=OFF -DLDPC_RECEIVERS=OFF -DLDPC_ONLY_ISAS=avx2
cmake --build "$work" --target fuzz_targets

cd "$source_folder/tests/fuzz"
for program in "$work"/tests/fuzz/fuzz_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    name=$(basename "$program")
    target=${name#fuzz_}
    cp "$program" "$OUT/"
    [ ! -e "$target.dict" ] || cp "$target.dict" "$OUT/$name.dict"
    python3 corpus.py unpack "corpus/$target.txt" "$work/seeds/$target"
    (cd "$work/seeds/$target" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
done
ls "$OUT"
