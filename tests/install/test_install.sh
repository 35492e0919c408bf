#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# One part of the installation test; CMakeLists.txt sets the variables. Exit 77 = skipped.
set -euo pipefail

WARNINGS="-Wall -Wextra -Wshadow -pedantic -Werror"

# the installed receiver libraries
RECEIVERS=$(find "$PREFIX" -name 'libdvb*.so' 2>/dev/null | sed 's/.*lib\(.*\)[.]so/\1/' || true)

skip() {
    echo "skipped: $1"
    exit 77
}

# Installs the build tree to a fresh prefix. The user's install_manifest.txt is preserved.
tree() {
    local manifest="$BUILD/install_manifest.txt"
    rm -rf "$PREFIX"
    [ ! -e "$manifest" ] || mv "$manifest" "$manifest.kept"
    "$CMAKE" --install "$BUILD" --prefix "$PREFIX" >"$PREFIX.log"
    mv "$manifest" "$PREFIX.manifest"
    [ ! -e "$manifest.kept" ] || mv "$manifest.kept" "$manifest"
}

# Uninstallation removes every installed file and the project's empty directories; foreign files and shared directories remain.
uninstall() {
    local folder # a folder whose path has no name of this project
    folder=$(mktemp -d)
    trap "rm -rf $folder" EXIT
    sed "s|^$PREFIX/|$folder/prefix/|" "$PREFIX.manifest" >"$folder/install_manifest.txt"
    cp -a "$PREFIX" "$folder/prefix"
    find "$folder/prefix" -type d -name __pycache__ -prune -exec rm -r {} +
    sed "s|^$folder/prefix/||" "$folder/install_manifest.txt" | sort >"$folder/expected"
    (cd "$folder/prefix" && find . \( -type f -o -type l \) | sed 's|^./||' | sort | comm -13 "$folder/expected" - |
        xargs -r -d '\n' rm -rf) # what other tests have built there
    touch "$folder/prefix/include/ldpc/strange"
    find "$folder/prefix" -name __init__.py -exec python3 -m py_compile {} + # bytecode, as the first import by root writes it
    (cd "$folder" && "$CMAKE" -P "$SOURCE/cmake/uninstall.cmake" >log)
    [ "$(cd "$folder/prefix" && find . ! -type d)" = ./include/ldpc/strange ]
    for common in bin lib share; do
        [ -d "$folder/prefix/$common" ]
    done
    [ -z "$(find "$folder/prefix" -type d -empty \( -path '*ldpc*' -o -path '*libdvb*' \))" ]
    [ ! -e "$folder/install_manifest.txt" ]
    ! (cd "$folder" && "$CMAKE" -P "$SOURCE/cmake/uninstall.cmake" 2>log) || exit 1
    grep -q "nothing was installed" "$folder/log"
}

# Each public header compiles on its own, as C11 and as C++17.
headers() {
    local header count=0
    for header in "$PREFIX"/include/ldpc/*.h; do
        echo "#include <ldpc/$(basename "$header")>" >"$PREFIX/alone.c"
        "$CC" -std=c11 $WARNINGS -I"$PREFIX/include" -fsyntax-only "$PREFIX/alone.c"
        [ -z "$CXX" ] || "$CXX" -std=c++17 $WARNINGS -I"$PREFIX/include" -fsyntax-only -x c++ "$PREFIX/alone.c"
        count=$((count + 1))
    done
    [ "$count" -ge 6 ]
    [ -n "$CXX" ] || skip "C compiled; no C++ compiler for the other half"
}

# exported_is_declared LIBRARY PREFIX: every exported symbol starts with PREFIX_ and is declared with LDPC_API; every
# declared function is exported.
exported_is_declared() {
    "$NM" -D --defined-only "$PREFIX/$LIBDIR/$1.so" | awk '$2 != "A" { sub("@.*", "", $3); print $3 }' | sort -u >"$PREFIX/exported"
    cat "$PREFIX"/include/ldpc/*.h | tr '\n' ' ' | grep -o 'LDPC_API [^;(]*(' | grep -o "[ *]$2_[a-z0-9_]*(\$" |
        tr -d '( *' | sort -u >"$PREFIX/declared"
    diff "$PREFIX/declared" "$PREFIX/exported" || { echo "$1: < declared only   > exported only"; exit 1; }
}

symbols() {
    [ -n "$NM" ] || skip "nm not found"
    exported_is_declared libldpc ldpc
    for name in $RECEIVERS; do exported_is_declared "lib$name" "$name"; done
}

# The program that compiles GPU kernels is installed at the path that the library uses, and runs.
compiler() {
    [ -x "$NVCC" ] || skip "built without nvcc" # CMake: LDPC_NVCC-NOTFOUND
    local status=0
    "$PREFIX/$LIBDIR"/libldpc-*/compile_kernel 2>"$PREFIX/usage" || status=$?
    [ "$status" -eq 2 ]
    grep -q '^usage: .*compile_kernel NVRTC CAPABILITY' "$PREFIX/usage"
}

