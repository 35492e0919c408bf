#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_pip.sh [FOLDER [WHEEL]]
# Installs WHEEL, or the Python package from this tree, with pip in an empty virtual environment below FOLDER (default build-pip),
# and runs the module's tests, the programs, and a C program with the library in the package.
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD
folder=$(realpath -m "${1:-build-pip}")
wheel=${2:+$(realpath "$2")}
rm -rf "$folder" "$folder-build"
python3 -m venv "$folder/venv"
export PATH="$folder/venv/bin:$PATH"
unset PYTHONPATH LD_LIBRARY_PATH
if [ "$wheel" ]; then
    pip install --quiet "${wheel}[mpi]" scipy # which the module takes, and does not need
else
    pip install --quiet --upgrade pip # pip of Python 3.9 does not support -C
    pip install --quiet "${source}[mpi]" scipy -C cmake.define.LDPC_NVCC= -C build-dir="$folder-build" # nvcc takes minutes
fi

cd "$folder" # where no source can be imported by accident
for program in ldpc-info ldpc-bench ldpc-make ldpc-tune ldpc-ber ldpc-plot ldpc-encode ldpc-decode; do
    "$program" --help >/dev/null
done
ldpc-info wimax:2304:1/2 | grep -q 2304
ldpc-ber --code wimax:576:1/2 --ebn0 2 --max-frames 2000 --plot curve.png >ber.txt
test -s curve.png
test -s venv/share/man/man1/ldpc-ber.1
test -s venv/share/bash-completion/completions/ldpc-ber

place=$(python3 -c 'import libldpc, os; print(os.path.dirname(libldpc.__file__))')
case $place in "$folder"/venv/*) ;; *) echo "libldpc was imported from $place" >&2 && exit 1 ;; esac
export PKG_CONFIG_PATH=$place/lib/pkgconfig
# shellcheck disable=SC2046
cc -o decode "$source"/examples/c/*.c $(pkg-config --cflags --libs libldpc) -Wl,-rpath,"$place/lib" -lm
./decode >decode.txt

cd "$source/python/libldpc"
python3 -B -m unittest test_python_code test_python_decoder test_python_inputs test_python_simulation
