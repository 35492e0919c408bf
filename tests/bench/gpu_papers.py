#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the tables and figures of papers about LDPC decoding on GPUs. Takes two minutes.

  Wang 2013      tables II to IV, several GPUs, gain of each step
  Wang 2011      tables II and III, figure 2
  Grönroos 2012  tables 2 and 3

Also measures the cost per codeword over the batch size. Results are written as Markdown, JSON and plots.

  build/bin/ldpc-python tests/bench/gpu_papers.py --json papers.json --plots docs/images
  build/bin/ldpc-python tests/bench/gpu_papers.py --only scaling

build/tests/bench_gpu has the kernel of Wang 2013 and breadth-first order (`cmake --build build --target bench_gpu`).
"""
import contextlib
import datetime
import itertools
import json
import subprocess
import sys
import tempfile
import threading
import time
from concurrent import futures
from pathlib import Path

import click
import numpy as np
from rich.console import Console

import libldpc
from libldpc.tools import gpu, speed, tuning

WIMAX, WIFI, DVB = "wimax:2304:1/2", "wifi:1944:1/2", "dvbt2:64800:1/2"
WANG = dict(kernel="wang2013", arithmetic="float", algorithm="min-sum", schedule="flooding")  # for Bench.program()
FULL = {WIMAX: 67584, WIFI: 67584, DVB: 2112}  # codewords that occupy the GPU for at least a millisecond
BATCH = 10560  # codewords of a batch with transfers
EBN0 = 2.5
GRONROOS_BATCH = 128

WANG2013_TABLE2 = {(WIMAX, 5): 621.38, (WIMAX, 10): 316.07, (WIMAX, 15): 204.88,
                   (WIFI, 5): 490.01, (WIFI, 10): 236.70, (WIFI, 15): 154.30}
WANG2013_TABLE3 = {50: (0.207, 62.50), 100: (0.236, 110.25), 150: (0.273, 155.43), 200: (0.335, 201.39),
                   250: (0.426, 253.36), 300: (1.266, 304.16)}
MORE_GOALS = (1000, 5000, 10000, 20000, 40000)
WANG2013_TABLE4 = (("Falcão 2011, 8800 GTX", 16, 14.6, 1.12), ("Ji 2010, GTX 280", 1, 1.28, 1.8), ("Wang 2011, GTX 470", 300, 52.15, 13.25),
                   ("Abburi 2011, 9800 GTX, 5 iterations", 256, 160, 3.69), ("Falcão 2012, HD 5870", 500, 209, 19.13),
                   ("Falcão 2013, M2050, n = 64800", 16, 55, 18.85), ("Wang 2013, GTX Titan", 6, 62.50, 0.207),
                   ("Wang 2013, GTX Titan", 12, 110.25, 0.236), ("Wang 2013, GTX Titan", 14, 201.39, 0.335),
                   ("Wang 2013, GTX Titan", 50, 304.16, 1.266))
WANG2011_TABLE3 = {"WiFi": 39.01, "WiMAX": 48.74, "A": 48.96, "B": 47.27, "C": 49.35, "D": 48.21}
WANG2011_SIZES = {"A": 128, "B": 256, "C": 512, "D": 1024}
GRONROOS = {(64800, "1/2"): (163.4, 112.5, 69.3), (64800, "3/4"): (164.1, 112.9, 69.5), (64800, "5/6"): (157.2, 107.9, 66.4),
            (16200, "1/2"): (186.1, 128.6, 79.5), (16200, "3/4"): (192.4, 133.1, 82.4), (16200, "5/6"): (189.6, 131.2, 81.2)}
ITERATIONS_GRONROOS = (20, 30, 50)


class Bench:
    """Measures decoders on one open GPU, and collects the results."""

    def __init__(self, seconds, cache_dir, bench_gpu):
        self.seconds, self.cache_dir, self.rows, self.llrs, self.device = seconds, cache_dir, [], {}, gpu.Device(0)
        self.bench_gpu = bench_gpu

    def decoder(self, code, **options):
        decoder = libldpc.decoder(code, **{"backend": "cuda", "max_iterations": 10, "early_stop": False, "packed": True, "streams": 3,
                                           "cache_dir": self.cache_dir, **options})
        decoder.wait_kernel()
        return decoder

    def words(self, code, count):
        if isinstance(code, str):
            code = libldpc.code(code)
        if code.n not in self.llrs or self.llrs[code.n][0] != code.name:
            self.llrs[code.n] = code.name, libldpc.noisy_frames(code, EBN0, count=max(16, min(speed.DISTINCT, 1000000 // code.n)))[1]
        return np.resize(self.llrs[code.n][1], (count, code.n))

    def note(self, table, decoder, words, transfers, result, **more):
        row = {"table": table, "code": decoder.code.name, "kernel": decoder.kernel, "algorithm": decoder.algorithm,
               "arithmetic": decoder.arithmetic, "schedule": decoder.schedule, "iterations": decoder.max_iterations,
               "early_stop": decoder.early_stop, "batch": words, "n_cw": decoder.lanes, "n_mcw": -(-words // decoder.lanes),
               "streams": decoder.depth, "transfers": transfers, "device": gpu.name_of(), **result, **more}
        self.rows.append(row)
        return row

    def on_device(self, table, code, words, decoder=None, seconds=None, **options):
        decoder = decoder or self.decoder(code, max_batch=words, streams=1, **options)
        result, _ = speed.on_device(decoder, self.device, self.words(code, words), seconds or self.seconds, words)
        return self.note(table, decoder, words, "device", result)

    def stream(self, table, code, words, pinned=True, decoder=None, **options):
        decoder = decoder or self.decoder(code, max_batch=words, **options)
        result = speed.stream(decoder, self.words(code, words), self.seconds, words, pinned)
        return self.note(table, decoder, words, "host", result, pinned=pinned)

    def calls(self, table, code, words, pinned=True, decoder=None, seconds=None, **options):
        decoder = decoder or self.decoder(code, **{"max_batch": words, "streams": 1, **options})
        result = speed.calls(decoder, self.words(code, words), seconds or self.seconds, words, pinned)
        return self.note(table, decoder, words, "host", result, pinned=pinned, call=True)

    def program(self, table, code, words, transfers, iterations=10, seconds=None, kernel="auto", arithmetic="i16", algorithm="auto",
                schedule="auto", streams=0):
        """Measures a kernel with bench_gpu, for comparison."""
        with contextlib.ExitStack() as stack:
            name = code
            if not isinstance(code, str):
                file = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".qc"))
                file.write(code.to_qc())
                file.flush()
                name = f"qc:{file.name}"
            command = [self.bench_gpu, name, kernel, arithmetic, iterations, 0, words, transfers, seconds or self.seconds, algorithm,
                       schedule, streams]
            result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        if result.returncode:
            raise RuntimeError(result.stderr.strip() or f"bench_gpu: exit status {result.returncode}")
        row = {"table": table, **json.loads(result.stdout)}
        if not isinstance(code, str):
            row["code"] = code.name
        self.rows.append(row)
        return row


def mbps(row):
    return f"{row['coded_mbps']:,.0f}".replace(",", " ")


def table(title, headings, rows):
    print(f"\n{title}\n\n| {' | '.join(headings)} |\n|{'---|' * len(headings)}")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |")
    sys.stdout.flush()


# ---- Wang 2013

def wang2013_table2(bench):
    """Measures kernel "wang2013" with the batch sizes of the paper. Also measures kernel "straight"."""
    rows = []
    for code in (WIMAX, WIFI):
        host = bench.decoder(code, max_batch=BATCH)
        device = bench.decoder(code, max_batch=FULL[code], streams=1)
        for iterations in (5, 10, 15):
            for decoder in (host, device):
                decoder.max_iterations = iterations
            rows.append([code, iterations, WANG2013_TABLE2[code, iterations], mbps(bench.program("wang2013-2", code, 80, "host", iterations, streams=16, **WANG)),
                         mbps(bench.program("wang2013-2", code, 33792, "device", iterations, **WANG)),
                         mbps(bench.stream("wang2013-2", code, BATCH, decoder=host)),
                         mbps(bench.on_device("wang2013-2", code, FULL[code], decoder=device))])
    table("Wang 2013, table II: coded Mbit/s", ["code", "iterations", "paper", "kernel `wang2013`, 16 streams of 80 codewords, host",
                                                "`wang2013`, device", "`straight`, host", "`straight`, device"], rows)


def wang2013_table3(bench):
    """Finds the lowest latency for a given throughput."""
    known = {}

    def measure(point):
        key = (point["batch"], point["streams"])
        if key not in known:
            run = bench.calls if point["streams"] == 1 else bench.stream
            known[key] = run("wang2013-3", WIMAX, point["batch"], streams=point["streams"])
        return known[key]["coded_mbps"], known[key]["latency_us_p50"]

    space = {"batch": [1, 2, 4, 6, 8, 12, 16, 32, 64, 128, 264, 528, 1056, 2112, 5280, 10560], "streams": [1, 2, 3, 4]}
    rows, start = [], {"batch": 1, "streams": 1}
    for goal in (*WANG2013_TABLE3, *MORE_GOALS):
        point, (rate, latency) = tuning.search(measure, space, start, goal)
        start = point
        paper = WANG2013_TABLE3.get(goal, ("", ""))
        reached = "" if rate >= goal else " (not reached)"
        rows.append([goal, *paper, point["streams"], point["batch"], f"{latency / 1000:.3f}", f"{rate:.0f}{reached}"])
    table(f"Wang 2013, table III: lowest latency for a goal, {WIMAX}, 10 iterations ({len(known)} points measured)",
          ["goal, Mbit/s", "paper, ms", "paper, Mbit/s", "streams", "codewords of a batch", "ms", "Mbit/s"], rows)


def wang2013_table4(bench):
    rows = [[who, words, rate, latency] for who, words, rate, latency in WANG2013_TABLE4]
    for code, counts in ((WIMAX, (1, 6, 12, 14, 50, 300, 1056)), (DVB, (16,))):
        for words in counts:
            row = bench.calls("wang2013-4", code, words)
            rows.append([f"here, {code}", words, mbps(row), f"{row['latency_us_p50'] / 1000:.3f}"])
    table("Wang 2013, table IV: 10 iterations, one call at a time", ["decoder", "codewords", "coded Mbit/s", "ms"], rows)


def gains(bench):
    """Measures the speed without each optimisation."""
    def host(**options):
        return bench.stream("gains", WIMAX, BATCH, **options)

    def device(words=FULL[WIMAX], **options):
        return bench.on_device("gains", WIMAX, words, **options)

    best = host()
    rows = [("all of them", best), ("one stream: copies and kernels in turn", host(streams=1)), ("two streams", host(streams=2)),
            ("eight streams", host(streams=8)), ("bits one per byte", host(packed=False)), ("ordinary memory", host(pinned=False)),
            ("ordinary memory, bits one per byte", host(pinned=False, packed=False))]
    for streams, label in ((4, "one call, 4 streams"), (8, "one call, 8 streams")):
        rows += [(f"{label}, depth first", bench.calls("gains", WIMAX, 4 * BATCH, streams=streams)),
                 (f"{label}, breadth first", bench.program("gains", WIMAX, 4 * BATCH, "breadth", streams=streams))]
    table("Gain of each step, WiMAX 1/2, 10 iterations, host to host", ["", "coded Mbit/s", "of the best", "ms of a batch"],
          [[label, mbps(row), f"{100 * row['coded_mbps'] / best['coded_mbps']:.0f} %", f"{row['latency_us_p50'] / 1000:.3f}"]
           for label, row in rows])
    best = device()
    rows = [("`straight`, i16, layered", best), ("early stop", device(early_stop=True)), ("i8", device(arithmetic="i8")),
            ("offset min-sum", device(algorithm="offset")), ("posteriors in place", bench.program("gains", WIMAX, FULL[WIMAX], "device", kernel="straight48")),
            ("`any`, i16, layered", device(33792, kernel="any")), ("`float`, layered", device(33792, kernel="float", arithmetic="float")),
            ("`float`, flooding", device(33792, kernel="float", arithmetic="float", schedule="flooding")),
            ("`wang2013`, float, flooding", bench.program("gains", WIMAX, 33792, "device", **WANG))]
    table(f"Kernels and early stop (Eb/N0 {EBN0} dB), WiMAX 1/2, 10 iterations, device", ["", "coded Mbit/s", "times"],
          [[label, mbps(row), f"{row['coded_mbps'] / best['coded_mbps']:.2f}"] for label, row in rows])


# ---- Wang 2011

def lifted(code, size):
    """Returns the base matrix for another lifting size, with shifts scaled as in 802.16e."""
    lines = libldpc.code(code).to_qc().splitlines()
    columns, rows, old = (int(word) for word in lines[0].split())
    cells = [" ".join("-1" if cell == "-1" else str(int(cell) * size // old) for cell in line.split()) for line in lines[1:]]
    return libldpc.code.from_qc("\n".join([f"{columns} {rows} {size}", *cells]) + "\n")


def wang2011_codes():
    return {"WiFi": WIFI, "WiMAX": WIMAX, **{name: lifted(WIMAX, size) for name, size in WANG2011_SIZES.items()}}


def wang2011_tables(bench):
    rows = []
    for name, code in wang2011_codes().items():
        made = libldpc.code(code) if isinstance(code, str) else code
        words = max(132, int(1.5e8 / made.n) // 132 * 132)
        device = bench.on_device("wang2011", code, words)
        host = bench.stream("wang2011", code, max(132, int(24e6 / made.n) // 132 * 132))
        theirs = "-"
        with contextlib.suppress(RuntimeError):
            theirs = mbps(bench.program("wang2011", code, max(132, words // 4), "device", **WANG))
        rows.append([name, made.n, made.edges, device["kernel"], device["n_cw"], device["n_mcw"], WANG2011_TABLE3[name], theirs,
                     mbps(host), mbps(device)])
    table("Wang 2011, tables II and III: 10 iterations, coded Mbit/s",
          ["code", "n", "edges", "kernel", "N_CW", "N_MCW", "paper", "`wang2013`, device", "host", "device"], rows)


def workload(bench):
    """Measures figure 2, and the time per codeword for batches of 1 to 10 000 codewords."""
    counts = (1, 2, 4, 8, 16, 32, 64, 132, 200, 264, 400, 528, 792, 1056, 1320, 2112, 2640, 3960, 5280, 10000)
    for code, iterations in ((WIMAX, 10), (WIFI, 10), (DVB, 20)):
        most = counts[-1] if code != DVB else 1056
        device, call = (bench.decoder(code, max_batch=most, streams=streams, max_iterations=iterations) for streams in (1, 3))
        for words in counts:
            if words <= most:
                bench.on_device("workload", code, words, device, 0.3 * bench.seconds)
                bench.calls("workload", code, words, True, call, 0.3 * bench.seconds)
    for words in counts:
        bench.program("workload", WIMAX, words, "device", seconds=0.3 * bench.seconds, **WANG)
    curves = curves_of(bench.rows)
    rows = [[words] + [next((f"{row['latency_us_p50']:.0f} / {row['coded_mbps'] / 1000:.2f}" for row in rows if row["batch"] == words), "")
                       for rows in curves.values()] for words in counts]
    table("Codewords decoded at once: microseconds / Gbit/s", ["codewords", *(f"{code}, {how}" for code, how in curves)], rows)


def curves_of(rows):
    """Returns the rows of each curve. The key is (code, kernel or place of the data)."""
    curves = {}
    for row in rows:
        if row["table"] == "workload":
            how = "wang2013" if row["kernel"] == "wang2013" else row["transfers"]
            curves.setdefault((row["code"], how), []).append(row)
    return curves


# ---- Grönroos 2012

def gronroos(bench):
    """Measures batches of 128 codewords, as in the paper, and batches that fill this GPU."""
    rows = []
    for (n, rate), paper in GRONROOS.items():
        code = f"dvbt2:{n}:{rate}"
        full = 2112 if n == 64800 else 10560
        call = bench.decoder(code, max_batch=GRONROOS_BATCH, streams=3)
        device = bench.decoder(code, max_batch=full, streams=1)
        cells = []
        for iterations, theirs in zip(ITERATIONS_GRONROOS, paper):
            call.max_iterations = device.max_iterations = iterations
            at_once = bench.calls("gronroos", code, GRONROOS_BATCH, decoder=call)
            cells += [theirs, mbps(at_once), mbps(bench.on_device("gronroos", code, full, decoder=device))]
        rows.append([n, rate, *cells])
    table("Grönroos 2012, tables 2 and 3: coded Mbit/s; paper, 128 codewords host to host, a full GPU device to device",
          ["n", "rate", *(f"{iterations}, {what}" for iterations in ITERATIONS_GRONROOS for what in ("paper", "128 codewords", "full"))], rows)


# ---- several GPUs

def run_together(works):
    """Starts all threads at once. Returns the seconds until the last thread has ended."""
    gate = threading.Barrier(len(works) + 1)

    def run(work):
        gate.wait()
        work()

    with futures.ThreadPoolExecutor(len(works)) as pool:
        done = [pool.submit(run, work) for work in works]
        gate.wait()
        start = time.perf_counter()
        for future in done:
            future.result()
        return time.perf_counter() - start


def together_on_device(bench, code, iterations, words, count):
    """Returns the coded Mbit/s of all GPUs together. Each GPU has a decoder with its own thread and LLRs."""
    decoders = [bench.decoder(code, max_iterations=iterations, max_batch=words, streams=1, devices=str(number)) for number in range(count)]
    llrs, size = bench.words(code, words), words * (-(-decoders[0].k // 8))
    with contextlib.ExitStack() as stack:
        devices = [stack.enter_context(gpu.Device(number)) for number in range(count)]
        places = [(device.put(llrs), device.room(size)) for device in devices]

        def work(i, rounds):
            for _ in range(rounds):
                decoders[i].decode_device(*places[i], words, stream=devices[i].stream)
            devices[i].wait()

        def seconds(rounds):
            return run_together([lambda i=i: work(i, rounds) for i in range(count)])

        rounds = max(4, int(1.5 * bench.seconds / (seconds(2) / 2)))
        best = min(seconds(rounds) for _ in range(3))
    return count * rounds * words * decoders[0].n / best / 1e6


def scaling(bench):
    """Measures 1, 2, 4 and 8 GPUs. For data in GPU memory, each GPU has a decoder. For data in host memory, one decoder uses all GPUs."""
    present = gpu.count()
    counts = [count for count in (1, 2, 4, 8) if count <= present]
    rows, first = [], {}
    for code, iterations, batch in ((WIMAX, 10, BATCH), (DVB, 20, 528)):
        for count in counts:
            device = together_on_device(bench, code, iterations, FULL[code], count)
            host = bench.stream("scaling", code, batch, devices=",".join(map(str, range(count))), max_iterations=iterations)
            host["gpus"] = count
            first.setdefault(code, (device, host["coded_mbps"]))
            bench.rows.append({"table": "scaling", "code": code, "gpus": count, "transfers": "device", "coded_mbps": device})
            rows.append([code, count, f"{device:,.0f}", f"{device / first[code][0]:.2f}", mbps(host), f"{host['coded_mbps'] / first[code][1]:.2f}"])
    table("Several GPUs, coded Mbit/s (paper, four GTX Titan, WiMAX: 1250, 3.95 times one)",
          ["code", "GPUs", "device", "times", "host", "times"], rows)


# ---- plots

def axes_of(**labels):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    axes.set(**labels)
    axes.grid(True, which="both", alpha=0.3)
    return figure, axes


def draw_workload(path, curves, device):
    figure, axes = axes_of(xlabel="codewords decoded at once", ylabel="coded Gbit/s", yscale="log", title=f"Throughput and workload, {device}")
    for (code, how), rows in curves.items():
        shown = [row for row in rows if row["batch"] <= 4000]
        axes.plot([row["batch"] for row in shown], [row["coded_mbps"] / 1000 for row in shown], ".-" if how == "device" else ".--",
                  label=f"{code}, {how}")
    axes.axhline(0.0487, color="0.4", linestyle=":", label="Wang 2011, GTX 470, WiMAX: flat from 224 codewords on")
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=110, bbox_inches="tight")


def draw_cost(path, curves, device):
    figure, axes = axes_of(xlabel="codewords decoded at once", ylabel="microseconds per codeword", xscale="log", yscale="log",
                           title=f"Cost of a word, {device}")
    for (code, how), rows in curves.items():
        axes.plot([row["batch"] for row in rows], [row["latency_us_p50"] / row["batch"] for row in rows], ".-" if how == "device" else ".--",
                  label=f"{code}, {how}")
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=110, bbox_inches="tight")


def draw_scaling(path, rows, device):
    """Plots speed over the number of GPUs."""
    counts = sorted({row["gpus"] for row in rows})
    figure, axes = axes_of(xlabel="GPUs", ylabel="coded Gbit/s", xscale="log", yscale="log", title=f"Several GPUs, {device}")
    for code, transfers in itertools.product((WIMAX, DVB), ("device", "host")):
        rates = [row["coded_mbps"] / 1000 for row in rows if (row["code"], row["transfers"]) == (code, transfers)]
        axes.plot(counts, rates, "o-" if transfers == "device" else "s--", label=f"{code}, {transfers}: {rates[-1] / rates[0]:.2f} times")
    axes.plot((1, 4), (0.316, 1.25), "k^:", label="Wang 2013, GTX Titan, WiMAX: 3.95 times")
    axes.set_xticks(counts, counts)
    axes.minorticks_off()
    axes.legend(fontsize="small", loc="center right")
    figure.savefig(path, dpi=110, bbox_inches="tight")


def draw(facts, folder):
    """Draws each plot whose rows exist."""
    curves, scaled = curves_of(facts["rows"]), [row for row in facts["rows"] if row["table"] == "scaling"]
    if curves:
        draw_workload(folder / "gpu_workload.png", curves, facts["device"])
        draw_cost(folder / "gpu_cost_per_word.png", curves, facts["device"])
    if {row["gpus"] for row in scaled} > {1}:
        draw_scaling(folder / "gpu_scaling.png", scaled, facts["device"])


# ---- the program

def compile_all(bench):
    """Compiles kernels in parallel."""
    codes = [*wang2011_codes().values(), DVB, *(f"dvbt2:{n}:{rate}" for n, rate in GRONROOS)]
    wanted = [(code, {}) for code in codes]
    wanted += [(WIMAX, options) for options in (dict(early_stop=True), dict(arithmetic="i8"), dict(algorithm="offset"), dict(kernel="any"),
                                                dict(kernel="float", arithmetic="float"))]

    def make(work):
        with contextlib.suppress(RuntimeError):
            bench.decoder(work[0], max_batch=2, streams=1, **work[1])

    with futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(make, wanted))


TABLES = {
    "wang2013-2": wang2013_table2,
    "wang2013-3": wang2013_table3,
    "wang2013-4": wang2013_table4,
    "gains": gains,
    "wang2011": wang2011_tables,
    "workload": workload,
    "gronroos": gronroos,
    "scaling": scaling,
}


def facts_of(bench):
    return {"device": gpu.name_of(), "gpus": gpu.count(), "date": str(datetime.date.today()), "version": libldpc.__version__,
            "rows": bench.rows}


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--only", type=click.Choice(list(TABLES)), multiple=True, help="Only these.")
@click.option("--seconds", type=click.FloatRange(0.001, 60), default=0.15, help="Time for each measurement.")
@click.option("--bench-gpu", type=click.Path(dir_okay=False, exists=True), default="build/tests/bench_gpu", help="The program.")
@click.option("--cache-dir", type=click.Path(file_okay=False), help="Folder of compiled kernels.  [default: a new one]")
@click.option("--json", "json_file", type=click.Path(dir_okay=False), help="Write all measurements there.")
@click.option("--plots", type=click.Path(file_okay=False, exists=True, path_type=Path), help="Draw the figures in this folder.")
@click.option("--draw", "drawn", type=click.File(), help="Measure nothing: draw what this JSON file has.")
def main(only, seconds, bench_gpu, cache_dir, json_file, plots, drawn):
    console = Console(stderr=True)
    if drawn:
        draw(json.load(drawn), plots or Path("."))
        return
    missing = libldpc.backends().get("cuda", "backend cuda is not in this build")
    if missing:
        console.print(missing, highlight=False)
        sys.exit(1)
    print(f"{gpu.count()} x {gpu.name_of()}, {tuning.cpu_name()}, {datetime.date.today()}, libldpc {libldpc.__version__}", flush=True)
    begin, failed = time.monotonic(), False
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(seconds, cache_dir or folder, bench_gpu)
        if set(only) - {"scaling", "wang2013-3"} or not only:
            compile_all(bench)
        for name, measure in TABLES.items():
            if only and name not in only:
                continue
            try:
                measure(bench)
            except (RuntimeError, MemoryError) as error:
                console.print(f"{name}: {error}", highlight=False)
                failed = True
            console.print(f"{name}: done after {time.monotonic() - begin:.0f} s", highlight=False)
            if json_file:
                Path(json_file).write_text(json.dumps(facts_of(bench), indent=1) + "\n", encoding="utf-8")
        if plots:
            draw(facts_of(bench), plots)
    sys.exit(failed)


if __name__ == "__main__":
    main()