# The example reports that all bits are correct.
run_example() {
    LD_LIBRARY_PATH="$PREFIX/$LIBDIR" "$1" | tee "$1.out"
    grep -q "all bits right" "$1.out"
}

# receiver_user LIBRARY: a program that calls a receiver library.
receiver_user() {
    echo "#include <ldpc/$1.h>
int main(void) { return !$1_loss_name($(echo "$1" | tr '[:lower:]' '[:upper:]')_LOSS_GAP)[0]; }"
}

pkg_config() {
    [ -n "$PKG_CONFIG" ] || skip "pkg-config not found"
    local flags
    flags=$(PKG_CONFIG_PATH="$PREFIX/$LIBDIR/pkgconfig" "$PKG_CONFIG" --cflags --libs libldpc)
    "$CC" -std=c11 $WARNINGS "$SOURCE/examples/c/decode.c" $flags -o "$PREFIX/decode_pkg_config"
    run_example "$PREFIX/decode_pkg_config"
    for name in $RECEIVERS; do
        flags=$(PKG_CONFIG_PATH="$PREFIX/$LIBDIR/pkgconfig" "$PKG_CONFIG" --cflags --libs "lib$name")
        receiver_user "$name" >"$PREFIX/$name.c"
        "$CC" -std=c11 $WARNINGS "$PREFIX/$name.c" $flags -o "$PREFIX/$name"
        LD_LIBRARY_PATH="$PREFIX/$LIBDIR" "$PREFIX/$name"
    done
}

find_package() {
    "$CMAKE" -S "$SOURCE/examples/c" -B "$PREFIX/build_find_package" -G "$GENERATOR" \
        -DCMAKE_MAKE_PROGRAM="$MAKE_PROGRAM" -DCMAKE_PREFIX_PATH="$PREFIX" >/dev/null
    "$CMAKE" --build "$PREFIX/build_find_package" >/dev/null
    run_example "$PREFIX/build_find_package/decode"
    [ -n "$RECEIVERS" ] || return 0
    local folder="$PREFIX/build_find_receivers"
    mkdir -p "$folder"
    echo 'cmake_minimum_required(VERSION 3.20)
project(user C)' >"$folder/CMakeLists.txt"
    for name in $RECEIVERS; do
        receiver_user "$name" >"$folder/$name.c"
        echo "find_package(lib$name REQUIRED)
add_executable(user_$name $name.c)
target_link_libraries(user_$name ldpc::$name)" >>"$folder/CMakeLists.txt"
    done
    "$CMAKE" -S "$folder" -B "$folder/build" -G "$GENERATOR" -DCMAKE_MAKE_PROGRAM="$MAKE_PROGRAM" -DCMAKE_PREFIX_PATH="$PREFIX" >/dev/null
    "$CMAKE" --build "$folder/build" >/dev/null
    for name in $RECEIVERS; do "$folder/build/user_$name"; done
}

# The command that the installation prints for users.
advised() {
    unset PYTHONPATH GRC_BLOCKS_PATH
    eval "$(sed -n 's/^-- \(export PYTHONPATH=\)/\1/p' "$PREFIX.log")"
    [ -n "$PYTHONPATH" ]
}

