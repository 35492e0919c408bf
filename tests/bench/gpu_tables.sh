#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: gpu_tables.sh [RESULTS [BUILD]]
# On a machine with an NVIDIA GPU, in less than eight minutes: builds what is needed (a C compiler and CMake will do),
# compares every CUDA kernel with the reference, looks for memory errors and races where compute-sanitizer is installed,
# and prints all speeds of docs/gpu.md. RESULTS (default gpu-tables) receives
#
#   machine.txt  tests.txt  sanitizer.txt  figures.jsonl (one line of bench_gpu each)  figures.txt  counters.txt
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
results=${1:-gpu-tables}
build=${2:-build-gpu-tables}
mkdir -p "$results"
export PATH=$PATH:/usr/local/cuda/bin

say() {
    printf '== %4d s  %s\n' "$SECONDS" "$*"
}

# ---- build. The tests are linked here, so that neither cmocka nor Python is needed.
cores=$(nproc)
link() {
    cc -O2 -std=c11 -Iinclude -Ilib -Itests -o "$build/$1" "tests/kernels/$1.c" tests/kernels/samples.c \
        "$build/libldpc_internal.a" -lpthread -lm -ldl
}
{
    cmake -B "$build" -DLDPC_GNURADIO=OFF -DLDPC_PYTHON=OFF -DLDPC_NVCC= &&
        cmake --build "$build" -j "$cores" --target ldpc_internal bench_gpu &&
        link test_kernels && link test_nb_kernels
} >"$results/build.txt" 2>&1 || {
    tail -20 "$results/build.txt"
    exit 1
}
bench=$(find "$build" -name bench_gpu -type f | head -1)
{
    nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,memory.total --format=csv
    grep -m1 'model name' /proc/cpuinfo
    date -u
} >"$results/machine.txt" 2>&1
say "built"

# ---- figures: LABEL TARGET(Gbit/s, us with 'latency', - for none) and the arguments of bench_gpu
figures() {
    cat <<'LIST'
wimax-i16          105  wimax:2304:1/2 auto i16 10 0 131072 device
wimax-i8           75   wimax:2304:1/2 auto i8 10 0 131072 device
wimax-host         45   wimax:2304:1/2 auto i16 10 0 10560 host
wimax-host-i8      45   wimax:2304:1/2 auto i8 10 0 10560 host
wimax-5/6          -    wimax:2304:5/6 auto i16 10 0 131072 device
wimax-offset       -    wimax:2304:1/2 auto i16 10 0 131072 device 1 offset
wimax-early        -    wimax:2304:1/2 auto i16 10 1 131072 device
wimax-early-50     -    wimax:2304:1/2 auto i16 50 1 131072 device
wimax-in-place     -    wimax:2304:1/2 straight48 i16 10 0 131072 device
wifi-i16           80   wifi:1944:1/2 auto i16 10 0 131070 device
wifi-i8            -    wifi:1944:1/2 auto i8 10 0 131070 device
wifi-host          45   wifi:1944:1/2 auto i16 10 0 10560 host
dvb-1/2-10         36   dvbs2:64800:1/2 auto i16 10 0 2112 device
dvb-1/2-20         19   dvbs2:64800:1/2 auto i16 20 0 2112 device
dvb-1/2-50         8    dvbs2:64800:1/2 auto i16 50 0 2112 device
dvb-1/2-50-i8      -    dvbs2:64800:1/2 auto i8 50 0 2112 device
dvb-1/2-50-early   -    dvbs2:64800:1/2 auto i16 50 1 2112 device
dvb-3/4-50         7.5  dvbs2:64800:3/4 auto i16 50 0 2112 device
dvb-5/6-50         7.5  dvbs2:64800:5/6 auto i16 50 0 2112 device
dvb-8/9-50         -    dvbs2:64800:8/9 auto i16 50 0 2112 device
dvb-9/10-50        -    dvbs2:64800:9/10 auto i16 50 0 2112 device
short-1/2-50       10   dvbs2:16200:1/2 auto i16 50 0 10560 device
short-1/2-50-i8    -    dvbs2:16200:1/2 auto i8 50 0 10560 device
short-1/2-99K      -    dvbs2:16200:1/2 straight99 i16 50 0 10560 device
nr-bg1             60   nr:bg1:384:16896 auto i16 10 0 10560 device
nr-bg1-offset      60   nr:bg1:384:16896 auto i16 10 0 10560 device 1 offset
nr-bg1-i8          -    nr:bg1:384:16896 auto i8 10 0 10560 device
nr-bg1-in-place    -    nr:bg1:384:16896 straight99 i16 10 0 10560 device
wimax-6-words      35   wimax:2304:1/2 auto i16 10 0 6 latency
wimax-264-words    -    wimax:2304:1/2 auto i16 10 0 264 latency
dvb-1-word         1000 dvbs2:64800:1/2 auto i16 20 0 1 latency
any-wimax          -    wimax:2304:1/2 any i16 10 0 33792 device
float-wimax        -    wimax:2304:1/2 float float 10 0 33792 device 1 corrected layered
float-spa-wimax    -    wimax:2304:1/2 float float 10 0 33792 device 1 sum-product layered
wang2013-wimax     4.9  wimax:2304:1/2 wang2013 float 10 0 33792 device 1 min-sum flooding
wang2013-wifi      3.3  wifi:1944:1/2 wang2013 float 10 0 33792 device 1 min-sum flooding
gf32-620           0.5  standin:gf32:620 auto i8 10 0 25344 device 1 min-max
gf32-620-early     -    standin:gf32:620 auto i8 10 1 25344 device 1 min-max
gf64-200           -    bds:b1c:200 auto i8 10 0 33792 device 1 min-max
gf64-200-min-sum   -    bds:b1c:200 auto i8 10 0 33792 device 1 min-sum
gf256-128          0.02 ccsds:nb:cnbpb:128 auto i8 10 0 16896 device 1 min-max
gf16-8000          0.6  random:8000:3:6:16 auto i8 10 0 16896 device 1 min-max
LIST
}

