#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the tables of docs/measurements/cpu.md and docs/measurements/papers.md for this machine, as Markdown.

The tables contain the best run of each case. The speed of kernels is given relative to roof.c.

  build/bin/ldpc-python tests/bench/cpu_tables.py                      everything, some minutes
  build/bin/ldpc-python tests/bench/cpu_tables.py --only kernels
  build/bin/ldpc-python tests/bench/cpu_tables.py --only scaling --plot docs/images/gronroos_threads.png
"""
import datetime
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import click
import numpy as np

import libldpc

HERE = Path(__file__).parent
MAIN_CODES = (("wimax:2304:1/2", 10), ("wifi:1944:1/2", 10), ("dvbt2:64800:1/2", 20), ("dvbt2:64800:1/2", 50),
               ("dvbt2:64800:3/4", 20), ("dvbt2:64800:5/6", 20), ("dvbt2:16200:1/2", 20))
OTHER_CODES = (("nr:bg1:384:25344", 10), ("nr:bg2:96:4800", 10), ("ccsds:c2:8176", 10), ("ccsds:ar4ja:4096:1/2", 10),
               ("ccsds:tc:512", 10), ("ethernet:2048", 10), ("alist", 10))
STOP_CODES = MAIN_CODES + (("wimax:2304:5/6", 10), ("wifi:1944:5/6", 10), ("ccsds:c2:8176", 10), ("ccsds:tc:512", 10))
# (code, maximum iterations, Eb/N0 in dB for FER 1e-2, Eb/N0 in dB for FER 1e-3)
CONVERGING = (("wimax:2304:1/2", 10, 1.88, 2.08), ("wifi:1944:1/2", 10, 1.85, 2.08), ("wifi:648:1/2", 10, 2.18, 2.6),
              ("nr:bg2:52:2600", 10, 1.4, 1.64), ("ccsds:tc:512", 20, 2.83, 3.15), ("ccsds:tc:128", 20, 3.7, 4.4))
CONVERGING_LLRS = 2 ** 18  # per batch
RULES = (("corrected", "i8", "layered"), ("corrected", "i8", "flooding"), ("corrected", "i16", "layered"),
         ("corrected", "i16", "flooding"), ("corrected", "float", "layered"), ("corrected", "float", "flooding"),
         ("sum-product", "float", "layered"), ("sum-product", "float", "flooding"))
THREE_CODES = ("wimax:2304:1/2", "wifi:1944:1/2", "dvbt2:16200:1/2", "dvbt2:16200:3/4", "dvbt2:64800:1/2", "dvbt2:64800:3/4",
               "dvbt2:64800:5/6")
REGISTERS = {"avx512": 64, "avx2": 32, "sse41": 16, "neon": 16}
ROOF_FLAGS = {"avx512": "-mavx512bw", "avx2": "-mavx2", "sse41": "-msse4.1"}
WANTED = 85  # percent of roof x lane fill
TABLES = []  # printed tables, for --json
T2_MBPS = 60.3  # 8 MHz, 32K carriers, 256-QAM, guard interval 1/128: coded bits of the data cells


def cores():
    """Returns the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def cpu_name():
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def random_code():
    """Returns a random regular code without structure: 4096 columns of weight 3, checks of degree 6."""
    rng, n = np.random.default_rng(1), 4096
    while True:
        columns = np.array([rng.permutation(n) for _ in range(3)]).reshape(n // 2, 6)
        if all(len(set(row)) == 6 for row in columns):
            return libldpc.code.from_edges(n // 2, n, np.repeat(np.arange(n // 2), 6), columns.ravel())


class Case:
    """A decoder, its codewords, and the time of its best run."""

    def __init__(self, name, iterations, words=1, threads=1, early_stop=False, ebn0=2.5, algorithm="corrected", **options):
        code = random_code() if name == "alist" else libldpc.code(name)
        self.name, self.iterations, self.threads, self.best = name, iterations, threads, np.inf
        self.decoder = libldpc.decoder(code, max_iterations=iterations, early_stop=early_stop, threads=threads, algorithm=algorithm, **options)
        self.words = words or max(self.decoder.good_batch, threads)
        self.edges = code.edges
        _, self.llrs = libldpc.noisy_frames(code, ebn0, count=self.words)

    def run(self, seconds):
        self.best = min(self.best, float(self.decoder.time(self.llrs, seconds, codewords=self.words).min()))

    @property
    def mbps(self):
        return 1e-6 * self.words * self.decoder.n / self.best

    @property
    def edge_rate(self):
        return self.words * self.edges * self.iterations / self.best

    def lane_fill(self, register):
        """Returns the fraction of used lanes in a register. If the code has no circulants, a single codeword uses all lanes, because a
        register then holds several rows."""
        lanes = self.decoder.code.lifting_size * self.words
        if lanes == 1:
            return 1.0
        return lanes / (register * -(-lanes // register))


class Roof:
    """Runs roof.c for a kernel. Keeps the edge-lanes per second and the clock frequency of the best run."""

    def __init__(self, kernel, folder):
        self.program, self.edges, self.clock = folder / kernel, 0.0, 0.0
        subprocess.run(["cc", "-O3", ROOF_FLAGS[kernel], HERE / "roof.c", "-o", self.program], check=True)

    def run(self, _seconds):
        _, edges, clock = (float(x) for x in subprocess.run([self.program], check=True, capture_output=True).stdout.split())
        self.edges, self.clock = max(self.edges, edges), max(self.clock, clock)


def take_turns(cases, seconds, rounds):
    for _ in range(rounds):
        for case in cases:
            case.run(seconds)


def table(title, headings, rows):
    TABLES.append({"title": title, "headings": headings, "rows": rows})
    print(f"\n{title}\n\n| {' | '.join(headings)} |\n|{'---|' * len(headings)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    sys.stdout.flush()


def make(name, iterations, **options):
    """Returns a case, or None if the kernel does not support the code."""
    try:
        return Case(name, iterations, **options)
    except RuntimeError:
        return None


def kernels_table(codes, title, kernels, measure):
    """Prints a table for single codewords and batches."""
    with tempfile.TemporaryDirectory() as folder:
        roofs = {kernel: Roof(kernel, Path(folder)) for kernel in kernels if kernel in ROOF_FLAGS}
        cases = {(code, kernel, words): make(*code, kernel=kernel, words=words)
                 for code in codes for kernel in kernels for words in (1, 0)}
        measure([case for case in cases.values() if case] + list(roofs.values()))
        clock = max((roof.clock for roof in roofs.values()), default=0.0)
        below = {kernel: [] for kernel in roofs}

        def cell(code, kernel, words):
            case = cases[code, kernel, words]
            if not case:
                return "-"
            figures = [f"{case.mbps:.0f}"]
            if kernel in roofs:
                share = 100 * case.edge_rate / roofs[kernel].edges
                filled = share / case.lane_fill(REGISTERS[kernel])
                figures += [f"{share:.0f} %", f"{filled:.0f} %"]
                if filled < WANTED:
                    below[kernel].append(f"{code[0]}, {code[1]}{', one codeword' if words else ''} {filled:.0f} %")
            if clock and kernel in REGISTERS:
                figures.append(f"{clock * REGISTERS[kernel] / case.edge_rate:.1f}")
            return ", ".join(figures)

        for kernel, roof in roofs.items():
            print(f"\nRoof {kernel}: {roof.edges:.3g} edge-lanes/s, {clock * REGISTERS[kernel] / roof.edges:.1f} cycles per register "
                  f"at {1e-9 * clock:.2f} GHz")
        headings = ["code, iterations"] + [f"{kernel}, {what}" for kernel in kernels for what in ("one codeword", "batch")]
        table(title, headings, [[f"{code[0]}, {code[1]}"] + [cell(code, kernel, words) for kernel in kernels for words in (1, 0)]
                                for code in codes])
        for kernel, cells in below.items():
            print(f"\n{kernel} below {WANTED} % of the roof x lane fill: {'; '.join(cells) or 'nothing'}")


def rules_table(kernels, measure):
    codes = ("wimax:2304:1/2", "dvbt2:16200:1/2")
    cases = {(rule, code, kernel): make(code, 10, words=0, kernel=kernel, **dict(zip(("algorithm", "arithmetic", "schedule"), rule)))
             for rule in RULES for code in codes for kernel in kernels}
    measure([case for case in cases.values() if case])
    table("Batches, 10 iterations, coded Mbit/s", ["decoder"] + [f"{code}, {kernel}" for code in codes for kernel in kernels],
          [[", ".join(rule)] + [f"{cases[rule, code, kernel].mbps:.3g}" if cases[rule, code, kernel] else "-"
                                for code in codes for kernel in kernels] for rule in RULES])


def three_table(kernels, measure):
    """Measures the cost of the search for the third minimum."""
    cases = {(rule, code, kernel, words): make(code, 10, words=words, kernel=kernel, algorithm=rule)
             for code in THREE_CODES for kernel in kernels for words in (1, 0) for rule in ("corrected", "three-min")}
    measure([case for case in cases.values() if case])

    def cell(*of):
        plain, three = cases["corrected", *of], cases["three-min", *of]
        return f"{three.mbps:.0f}, {100 * three.mbps / plain.mbps:.0f} %" if three else "-"
    table("three-min, 10 iterations: coded Mbit/s, share of corrected's",
          ["code"] + [f"{kernel}, {what}" for kernel in kernels for what in ("one codeword", "batch")],
          [[code] + [cell(code, kernel, words) for kernel in kernels for words in (1, 0)] for code in THREE_CODES])


def t2_table(measure):
    cases = [Case("dvbt2:64800:2/3", iterations) for iterations in (10, 25, 50)]
    measure(cases)
    table(f"A DVB-T2 multiplex of {T2_MBPS} coded Mbit/s, 64800 2/3, one codeword at a time", ["iterations", "coded Mbit/s", "of one core"],
          [[str(case.iterations), f"{case.mbps:.0f}", f"{100 * T2_MBPS / case.mbps:.0f} %"] for case in cases])


def early_stop_table(measure):
    """Measures the cost of syndrome tests if no codeword converges."""
    cases = {(code, words, stop): Case(*code, words=words, early_stop=stop, ebn0=-3.0)
             for code in STOP_CODES for words in (1, 0) for stop in (False, True)}
    measure(list(cases.values()))

    def cost(code, words):
        return f"{100 * (cases[code, words, True].best / cases[code, words, False].best - 1):.1f} %"
    table("Early stop that never comes costs", ["code, iterations", "one codeword", "batch"],
          [[f"{code[0]}, {code[1]}", cost(code, 1), cost(code, 0)] for code in STOP_CODES])


def converging_table(kernels, measure):
    """Measures the gain of early stop with large batches. The gain is limited by the ratio of maximum to mean iterations."""
    cases = {(code, ebn0, kernel, stop): Case(code, most, words=CONVERGING_LLRS // libldpc.code(code).n, early_stop=stop, ebn0=ebn0,
                                              kernel=kernel)
             for code, most, *points in CONVERGING for ebn0 in points for kernel in kernels for stop in (False, True)}
    measure(list(cases.values()))

    def cell(*of):
        fixed, stops = cases[(*of, False)], cases[(*of, True)]
        return f"{fixed.mbps:.0f}, {stops.mbps:.0f}, {stops.mbps / fixed.mbps:.2f}"

    def row(code, most, ebn0):
        case = cases[code, ebn0, kernels[0], True]
        info = case.decoder.decode(case.llrs)[1]
        mean = info["iterations"].mean()
        return [f"{code}, {most}, {ebn0} dB", f"{mean:.2f}", f"{most / mean:.2f}"] + [cell(code, ebn0, kernel) for kernel in kernels]
    table(f"Batches of {CONVERGING_LLRS} LLRs: coded Mbit/s of fixed iterations, with early stop, times as fast",
          ["code, iterations, Eb/N0", "mean iterations", "most / mean"] + list(kernels),
          [row(code, most, ebn0) for code, most, *points in CONVERGING for ebn0 in points])


def gronroos_tables(threads, measure):
    for n in (64800, 16200):
        cases = {(rate, iterations, count): Case(f"dvbt2:{n}:{rate}", iterations, words=(4 if n > 20000 else 16) * count, threads=count)
                 for rate in ("1/2", "3/4", "5/6") for iterations in (20, 30, 50) for count in {1, threads}}
        measure(list(cases.values()))
        for count in sorted({1, threads}):
            table(f"n = {n}, {count} thread(s), coded Mbit/s", ["rate", "20 iterations", "30", "50"],
                  [[rate] + [f"{cases[rate, iterations, count].mbps:.0f}" for iterations in (20, 30, 50)]
                   for rate in ("1/2", "3/4", "5/6")])


def scaling_table(threads, measure, plot):
    counts = sorted({1, 2, *range(4, threads + 1, 4), threads})
    codes = (("dvbt2:64800:1/2", 20, 16), ("wimax:2304:1/2", 10, 512), ("wifi:1944:1/2", 10, 512))
    cases = {(code, count): Case(*code[:2], words=code[2] * count, threads=count) for code in codes for count in counts}
    measure(list(cases.values()))
    table("Threads, batches, coded Mbit/s (times one thread)", ["threads"] + [f"{code[0]}, {code[1]}" for code in codes],
          [[str(count)] + [f"{cases[code, count].mbps:.0f} ({cases[code, count].mbps / cases[code, 1].mbps:.2f})" for code in codes]
           for count in counts])
    if plot:
        draw_scaling(plot, counts, [cases[codes[0], count].mbps for count in counts])


def draw_scaling(path, counts, mbps):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6, 4))
    axes.plot(counts, mbps, "o-", label=f"libldpc, {cpu_name()}")
    axes.plot((1, 2, 3, 4), [44.5 * s / 3.1 for s in (1, 1.9, 2.6, 3.1)], "s--", label="Grönroos et al. 2012, Core i7-950, cores")
    axes.set(xlabel="threads (Grönroos: cores)", ylabel="coded Mbit/s", xticks=sorted({*counts, 1, 2, 3, 4}), yscale="log",
             title="DVB-T2 64800 1/2, 20 iterations")
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=110, bbox_inches="tight")


@click.command(help=__doc__)
@click.option("--only", type=click.Choice(["kernels", "codes", "rules", "three", "stop", "converging", "t2", "gronroos", "scaling"]), multiple=True, help="Only these tables.")
@click.option("--kernel", "kernels", multiple=True, help="These kernels instead of all that this machine runs.")
@click.option("--seconds", type=click.FloatRange(0.001, 60), default=0.1, show_default=True, help="Length of a turn.")
@click.option("--rounds", type=click.IntRange(1), default=10, show_default=True, help="Turns of each case.")
@click.option("--threads", type=click.IntRange(1), default=cores(), show_default=True, help="Most threads.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Draw the scaling with threads there.")
@click.option("--json", "file", type=click.File("w", lazy=True), help="Write the tables there too.")
def main(only, kernels, seconds, rounds, threads, plot, file):
    kernels = kernels or [kernel for kernel in libldpc.kernels("cpu") if kernel in (*REGISTERS, "scalar")][::-1]

    if plot and not importlib.util.find_spec("matplotlib"):
        raise click.UsageError("--plot needs matplotlib")

    def measure(cases):
        take_turns(cases, seconds, rounds)

    tables = {
        "kernels": lambda: kernels_table(MAIN_CODES, "Coded Mbit/s, share of the roof, share of the roof x lane fill, cycles per register of edges",
                                         kernels, measure),
        "codes": lambda: kernels_table(OTHER_CODES, "Other codes", kernels[:1], measure),
        "rules": lambda: rules_table(kernels[:2], measure),
        "three": lambda: three_table(kernels[:2], measure),
        "stop": lambda: early_stop_table(measure),
        "converging": lambda: converging_table(kernels[:2], measure),
        "t2": lambda: t2_table(measure),
        "gronroos": lambda: gronroos_tables(threads, measure),
        "scaling": lambda: scaling_table(threads, measure, plot),
    }
    machine = f"{cpu_name()}, {cores()} cores, {datetime.date.today()}, libldpc {libldpc.__version__}"
    print(machine)
    for name, show in tables.items():
        if not only or name in only:
            show()
    if file:
        json.dump({"machine": machine, "tables": TABLES}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
