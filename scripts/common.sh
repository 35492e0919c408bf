# SPDX-License-Identifier: BSD-3-Clause
# Sourced by scripts/demo, scripts/test, .ci/run and others: packages, build, test summary.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Packages of Debian 12 and 13 for the complete build. numpy, Boost and others are dependencies of GNU Radio, and
# VOLK of gnuradio-dev: libvolk2-dev in Debian 12, later libvolk-dev.
BUILD_PACKAGES="gcc g++ cmake ninja-build pkg-config python3-dev python3-numpy pybind11-dev
    gnuradio gnuradio-dev python3-click python3-rich python3-matplotlib libfftw3-dev"
TEST_PACKAGES="libcmocka-dev python3-mpi4py openmpi-bin mypy ocl-icd-libopencl1 pocl-opencl-icd"

installed() {
    dpkg-query -W -f '${Status}\n' "$1" 2>/dev/null | grep -q ' installed$'
}

# need_packages NAME...: installs missing packages with apt; does nothing if all are installed.
need_packages() {
    local package missing=() root=()
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "This system is not Debian or Ubuntu: nothing is installed. Names of the required packages on Debian:" $*
        return 0
    fi
    for package in "$@"; do
        installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "Installing with apt: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "packages cannot be installed without root or sudo; run as root: apt-get install ${missing[*]}" >&2
            return 1
        fi
        root=(sudo)
    fi
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# build_tree FOLDER [cmake options...]: configures and builds everything, or only $build_targets.
build_tree() {
    local folder=$1
    shift
    cmake -G Ninja -S . -B "$folder" "$@" && cmake --build "$folder" ${build_targets:+--target $build_targets}
}

# build_debug FOLDER [cmake options...]: builds the C code with assertions. -Og compiles the unrolled kernels several times
# faster than -O2.
build_debug() {
    local folder=$1
    shift
    build_tree "$folder" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-Og -g" "$@"
}

# Instruction sets for builds that run on this machine and need no speed; empty = all. The AVX-512 objects take longest to
# compile, and AVX2's second variant is the first with another selection of messages.
isas_of_this_cpu() {
    if grep -qsw avx2 /proc/cpuinfo && ! grep -qsw avx512bw /proc/cpuinfo; then
        echo "sse41;avx2$"
    fi
}

# build_sanitized FOLDER [cmake options...]: builds with clang, AddressSanitizer and UndefinedBehaviorSanitizer, and the fuzz targets
# with libFuzzer. In kernels, the four checks that turn each load into a branch are off, because unrolled kernels would take minutes
# to compile (scripts/nightly has them on). Coverage is off there too, because it does not distinguish inputs.
build_sanitized() {
    local folder=$1
    shift
    build_tree "$folder" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_C_FLAGS_DEBUG="-O1 -gline-tables-only" -DCMAKE_CXX_FLAGS_DEBUG="-O0 -gline-tables-only" \
        -DLDPC_SANITIZE=address,undefined,fuzzer-no-link -DLDPC_FUZZ_ENGINE=-fsanitize=fuzzer -DLDPC_NVCC= \
        -DLDPC_ONLY_ISAS="$(isas_of_this_cpu)" \
        $(! command -v ld.lld >/dev/null || echo -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld) \
        -DLDPC_KERNEL_OPTIONS=-fno-sanitize=fuzzer-no-link,alignment,null,pointer-overflow,object-size "$@"
}

# older_cpu MODEL: runs the kernel tests of build/ on an emulated x86 CPU, on which newer instructions fault. EPYC has the
# instructions of Haswell and other preferences, which test_rows does not depend on.
older_cpu() {
    local tests=build/tests code
    qemu-x86_64 -cpu "$1" $tests/test_simd || return 1
    [ "$1" = EPYC ] || qemu-x86_64 -cpu "$1" $tests/test_rows || return 1
    for code in tiny folded dyadic wimax:576:1/2; do
        qemu-x86_64 -cpu "$1" $tests/test_kernels --backend cpu --rounds 1 --code $code || return 1
    done
}

# aarch64_kernels BUILD FOLDER [codes...]: builds the C library for aarch64 with build_debug or build_tree, and compares its kernels with
# the reference, emulated: with small codes, and with further ones.
aarch64_kernels() {
    local build=$2 code
    build_targets=ldpc_internal "$1" "$build" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DLDPC_WERROR=ON -DLDPC_PYTHON=OFF -DLDPC_GNURADIO=OFF -DLDPC_CUDA=OFF \
        -DLDPC_RECEIVERS=OFF -DBUILD_TESTING=OFF || return 1
    aarch64-linux-gnu-gcc -std=c11 -O2 -Iinclude -Ilib -Itests tests/kernels/test_kernels.c tests/kernels/samples.c tests/kernels/draws.c \
        $build/libldpc_internal.a -static -pthread -lm -o $build/test_kernels || return 1
    aarch64-linux-gnu-gcc -std=c11 -O2 -Iinclude -Ilib -Itests tests/kernels/test_nb_kernels.c tests/kernels/samples.c tests/kernels/draws.c \
        $build/libldpc_internal.a -static -pthread -lm -o $build/test_nb_kernels || return 1
    aarch64-linux-gnu-gcc -std=c11 -O2 -Iinclude -Ilib -Itests -DLDPC_ISA=neon -DLDPC_ISA_NEON=1 "-DSIMD_SETS=X(neon)" \
        tests/simd/test_simd.c tests/simd/isa_primitives.c lib/cpu/cpu_features.c -static -lm -o $build/test_simd || return 1
    qemu-aarch64 $build/test_simd || return 1
    for code in tiny folded wide irregular dyadic wimax:576:1/2 "${@:3}"; do
        qemu-aarch64 $build/test_kernels --kernel neon --rounds 1 --code $code || return 1
    done
    for code in toy8 toy16 toy128 irregular bds:b1c:88; do
        qemu-aarch64 $build/test_nb_kernels --kernel neon --rounds 1 --code $code || return 1
    done
    for code in toy16 toy128 bds:b1c:88; do # fields that fill a register
        qemu-aarch64 $build/test_nb_kernels --kernel within-neon --rounds 1 --code $code || return 1
    done
}

# run_tests FOLDER [ctest options...]: runs all tests except nightly ones, one more than there are cores, because some wait, and writes a line "passed|failed|skipped NAME"
# for each case to FOLDER/test-records.txt. Succeeds even if tests fail: report() decides.
run_tests() {
    local folder=$1 python
    shift
    for python in "$folder/bin/ldpc-python" /usr/bin/python3 python3; do
        ! command -v "$python" >/dev/null || break
    done
    rm -f "$folder/junit.xml"
    ctest --test-dir "$folder" -j "$(($(nproc) + 1))" -LE nightly --output-on-failure --output-junit junit.xml \
        --test-output-size-passed 1000000 --test-output-size-failed 1000000 "$@" || true
    "$python" scripts/test_records.py "$folder/junit.xml" >"$folder/test-records.txt"
}

# timed NAME COMMAND...: runs the command and appends its seconds to the file LDPC_TIMES, if that is set.
timed() {
    local name=$1 start=$SECONDS status=0
    shift
    "$@" || status=$?
    [ -z "${LDPC_TIMES:-}" ] || echo "$((SECONDS - start)) $name" >>"$LDPC_TIMES"
    return $status
}

# beside COMMAND...: runs the command in the background, as soon as fewer of them run than there are cores.
beside() {
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do
        wait -n || true
    done
    "$@" &
}

# check NAME COMMAND...: runs the command and records the outcome in $records, status 77 as skipped; shows its output if it fails.
# Checks may run side by side.
check() {
    local name=$1 log status=0
    log=$(mktemp "$records.XXXXXX")
    shift
    "$@" >"$log" 2>&1 || status=$?
    case $status in
    0) echo "passed $name" >>"$records" ;;
    77) echo "skipped $name" >>"$records" ;;
    *)
        echo "failed $name" >>"$records"
        tail -50 "$log"
        ;;
    esac
    rm -f "$log"
    echo "== $name"
}

# report RECORDS...: lists failed and skipped tests; the last line has the counts. Fails if a test failed or none ran.
report() {
    awk '
        { count[$1]++; name = $0; sub(/^[a-z]+ /, "", name) }
        $1 != "passed" { list[$1] = list[$1] "  " name "\n" }
        END {
            if (count["skipped"]) printf "\nskipped:\n%s", list["skipped"]
            if (count["failed"]) printf "\nfailed:\n%s", list["failed"]
            printf "\n%d passed, %d failed, %d skipped\n", count["passed"], count["failed"], count["skipped"]
            exit count["failed"] || !count["passed"]
        }' "$@"
}