# figure LABEL TARGET ARGUMENTS: one line of JSON with label and target, or with the reason why there is none
figure() {
    local label=$1 target=$2 out
    shift 2
    if out=$(timeout 60 "$bench" "$@" 2>&1); then
        printf '{"label": "%s", "target": "%s", %s\n' "$label" "$target" "${out#\{}"
    else
        printf '{"label": "%s", "target": "%s", "failed": "%s"}\n' "$label" "$target" \
            "$(printf %s "$out" | tail -1 | tr -d '"\\')"
    fi
}

# Compile everything first, many at a time; the cache makes the measured runs short.
figures | while read -r _ _ code kernel arithmetic its early _ _ _ rest; do
    echo "$code $kernel $arithmetic $its $early 2 latency 0.001 $rest"
done | sort -u | xargs -P "$cores" -L 1 timeout 100 "$bench" >/dev/null 2>&1
say "kernels compiled"

: >"$results/figures.jsonl"
figures | while read -r line; do
    # shellcheck disable=SC2086
    figure $line </dev/null >>"$results/figures.jsonl"
done
say "figures"

awk -F'"' '
    function number(key,  at) {
        at = index($0, "\"" key "\": ")
        return at ? substr($0, at + length(key) + 4) + 0 : 0
    }
    BEGIN { printf "%-18s %12s %10s %12s %10s  %s\n", "work", "Gbit/s", "target", "p50 us", "create s", "" }
    {
        latency = /"transfers": "latency"/
        got = latency ? number("latency_us_p50") : number("coded_mbps") / 1000
        verdict = /"failed"/ ? "FAILED" : $8 == "-" ? "" : (latency ? got <= $8 : got >= $8) ? "reached" : "BELOW"
        printf "%-18s %12.2f %10s %12.1f %10.2f  %s\n", $4, number("coded_mbps") / 1000, $8,
            number("latency_us_p50"), number("create_s"), verdict
    }' "$results/figures.jsonl" | tee "$results/figures.txt"

# ---- every kernel against the reference, several codes at a time
codes="tiny irregular folded wide wimax:576:1/2 wimax:2304:1/2 wifi:648:1/2 wifi:1944:2/3 dvbt2:16200:1/2
    dvbs2:16200:8/9 ccsds:8160:7136 nr:bg1:384:16896 dvbs2:64800:1/4 dvbs2:64800:1/2 dvbs2:64800:3/4 dvbs2:64800:5/6
    dvbs2:64800:9/10"
# shellcheck disable=SC2086
printf '%s\n' $codes | xargs -P "$cores" -I{} timeout 170 sh -c \
    '"$1" --backend cuda --code "$2" --rounds 1 || echo "FAILED or out of time: $2"' sh "$build/test_kernels" {} \
    >"$results/tests.txt" 2>&1
larger="toy4 toy8 toy16 toy128 irregular bds:b1c:88 bds:b1c:200 standin:gf32:620 ccsds:nb:cnbpb:128"
# shellcheck disable=SC2086
printf '%s\n' $larger | xargs -P "$cores" -I{} timeout 170 sh -c \
    '"$1" --backend cuda --code "$2" || echo "FAILED or out of time: $2"' sh "$build/test_nb_kernels" {} \
    >>"$results/tests.txt" 2>&1
grep -c ' 0 failed$' "$results/tests.txt" | sed 's/$/ kernels and codes equal the reference/'
grep -i -E 'FAILED|out of time' "$results/tests.txt" | grep -v ' 0 failed$' | head -20
say "tests"

# ---- memory errors and races, small codes
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck; do
        for kernel in straight float any; do
            echo "== $tool $kernel"
            timeout 40 compute-sanitizer --tool "$tool" "$build/test_kernels" --backend cuda --kernel "$kernel" \
                --code wide --rounds 1 2>&1 | tail -3
        done
        echo "== $tool pairs"
        timeout 40 compute-sanitizer --tool "$tool" "$build/test_nb_kernels" --backend cuda --code irregular \
            --rounds 1 2>&1 | tail -3
    done >"$results/sanitizer.txt"
    cat "$results/sanitizer.txt"
    say "sanitizer"
else
    say "no compute-sanitizer"
fi

# ---- what holds the main ones: pipes, shared memory, L2, waits
if command -v ncu >/dev/null; then
    metrics=sm__inst_executed.avg.per_cycle_active,sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active
    metrics+=,sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active,sm__warps_active.avg.pct_of_peak_sustained_active
    metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed,lts__t_bytes.sum.per_second
    metrics+=,dram__bytes.sum.per_second
    for wait in barrier no_instruction short_scoreboard long_scoreboard wait math_pipe_throttle mio_throttle; do
        metrics+=,smsp__average_warps_issue_stalled_${wait}_per_issue_active.ratio
    done
    figures | grep -E '^(wimax-i16|wifi-i16|dvb-1/2-50|dvb-5/6-50|short-1/2-50|nr-bg1|gf32-620|gf256-128) ' | while read -r label _ args; do
        echo "== $label"
        # shellcheck disable=SC2086
        timeout 40 ncu --clock-control none -c 1 -s 2 --metrics "$metrics" "$bench" $args 0.001 2>&1 </dev/null |
            grep -E 'pct|ratio|per_cycle|second|rror' | sed 's/ \+/ /g'
    done >"$results/counters.txt"
    say "counters"
fi
