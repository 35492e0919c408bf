#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures table IV and figures 8 and 9 of Broulim et al. 2017.

The codes are expansions of the CCSDS (256,128) code up to (262144,131072). Decoding: sum-product, at most 50 iterations with early stop,
Eb/N0 of 2 dB. The measured time includes the generation of frames and encoding.

  build/bin/ldpc-python tests/bench/broulim.py --codes codes --json cpu.json
  build/bin/ldpc-python tests/bench/broulim.py --codes codes --backend cuda --json gpu.json
  build/bin/ldpc-python tests/bench/broulim.py --codes codes --backend opencl --json opencl.json
  build/bin/ldpc-python tests/bench/broulim.py --draw cpu.json gpu.json opencl.json docs/images/broulim.png
"""
import datetime
import json
import subprocess
import sys
import time
from pathlib import Path

import click

import libldpc
from libldpc.tools import gpu, tuning

PROTOGRAPH = "2 1 1 1 0 1 1 1\n1 2 1 1 1 0 1 1\n1 1 2 1 1 1 0 1\n1 1 1 2 1 1 1 0\n"
SIZES = [256 << i for i in range(11)]
PAPER = {  # seconds for 10000 words: C++ -O3 on a Xeon E5-2695v2, CUDA on a Tesla K40
    256: (3.11, 0.32), 512: (6.24, 0.61), 1024: (12.52, 1.24), 2048: (25.27, 2.51), 4096: (69.17, 5.46), 8192: (172.67, 12.08),
    16384: (367.75, 26.08), 32768: (1025.9, 56.02), 65536: (1989.26, 116.86), 131072: (5215.11, 242.43), 262144: (12287.61, 498.16)}
WORDS = 10000
SWEPT = (256, 2048, 16384, 131072)
AT_ONCE = [1 << i for i in range(14)]
EBN0 = 2.0
LANES = ("scalar", "sse41", "neon", "avx2", "avx512")


def code_of(size, folder):
    """Returns the lifted code with `size` columns."""
    if size == SIZES[0]:
        return libldpc.code("ccsds:tc:256")
    path = folder / f"n{size}.qc"
    if not path.exists():
        protograph = folder / "protograph"
        protograph.write_text(PROTOGRAPH, encoding="ascii")
        make = Path(sys.argv[0]).resolve().parents[2] / "apps/ldpc-make"
        subprocess.run([sys.executable, make, "expand", protograph, "--z", str(size // 8), "--output", path], check=True)
    return libldpc.code(f"qc:{path}")


def decoder_of(code, backend, **options):
    return libldpc.decoder(code, algorithm="sum-product", arithmetic="float", max_iterations=50, backend=backend, threads=1, **options)


def seconds_of_a_word(decoder, seconds, at_once, total=WORDS, clock=time.perf_counter):
    """Returns the mean time per codeword in seconds, measured over `total` codewords or for at most `seconds`."""
    libldpc.simulate_blocks(decoder, EBN0, 0, at_once, seed=7)  # warm-up: tables, compilation
    done = iterations = block = 0
    start = clock()
    while done < total and (done == 0 or clock() - start < seconds):
        records = libldpc.simulate_blocks(decoder, EBN0, block, min(at_once, total - done))
        done += int(records["frames"].sum())
        block += len(records)
        iterations += int(records["iterations"].sum())
    return (clock() - start) / done, done, iterations / done


def machine_of(backend):
    return {"cpu": tuning.cpu_name, "cuda": gpu.name_of, "opencl": lambda: libldpc.devices("opencl")[0]}[backend]()


def measure_sizes(backend, folder, seconds, clock):
    """Measures table IV and figure 9."""
    for size in SIZES:
        decoder = decoder_of(code_of(size, folder), backend)
        at_once = 64 if backend == "cpu" else WORDS if size < 65536 else 1920
        word, frames, iterations = seconds_of_a_word(decoder, seconds, at_once, clock=clock)
        yield {"figure": "9", "n": size, "kernel": decoder.kernel, "frames": frames, "iterations": iterations, "seconds": word}


def measure_words(backend, folder, seconds, clock):
    """Measures figure 8b of the paper: throughput over the number of codewords per batch."""
    for size in SWEPT if backend != "cpu" else ():
        decoder = decoder_of(code_of(size, folder), backend)
        for at_once in AT_ONCE:
            if at_once * size <= 1 << 28:
                word, frames, _ = seconds_of_a_word(decoder, seconds / 8, at_once, 1 << 20, clock)
                yield {"figure": "8b", "n": size, "kernel": decoder.kernel, "at_once": at_once, "frames": frames, "seconds": word}


def measure_lanes(backend, folder, seconds, clock):
    """Measures figure 8a of the paper. The kernel "scalar" of the paper is baseline x86-64 here."""
    for size in SWEPT if backend == "cpu" else ():
        for kernel in (name for name in libldpc.kernels("cpu") if name in LANES):
            decoder = decoder_of(code_of(size, folder), backend, kernel=kernel)
            word, frames, _ = seconds_of_a_word(decoder, seconds, 64, 1 << 20, clock)
            yield {"figure": "8a", "n": size, "kernel": kernel, "frames": frames, "seconds": word}


# ---- plots and table

def rows_of(results, figure, backend):
    return [row for result in results if result["backend"] == backend for row in result["rows"] if row["figure"] == figure]


def draw(results, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(16, 4.8), layout="constrained")
    names = {result["backend"]: result["machine"] for result in results}
    one_thread = {row["n"]: row["seconds"] for row in rows_of(results, "9", "cpu")}
    for size in SWEPT:
        label = f"({size},{size // 2})"
        lanes = [row for row in rows_of(results, "8a", "cpu") if row["n"] == size]
        at_once = [row for row in rows_of(results, "8b", "cuda") if row["n"] == size]
        left.plot([row["kernel"] for row in lanes], [lanes[0]["seconds"] / row["seconds"] for row in lanes], "o-", label=label)
        middle.plot([row["at_once"] for row in at_once], [one_thread[size] / row["seconds"] for row in at_once], ".-", label=label)
    left.set(title="Wider registers, one CPU thread", xlabel="kernel", ylabel="times the first")
    middle.set(title="Codewords decoded at once on the GPU", xlabel="codewords", ylabel="times one CPU thread", xscale="log", yscale="log")
    right.plot(SIZES, [PAPER[size][0] for size in SIZES], "k^:", label="paper: C++ -O3, Xeon E5-2695v2")
    right.plot(SIZES, [PAPER[size][1] for size in SIZES], "kv:", label="paper: CUDA, Tesla K40")
    for backend, style in (("cpu", "o-"), ("cuda", "s-"), ("opencl", "d-")):
        rows = rows_of(results, "9", backend)
        right.plot([row["n"] for row in rows], [WORDS * row["seconds"] for row in rows], style, label=f"here: {names.get(backend)}, {backend}")
    right.set(title=f"{WORDS} codewords at {EBN0:g} dB", xlabel="bits of a codeword", ylabel="seconds", xscale="log", yscale="log")
    for axes in (left, middle, right):
        axes.grid(True, which="both", alpha=0.3)
        axes.legend(fontsize="small")
    figure.savefig(path, dpi=90)


def table_4(results):
    sizes = {backend: {row["n"]: row for row in rows_of(results, "9", backend)} for backend in ("cpu", "cuda", "opencl")}

    def cell(backend, size):
        row = sizes[backend].get(size)
        return f"{WORDS * row['seconds']:.3g} ({row['frames']})" if row else "-"
    print("| code | iterations | paper, C++ -O3 | one CPU thread | paper, Tesla K40 | GPU, CUDA | GPU, OpenCL |\n|---|---|---|---|---|---|---|")
    for size in SIZES:
        print(f"| ({size},{size // 2}) | {sizes['cpu'][size]['iterations']:.1f} | {PAPER[size][0]} | {cell('cpu', size)} | {PAPER[size][1]} | {cell('cuda', size)} | {cell('opencl', size)} |")


def show(result):
    print(f"{result['machine']}, {result['date']}\n\n| code | kernel | frames | iterations | s for {WORDS} |\n|---|---|---|---|---|")
    for row in (row for row in result["rows"] if row["figure"] == "9"):
        print(f"| ({row['n']},{row['n'] // 2}) | {row['kernel']} | {row['frames']} | {row['iterations']:.1f} | {WORDS * row['seconds']:.3g} |")
    for row in (row for row in result["rows"] if row["figure"] != "9"):
        print(f"{row['figure']} n {row['n']}, {row['kernel']}, {row.get('at_once', 64)} at once: {1e6 * row['seconds']:.4g} us for a word")


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--backend", type=click.Choice(["cpu", "cuda", "opencl"]), default="cpu",
              help="CPU: one thread, its processor time. Through OpenCL, frames are made on the CPU.")
@click.option("--codes", type=click.Path(file_okay=False, path_type=Path), default="codes", help="Folder of the expanded codes, made where missing.")
@click.option("--seconds", type=float, default=2.0, help="Longest time for a code.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False), help="Write all measurements there.")
@click.option("--draw", "drawing", is_flag=True, help="Measure nothing: draw JSON files, FILES... PICTURE.")
@click.argument("files", nargs=-1)
def main(backend, codes, seconds, json_file, drawing, files):
    if drawing:
        measured = [json.loads(Path(name).read_text(encoding="utf-8")) for name in files[:-1]]
        table_4(measured)
        draw(measured, files[-1])
        return
    codes.mkdir(parents=True, exist_ok=True)
    clock = time.process_time if backend == "cpu" else time.perf_counter
    result = {"backend": backend, "machine": machine_of(backend),
              "date": str(datetime.date.today()), "version": libldpc.__version__, "rows": []}
    for measure in (measure_sizes, measure_words, measure_lanes):
        for row in measure(backend, codes, seconds, clock):
            result["rows"].append(row)
            if json_file:
                Path(json_file).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    show(result)


if __name__ == "__main__":
    main()
