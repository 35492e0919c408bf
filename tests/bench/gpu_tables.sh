#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: gpu_tables.sh [RESULTS [BUILD [PARTS [TEST_SECONDS [BACKEND [FIGURES]]]]]]
# On a machine with an NVIDIA GPU, in about eight minutes: builds the programs (C compiler and CMake), compares every CUDA kernel and
# the noise of simulations with the reference, looks for memory errors and races (compute-sanitizer), and prints the speeds of
# docs/measurements/gpu.md. BACKEND opencl: only PARTS figures, tests and drawn. LDPC_SEED: first drawn code, default the date.
# FIGURES: regular expression for the labels below, default all. RESULTS (default gpu-tables) receives
#
#   machine.txt  tests.txt  tests/  drawn.txt  noise.txt  sanitizer.txt  figures.jsonl (one line of bench_gpu each)  figures.txt  counters.txt
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
results=${1:-gpu-tables}
build=${2:-build-gpu-tables}
backend=${5:-cuda}
cuda_parts="noise sanitizer counters"
kernels=. # all
labels=${6:-.}
[ "$backend" = opencl ] && cuda_parts= && kernels=' (any|float|straight|pairs) '
parts=${3:-figures tests drawn $cuda_parts}
figure_seconds=0.4
failed=0 # the exit status: 1 when a kernel or the noise differs from the reference, or compute-sanitizer has findings
test_seconds=${4:-160}
through=()
[ "$backend" = opencl ] && through=(--opencl)
mkdir -p "$results"
export PATH=$PATH:/usr/local/cuda/bin

wants() {
    [[ " $parts " == *" $1 "* ]]
}

say() {
    printf '== %4d s  %s\n' "$SECONDS" "$*"
}