# hardened FILE: full RELRO, non-executable stack, no paths of the build machine, stack protector.
hardened() {
    local file=$1 segments dynamic symbols
    segments=$("$READELF" -lW "$file")
    dynamic=$("$READELF" -dW "$file")
    symbols=$("$READELF" --dyn-syms -W "$file")
    grep -q GNU_RELRO <<<"$segments" || { echo "$file: no RELRO"; return 1; }
    grep -q 'BIND_NOW\|Flags:.* NOW' <<<"$dynamic" || { echo "$file: not bound when it is loaded"; return 1; }
    grep -q 'GNU_STACK.* RW  *0x' <<<"$segments" || { echo "$file: executable stack"; return 1; }
    dynamic=$(grep -E '\((RUNPATH|RPATH)\)' <<<"$dynamic" || true)
    [[ -z $dynamic || $dynamic =~ \[\$ORIGIN[^:]*\]$ ]] || { echo "$file: $dynamic"; return 1; }
    grep -q __stack_chk_fail <<<"$symbols" || { echo "$file: no stack protector"; return 1; }
}

# Every installed shared object and native program; fortified string functions in optimised builds.
hardening() {
    [ -n "$READELF" ] || skip "readelf not found"
    [ "$HARDENED" = ON ] || skip "built without LDPC_HARDEN"
    local file symbols count=0
    while read -r file; do
        hardened "$file"
        count=$((count + 1))
    done < <(find "$PREFIX" \( -name '*.so*' -o -name compile_kernel \) -type f -not -path '*/build_*')
    [ "$count" -ge 1 ]
    [ "$BUILD_TYPE" != Debug ] || return 0
    symbols=$("$READELF" --dyn-syms -W "$PREFIX/$LIBDIR/libldpc.so")
    grep -q 'printf_chk\|memcpy_chk' <<<"$symbols" || { echo "libldpc: no checked string functions"; return 1; }
}

# The installed Python module and programs work without any path to the build tree.
python() {
    [ "$LDPC_HAVE_PYTHON" = ON ] || skip "built without the Python module"
    cd "$PREFIX"
    advised
    "$PYTHON" -c "
import libldpc
assert libldpc.__file__.startswith('$PREFIX'), libldpc.__file__
assert libldpc.code('wimax:576:1/2').k == 288"
    env -u PYTHONPATH PATH=/nonexistent "$PREFIX/bin/ldpc-info" wimax:576:1/2 | grep -q "288 information"
}

# The installed blocks, found by Python and by GNU Radio Companion.
gnuradio() {
    [ "$LDPC_HAVE_GNURADIO" = ON ] || skip "built without GNU Radio"
    cd "$PREFIX"
    advised
    "$PYTHON" -c "
from gnuradio import blocks, gr, ldpc
assert ldpc.__file__.startswith('$PREFIX'), ldpc.__file__
code = ldpc.code('wimax:576:1/2')
flow, sink = gr.top_block(), blocks.vector_sink_b()
flow.connect(blocks.vector_source_b([1] * code.k), ldpc.ldpc_encoder_bb(code.name), sink)
flow.run()
assert len(sink.data()) == code.n"
    ls "$GRC_BLOCKS_PATH"/ldpc_*.block.yml
    [ "$(ls share/gnuradio/examples/ldpc)" = "$(cd "$SOURCE/examples" && ls ./*.grc ./*.py | sed 's|./||')" ]
}

# Licence texts and examples are beside the programs; Python's bytecode is not installed.
documents() {
    cd "$PREFIX"
    diff -r "$SOURCE/LICENSES" share/doc/gr-ldpc/LICENSES
    grep -o '](\(docs/\|[A-Z]*\.md\)[^)#]*' share/doc/gr-ldpc/README.md | cut -c3- | (cd share/doc/gr-ldpc; xargs ls -d) # no dead links
    ls share/doc/gr-ldpc/README.md share/doc/gr-ldpc/LICENSE.md share/doc/gr-ldpc/examples/c/decode.c share/doc/gr-ldpc/examples/python/decode.py
    ! grep '\.py[co]$' "$PREFIX.manifest"
}

"$1"
