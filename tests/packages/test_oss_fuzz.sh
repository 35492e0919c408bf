#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_oss_fuzz.sh FOLDER
# Runs tests/fuzz/oss-fuzz/build.sh as OSS-Fuzz does, with Debian's clang: builds every target from a fresh clone in FOLDER and runs
# its seed corpus with AddressSanitizer. The OSS-Fuzz image clones the repository in project.yaml.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 1 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
project=$PWD/tests/fuzz/oss-fuzz
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)

repository=$(sed -n 's/^main_repo: "\(.*\)"$/\1/p' "$project/project.yaml")
[ -n "$repository" ] || { echo "project.yaml names no main_repo" >&2; exit 1; }
grep -qF " $repository " "$project/Dockerfile" || { echo "the Dockerfile does not clone $repository" >&2; exit 1; }

git clone -q . "$folder/src/gr-ldpc"
cp "$project/build.sh" "$folder/src/"
flags="-O1 -fsanitize=address,fuzzer-no-link"
CC=clang CXX=clang++ CFLAGS=$flags CXXFLAGS=$flags LIB_FUZZING_ENGINE=-fsanitize=fuzzer SRC=$folder/src WORK=$folder/work \
    OUT=$folder/out "$folder/src/build.sh"

for target in code_text names deframer dvb_cells decoder_calls queue_calls simulation; do
    program=$folder/out/fuzz_$target seeds=$folder/seeds/$target
    mkdir -p "$seeds"
    python3 -m zipfile -e "${program}_seed_corpus.zip" "$seeds"
    [ -n "$(ls "$seeds")" ] || { echo "$target has no seeds" >&2; exit 1; }
    echo "$target: $(ls "$seeds" | wc -l) seeds"
    "$program" -runs=0 "$seeds" >"$folder/log" 2>&1 || { tail -40 "$folder/log"; exit 1; }
done