# ---- build, without cmocka and Python. The kernels for comparison are linked before the archive, because they replace a file of it.
cores=$(nproc)
link() { # PROGRAM NAME OBJECTS...
    cc -O2 -std=c11 -Iinclude -Ilib -Itests -o "$build/$2" "tests/kernels/$1.c" tests/kernels/samples.c tests/kernels/draws.c \
        "${@:3}" "$build/libldpc_internal.a" -lpthread -lm -ldl
}
comparison() {
    link "$1" "$1" "$build"/tests/bench/comparison/CMakeFiles/ldpc_cuda_comparison.dir/*.o
}
{
    cmake -B "$build" -DLDPC_GNURADIO=OFF -DLDPC_PYTHON=OFF -DLDPC_NVCC= &&
        cmake --build "$build" -j "$cores" --target ldpc_internal ldpc_cuda_comparison bench_gpu noise &&
        comparison test_kernels && comparison test_nb_kernels && link test_kernels test_library_kernels
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

# ---- figures: LABEL TARGET(Gbit/s, us with 'latency', - for none) and the arguments of bench_gpu. X-three-min: X with this rule.
figures() {
    awk -v labels="$labels" '$1 !~ labels { next }
        { print }
        $1 ~ "^(wimax-i16|wifi-i16|dvb-(1/2|3/4|5/6)-50|short-1/2-50|nr-bg1)$" { $1 = $1 "-three-min"; $2 = "-"; sub(/ corrected$/, ""); print $0, "three-min" }' \
        <<'LIST'
wimax-i16          105  wimax:2304:1/2 auto i16 10 0 131072 device
wimax-i8           75   wimax:2304:1/2 auto i8 10 0 131072 device
wimax-host         45   wimax:2304:1/2 auto i16 10 0 10560 host
wimax-host-i8      45   wimax:2304:1/2 auto i8 10 0 10560 host
wimax-5/6          -    wimax:2304:5/6 auto i16 10 0 131072 device
wimax-offset       -    wimax:2304:1/2 auto i16 10 0 131072 device offset
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
nr-bg1             60   nr:bg1:384:16896 auto i16 10 0 10560 device corrected
nr-bg1-offset      60   nr:bg1:384:16896 auto i16 10 0 10560 device offset
nr-bg1-i8          -    nr:bg1:384:16896 auto i8 10 0 10560 device corrected
nr-bg1-in-place    -    nr:bg1:384:16896 straight99 i16 10 0 10560 device corrected
wimax-6-words      35   wimax:2304:1/2 auto i16 10 0 6 latency
wimax-264-words    -    wimax:2304:1/2 auto i16 10 0 264 latency
dvb-1-word         1000 dvbs2:64800:1/2 auto i16 20 0 1 latency
any-wimax          -    wimax:2304:1/2 any i16 10 0 33792 device
float-wimax        23   wimax:2304:1/2 float float 10 0 33792 device corrected layered
float-spa-wimax    8.3  wimax:2304:1/2 float float 10 0 33792 device sum-product layered
float-flood-wimax  -    wimax:2304:1/2 float float 10 0 33792 device corrected flooding
float-wifi         -    wifi:1944:1/2 float float 10 0 33792 device corrected layered
float-dvb          1    dvbs2:64800:1/2 float float 50 0 2112 device corrected layered
float-spa-dvb      0.5  dvbs2:64800:1/2 float float 50 0 2112 device sum-product layered
float-flood-dvb    -    dvbs2:64800:1/2 float float 50 0 2112 device corrected flooding
float-short        -    dvbs2:16200:1/2 float float 50 0 10560 device corrected layered
float-spa-short    -    dvbs2:16200:1/2 float float 50 0 10560 device sum-product layered
float-nr-bg1       -    nr:bg1:384:16896 float float 10 0 10560 device corrected layered
float-ethernet     -    ethernet:2048 float float 10 0 33792 device corrected layered
float-random       -    random:1200:3:6:2 float float 10 0 33792 device corrected layered
wang2013-wimax     4.9  wimax:2304:1/2 wang2013 float 10 0 33792 device min-sum flooding
wang2013-wifi      3.3  wifi:1944:1/2 wang2013 float 10 0 33792 device min-sum flooding
gf32-620           0.5  standin:gf32:620 auto i8 10 0 25344 device min-max
gf32-620-early     -    standin:gf32:620 auto i8 10 1 25344 device min-max
gf64-200           -    bds:b1c:200 auto i8 10 0 33792 device min-max
gf64-200-min-sum   -    bds:b1c:200 auto i8 10 0 33792 device min-sum
gf256-128          0.02 ccsds:nb:cnbpb:128 auto i8 10 0 16896 device min-max
gf16-8000          0.6  random:8000:3:6:16 auto i8 10 0 16896 device min-max
nr-bg1-1/3         -    nr:bg1:384:25344 auto i16 10 0 5280 device corrected
nr-bg1-z64         -    nr:bg1:64:4224 auto i16 10 0 42240 device corrected
nr-bg2             -    nr:bg2:384:11520 auto i16 10 0 10560 device corrected
nr-bg2-z64         -    nr:bg2:64:3200 auto i16 10 0 42240 device corrected
s2x-normal         -    dvbs2x:64800:100/180 auto i16 50 0 2112 device
s2x-medium         -    dvbs2x:32400:1/3 auto i16 50 0 4224 device
s2x-short          -    dvbs2x:16200:7/15 auto i16 50 0 10560 device
t2-short           -    dvbt2:16200:1/2 auto i16 50 0 10560 device
c2-9/10            -    dvbc2:64800:9/10 auto i16 50 0 2112 device
atsc3-a            -    atsc3:64800:4/15 auto i16 50 0 2112 device
atsc3-b            -    atsc3:64800:9/15 auto i16 50 0 2112 device
atsc3-short        -    atsc3:16200:8/15 auto i16 50 0 10560 device
ccsds-c2           -    ccsds:c2:8160 auto i16 10 0 21120 device corrected
ccsds-ar4ja        -    ccsds:ar4ja:1024:1/2 auto i16 10 0 65536 device corrected
ccsds-ar4ja-16384  -    ccsds:ar4ja:16384:1/2 auto i16 10 0 8448 device corrected
ccsds-tc           -    ccsds:tc:256 auto i16 10 0 131072 device corrected
wigig              -    wigig:672:1/2 auto i16 10 0 131072 device
ethernet           -    ethernet:2048 auto i16 10 0 33792 device corrected
LIST
}

# figure LABEL TARGET ARGUMENTS: one line of JSON with label and target, or with the reason of a failure
figure() {
    local label=$1 target=$2 out
    shift 2
    if out=$(timeout 60 "$bench" "${through[@]}" "${@:1:7}" "$figure_seconds" "${@:8}" 2>&1); then
        printf '{"label": "%s", "target": "%s", %s\n' "$label" "$target" "${out#\{}"
    else
        printf '{"label": "%s", "target": "%s", "failed": "%s"}\n' "$label" "$target" \
            "$(printf %s "$out" | tail -1 | tr -d '"\\')"
    fi
}

if wants figures; then
    # Compile everything first; the measured runs use the cache.
    figures | while read -r _ _ code kernel arithmetic its early _ _ rest; do
        echo "$code $kernel $arithmetic $its $early 2 latency 0.001 $rest"
    done | sort -u | xargs -P "$cores" -L 1 timeout 100 "$bench" "${through[@]}" >/dev/null 2>&1
    say "kernels compiled"

    : >"$results/figures.jsonl"
    figures | while read -r line; do
        # shellcheck disable=SC2086
        figure $line </dev/null >>"$results/figures.jsonl"
    done
    say "figures"

    # Rates per edge: coded bits per second, times edges per coded bit, times iterations. "of best": relative to the better of
    # wimax-i16 and dvb-1/2-50.
    awk -F'"' '
        function number(key,  at) {
            at = index($0, "\"" key "\": ")
            return at ? substr($0, at + length(key) + 4) + 0 : 0
        }
        BEGIN {
            printf "%-22s %12s %10s %12s %10s %10s %8s  %s\n", "work", "Gbit/s", "target", "p50 us", "create s",
                "Gedge/s", "of best", ""
        }
        {
            latency = /"transfers": "latency"/
            got = latency ? number("latency_us_p50") : number("coded_mbps") / 1000
            verdict = /"failed"/ ? "FAILED" : $8 == "-" ? "" : (latency ? got <= $8 : got >= $8) ? "reached" : "BELOW"
            edges = number("latency_us_p50") && !/"transfers": "host"/ ? number("edges") * number("batch") * number("iterations_mean") / number("latency_us_p50") / 1000 : 0
            rate[$4] = got
            corrected = $4
            if (sub(/-three-min$/, "", corrected) && rate[corrected] && !/"failed"/)
                verdict = sprintf("%.3f of corrected", got / rate[corrected])
            if (($4 == "wimax-i16" || $4 == "dvb-1/2-50") && edges > best)
                best = edges
            printf "%-22s %12.2f %10s %12.1f %10.2f %10.1f %8.2f  %s\n", $4, number("coded_mbps") / 1000, $8,
                number("latency_us_p50"), number("create_s"), edges, best ? edges / best : 0, verdict
        }' "$results/figures.jsonl" | tee "$results/figures.txt"
fi

# ---- every kernel against the reference: one task for each kernel and code, smaller layouts last
all_tasks() {
    local code kernel families="nr:bg1:384:25344 nr:bg1:384:16896 nr:bg2:384:11520 nr:bg1:56:3696 nr:bg2:15:750
        dvbt2:16200:1/2 dvbs2:16200:8/9 dvbs2x:32400:1/3 dvbs2x:14976:1/5 atsc3:16200:8/15 ccsds:c2:8160
        ccsds:ar4ja:1024:1/2 ccsds:ar4ja:16384:2/3 wimax:576:1/2 wimax:2304:1/2 wifi:648:1/2 wifi:1944:2/3
        wigig:672:13/16 ccsds:tc:256 wide folded"
    for code in toy4 toy8 toy16 toy128 irregular bds:b1c:88 bds:b1c:200 standin:gf32:620 ccsds:nb:cnbpb:128; do
        echo "test_nb_kernels pairs $code"
    done
    for code in atsc3:64800:6/15 dvbs2:64800:1/2 dvbs2x:64800:90/180 dvbs2:64800:3/4 dvbs2x:64800:154/180 dvbs2:64800:1/4 \
        atsc3:64800:10/15 dvbs2:64800:9/10 dvbs2x:61560:2/9; do
        echo "test_kernels dvb $code"
    done
    for code in $families; do
        echo "test_kernels straight $code"
    done
    for code in tiny irregular ethernet:2048 nr:bg1:2:132 nr:bg2:64:1024:512 wifi:648:1/2 ccsds:ar4ja:16384:1/2 \
        atsc3:64800:2/15 atsc3:64800:5/15 atsc3:64800:7/15 atsc3:16200:2/15 dense dense-cut; do
        echo "test_kernels chip $code"
    done
    for kernel in any float; do
        for code in dvbs2:64800:1/4 nr:bg1:384:16896 nr:bg2:64:1024:512 dvbs2x:15390:11/45 ccsds:ar4ja:1024:1/2 ethernet:2048 \
            atsc3:16200:2/15 wifi:1944:2/3 wigig:672:1/2 tiny irregular folded wide; do
            echo "test_kernels $kernel $code"
        done
    done
    for code in wimax:2304:1/2 wifi:1944:1/2 nr:bg2:64:3200 dvbs2:16200:1/2 wigig:672:1/2 folded wide; do
        echo "test_kernels wang2013 $code"
    done
    for kernel in straight99 straight48 straight64; do
        for code in $families; do
            echo "test_kernels $kernel $code"
        done
    done
}

tasks() {
    all_tasks | grep -E "$kernels"
}

# task NUMBER PROGRAM KERNEL CODE: writes the test's output to a file, and prints a line with its exit status. 124: timeout.
# Settings are random. If the kernel supports none of them, others are drawn.
task() {
    local seed status said="$results/tests/$1.txt"
    for seed in 1 2 3; do
        timeout 240 "$build/$2" --backend "$backend" --kernel "$3" --code "$4" --rounds 1 --seed "$seed" >"$said" 2>&1
        status=$?
        case $status in
        0 | 3) ! grep -q '[1-9][0-9]* batches compared' "$said" || break ;;
        *) break ;;
        esac
    done
    echo "$status $3 $4" >"$results/tests/$1.status"
}
export -f task
export build results backend
if wants tests; then
    rm -rf "$results/tests"
    mkdir -p "$results/tests"
    tasks | nl | timeout "$test_seconds" xargs -P "$cores" -L 1 bash -c 'task "$@"' task

    # A task that was killed or never began has no status.
    tasks | nl | while read -r number _ kernel code; do
        status=$(cut -d' ' -f1 "$results/tests/$number.status" 2>/dev/null)
        case $status in
        0) grep -q '[1-9][0-9]* batches compared.* 0 failed' "$results/tests/$number.txt" && verdict=passed || verdict=unsupported ;;
        3) verdict=unsupported ;;
        124 | '') verdict="out-of-time" ;;
        *) verdict=FAILED ;;
        esac
        echo "$verdict $kernel $code"
        [ "$verdict" = FAILED ] && tail -5 "$results/tests/$number.txt"
    done >"$results/tests.txt"
    for verdict in passed unsupported out-of-time FAILED; do
        printf '%4d %s\n' "$(grep -c "^$verdict " "$results/tests.txt")" "$verdict"
    done | tee -a "$results/tests.txt"
    grep -E '^(FAILED|out-of-time) ' "$results/tests.txt" | head -20
    grep -q '^FAILED ' "$results/tests.txt" && failed=1
    # Arrays of PyTorch and others on the GPU. LDPC_MODULES: folder of the built Python package.
    if [ -n "${LDPC_MODULES:-}" ]; then
        PYTHONPATH=$LDPC_MODULES timeout 100 python3 tests/device/device_arrays.py >"$results/device_arrays.txt" 2>&1 || failed=1
        tail -1 "$results/device_arrays.txt"
    fi
    say "tests"
fi

# ---- random codes, rules, arithmetics, schedules and outputs
# drawn PROCESS: the codes of one process; each core has a process
drawn() {
    timeout 450 "$build/test_library_kernels" --backend "$backend" --draw 500 --seed "$seed" --rounds 1 --part "$1/$cores" \
        >"$results/tests/drawn-$1.txt" 2>&1
    echo "$?" >"$results/tests/drawn-$1.status"
}
export -f drawn
export cores
if wants drawn; then
    export seed=${LDPC_SEED:-$(date +%Y%m%d)}
    mkdir -p "$results/tests"
    rm -f "$results"/tests/drawn-*
    {
        printf '%s 500 codes from drawn:mixed:%s on\n' "$backend" "$seed"
        seq "$cores" | xargs -P "$cores" -I{} bash -c 'drawn {}'
        timeout 100 "$build/test_nb_kernels" --backend "$backend" --draw 50 --seed "$seed" --rounds 1 >"$results/tests/drawn-nb.txt" 2>&1
        echo "$?" >"$results/tests/drawn-nb.status"
        cat "$results"/tests/drawn-*.txt | awk '/batches compared/ {
                compared[$2] += $(NF - 8); unsupported[$2] += $(NF - 5); failed[$2] += $(NF - 1) }
            /FAILED|repeat with/
            END { for (k in compared) printf "%-12s %4d codes compared, %4d not supported, %d failed\n", k, compared[k], unsupported[k], failed[k] }'
        cat "$results"/tests/drawn-*.status | sort | uniq -c | sed 's/^/processes, exit status:/'
    } | tee "$results/drawn.txt"
    grep -qvx 0 "$results"/tests/drawn-*.status && failed=1
    say "drawn"
fi

# ---- noise of the simulation, to the last bit
if wants noise; then
    timeout 100 "$build/tests/noise" 1e8 gpu | tee "$results/noise.txt"
    ((PIPESTATUS[0] == 0)) || failed=1
    say "noise"
fi

# ---- memory errors and races, small codes, all at once
# sanitize TOOL PROGRAM KERNEL CODE: writes the output to a file, and prints a line with the verdict and the tool's summary.
# Clean: the test has passed, and the summary counts no error.
sanitize() {
    local said="$results/tests/$1-$3.txt" verdict=FAILED status=0
    timeout 80 compute-sanitizer --tool "$1" "$build/$2" --backend cuda --kernel "$3" --code "$4" --rounds 1 \
        >"$said" 2>&1 || status=$?
    if [ "$status" = 124 ]; then
        verdict="out-of-time"
    elif [ "$status" = 0 ] && grep -qE 'SUMMARY: 0 (errors|hazards)' "$said"; then
        verdict=clean
    fi
    echo "$verdict $1 $3: $(grep -o "[A-Z]* SUMMARY.*" "$said" || echo "exit status $status")" >"$results/tests/$1-$3.verdict"
}
mkdir -p "$results/tests"
if wants sanitizer && command -v compute-sanitizer >/dev/null; then
    rm -f "$results"/tests/*.verdict
    for tool in memcheck racecheck; do
        for kernel in straight float any wang2013; do
            sanitize "$tool" test_kernels "$kernel" wide &
        done
        sanitize "$tool" test_kernels chip irregular &
        sanitize "$tool" test_kernels dvb dvbs2:64800:9/10 &
        sanitize "$tool" test_nb_kernels pairs toy4 &
        wait
    done
    cat "$results"/tests/*.verdict | tee "$results/sanitizer.txt"
    grep -q '^FAILED ' "$results/sanitizer.txt" && failed=1
    say "sanitizer"
elif wants sanitizer; then
    say "no compute-sanitizer"
fi

# ---- limits of the main kernels: pipes, shared memory, L2, waits
if wants counters && command -v ncu >/dev/null; then
    metrics=sm__inst_executed.avg.per_cycle_active,sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active
    metrics+=,sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active,sm__warps_active.avg.pct_of_peak_sustained_active
    metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed,lts__t_bytes.sum.per_second
    metrics+=,dram__bytes.sum.per_second
    for wait in barrier no_instruction short_scoreboard long_scoreboard wait math_pipe_throttle mio_throttle; do
        metrics+=,smsp__average_warps_issue_stalled_${wait}_per_issue_active.ratio
    done
    figures | grep -E '^(wimax-i16|wifi-i16|dvb-1/2-50|dvb-5/6-50|short-1/2-50|nr-bg1|gf32-620|gf256-128) ' |
        while read -r label _ code kernel arithmetic its early words transfers rest; do
        echo "== $label"
        # shellcheck disable=SC2086
        timeout 40 ncu --clock-control none -c 1 -s 2 --metrics "$metrics" "$bench" "$code" "$kernel" "$arithmetic" \
            "$its" "$early" "$words" "$transfers" 0.001 $rest 2>&1 </dev/null |
            grep -E 'pct|ratio|per_cycle|second|rror' | sed 's/ \+/ /g'
    done >"$results/counters.txt"
    say "counters"
fi
((failed == 0))
