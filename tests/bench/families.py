#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the speed of code families: edges per second relative to WiMAX and DVB on the same backend.

An edge is a one of H in one iteration. Codes of 16200 bits and more are compared with DVB, shorter codes with WiMAX. The target for
batches is 0.6 of the speed of DVB or WiMAX. The number of iterations is fixed. On a GPU, batches are in GPU memory, and single
codewords are in host memory.

  build/bin/ldpc-python tests/bench/families.py
  build/bin/ldpc-python tests/bench/families.py --backend cuda --bench-gpu build/tests/bench_gpu
"""
import datetime
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np
from cpu_tables import Case, cpu_name, table, take_turns

import libldpc

WIMAX, DVB, LONG = "wimax:2304:1/2", "dvbs2:64800:1/2", 16200
WANTED = 0.6
CODES = (
    WIMAX, DVB, "dvbs2:16200:1/2", "wimax:576:1/2", "wifi:648:1/2", "wifi:1944:5/6", "dvbt2:64800:2/3", "dvbc2:64800:9/10",
    "nr:bg1:2:132", "nr:bg1:16:1056", "nr:bg1:64:4224", "nr:bg1:384:16896", "nr:bg1:384:25344",
    "nr:bg2:2:100", "nr:bg2:16:800", "nr:bg2:64:1280", "nr:bg2:384:19200",
    "ccsds:tc:128", "ccsds:tc:256", "ccsds:tc:512", "ccsds:c2:8160", "ccsds:c2:8176",
    "ccsds:ar4ja:1024:1/2", "ccsds:ar4ja:1024:4/5", "ccsds:ar4ja:4096:2/3", "ccsds:ar4ja:16384:1/2", "ccsds:ar4ja:16384:4/5",
    "dvbs2x:64800:13/45", "dvbs2x:64800:90/180", "dvbs2x:64800:13/18", "dvbs2x:64800:154/180", "dvbs2x:32400:1/5",
    "dvbs2x:16200:11/45", "dvbs2x:16200:8/15", "dvbs2x:61560:2/9", "dvbs2x:30780:1/3", "dvbs2x:14976:1/5",
    "atsc3:64800:2/15", "atsc3:64800:7/15", "atsc3:64800:8/15", "atsc3:64800:13/15", "atsc3:16200:2/15", "atsc3:16200:8/15",
    "wigig:672:1/2", "wigig:672:13/16", "ethernet:2048",
)


class CpuBackend:
    """Measures one codeword and a full batch on the CPU."""

    def __init__(self, codes, options):
        self.kernel = options["kernel"] or libldpc.decoder(WIMAX, arithmetic=options["arithmetic"]).kernel
        self.cases = {(code, words): self.case(code, words, options) for code in codes for words in (1, 0)}
        take_turns(list(self.cases.values()), options["seconds"] / 5, 5)

    def case(self, code, words, options):
        return Case(code, options["iterations"], words=words, kernel=self.kernel, arithmetic=options["arithmetic"])

    def __str__(self):
        return f"{cpu_name()}, one thread, kernel {self.kernel}"

    def rates(self, code):
        return self.cases[code, 1].edge_rate, self.cases[code, 0].edge_rate, f"{self.cases[code, 0].words} codewords"


class CudaBackend:
    """Measures a batch in GPU memory and single codewords in host memory with bench_gpu."""

    def __init__(self, codes, options):
        self.options = options
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:  # compiles and caches kernels in parallel
            list(pool.map(lambda code: self.run(code, 1, "latency", 0.001), codes))
        self.batch = {code: self.run(code, self.words(code), "device", options["seconds"]) for code in codes}
        self.one = {code: self.run(code, 1, "latency", options["seconds"] / 4) for code in codes if not options["batch_only"]}

    def __str__(self):
        return "CUDA, the first GPU"

    @staticmethod
    def words(code):
        """Returns a batch size that fills a large GPU with several rounds of thread blocks."""
        return 2112 * -(-30_000_000 // (2112 * libldpc.code(code).n))

    def run(self, code, words, transfers, seconds):
        arguments = [code, self.options["kernel"] or "auto", self.options["arithmetic"], self.options["iterations"], 0, words, transfers, seconds]
        done = subprocess.run([self.options["bench_gpu"], *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode:
            return {"failed": (done.stderr.strip() or "failed").splitlines()[-1]}
        return json.loads(done.stdout)

    def edge_rate(self, code, result):
        code = libldpc.code(code)
        return 1e6 * result.get("coded_mbps", np.nan) / code.n * code.edges * self.options["iterations"]

    def rates(self, code):
        batch = self.batch[code]
        how = batch.get("failed") or f"{batch['kernel']}, {batch['batch']} codewords"
        return self.edge_rate(code, self.one.get(code, {})), self.edge_rate(code, batch), how


def family_rows(codes, rates):
    """Returns the rows of the table, and the codes that are too slow."""
    rows, slow = [], []
    for code in codes:
        one, batch, how = rates[code]
        reference = DVB if libldpc.code(code).n >= LONG else WIMAX
        ratio = batch / rates[reference][1]
        if not ratio >= WANTED:
            slow.append(code)
        rows.append([code, f"{one:.3g}", f"{one / rates[reference][0]:.2f}", f"{batch:.3g}", f"{ratio:.2f}" + (" **" if code in slow else ""),
                     reference.split(":", maxsplit=1)[0], how])
    return rows, slow


@click.command(help=__doc__)
@click.argument("codes", nargs=-1)
@click.option("--backend", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option("--kernel", help="This kernel instead of the best one.")
@click.option("--arithmetic", type=click.Choice(["i8", "i16"]), help="Instead of i8 on the CPU, i16 on a GPU.")
@click.option("--iterations", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seconds", type=click.FloatRange(0.001, 60), default=0.2, show_default=True, help="Time for each case.")
@click.option("--batch-only", is_flag=True, help="No single words on a GPU.")
@click.option("--bench-gpu", type=click.Path(exists=True, dir_okay=False), help="The program that measures batches on a GPU.")
def main(codes, backend, **options):
    codes = [WIMAX, DVB, *(code for code in codes or CODES if code not in (WIMAX, DVB))]
    options["arithmetic"] = options["arithmetic"] or ("i8" if backend == "cpu" else "i16")
    if backend == "cuda" and not options["bench_gpu"]:
        raise click.UsageError("--backend cuda needs --bench-gpu (ninja bench_gpu)")
    measured = CpuBackend(codes, options) if backend == "cpu" else CudaBackend(codes, options)
    rows, slow = family_rows(codes, {code: measured.rates(code) for code in codes})
    print(f"{measured}, {options['arithmetic']}, {options['iterations']} iterations, {datetime.date.today()}, libldpc {libldpc.__version__}")
    table("Edges per second, and their ratio to those of WiMAX or DVB",
          ["code", "one codeword", "ratio", "batch", "ratio", "beside", "how"], rows)
    print(f"\n{len(codes) - len(slow)} of {len(codes)} reach {WANTED}" + (f"; slower: {', '.join(slow)}" if slow else ""))


if __name__ == "__main__":
    sys.exit(main())
