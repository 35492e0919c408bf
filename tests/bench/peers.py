#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""This library beside other LDPC decoders for CPUs: speed, and codewords right on the same LLRs, as Markdown.

The others come from checkouts of theirs, which stay as they are. Each is built with -O3 -march=native -mtune=generic and a program of
tests/bench/peers/, and all decode by turns, on one core:

  git clone https://github.com/blegal/Fast_LDPC_decoder_for_x86
  git clone --recurse-submodules https://github.com/aff3ct/aff3ct
  git clone https://github.com/xdsopl/LDPC
  git clone https://github.com/srsran/srsRAN_Project
  git clone https://gitlab.eurecom.fr/oai/openairinterface5g               (needs simde: libsimde-dev)
  build/bin/ldpc-python tests/bench/peers.py --legal Fast_LDPC_decoder_for_x86 --aff3ct aff3ct --xdsopl LDPC --srsran srsRAN_Project
                                             --oai openairinterface5g

A checkout that is not given, or does not build, is left out, and a line under the table says so.

Speed: coded Mbit/s of processor time, all iterations done, from LLRs codeword after codeword to bits, each decoder with as many
codewords side by side as it takes at best. The codewords are too noisy for any decoder to finish early. Each has its LLRs in its own
integers; making these is not timed.

Wrong codewords: of the same noise. This library's default has its own LLR scale and stops early. Each peer has that number of LLR
steps per nat, and that offset, with which it gets most of other codewords right, of those that SETTINGS lists.
"""
import collections
import datetime
import functools
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import click
import numpy as np

import libldpc
from cpu_tables import cpu_name, table

HERE = Path(__file__).parent / "peers"
FLAGS = ("-O3", "-march=native", "-mtune=generic", "-w")  # a virtual machine may pretend to be a processor that wants other tuning
ROUND = 64          # numbers of codewords are multiples of this: it suits all decoders
TIMED_LLRS = 2**18  # of a pass, at least
CONSTANT = 2**32 - 1  # no column of the matrix

Case = collections.namedtuple("Case", "code iterations ebn0 words")
CASES = [Case(*case) for case in (  # Eb/N0 in dB where this library's default gets one to four in a hundred wrong
    ("wimax:2304:1/2", 10, 1.78, 12000), ("wifi:1944:1/2", 10, 1.7, 12000), ("dvbs2:64800:1/2", 20, 1.04, 1280),
    ("dvbs2:16200:1/2", 20, 1.14, 4000), ("nr:bg1:384:25344", 10, 0.86, 2560), ("nr:bg1:384:16896", 10, 1.38, 3840),
    ("nr:bg1:384:12672", 10, 2.12, 5120), ("nr:bg2:52:2600", 10, 1.1, 8000), ("ccsds:c2:8176", 10, 3.77, 4000),
    ("ethernet:2048", 10, 3.7, 12000), ("ccsds:ar4ja:1024:1/2", 10, 1.95, 12000), ("wimax:576:1/2", 10, 2.2, 20000),
    ("dvbs2:64800:5/6", 20, 2.94, 1280), ("wigig:672:1/2", 10, 2.2, 20000), ("dvbs2x:16200:8/15", 20, 1.4, 4000),
    ("atsc3:16200:8/15", 20, 1.32, 4000), ("ccsds:tc:512", 20, 2.7, 20000),
)]

Setting = collections.namedtuple("Setting", "scale offset")
SETTINGS = [Setting(scale, 0) for scale in (1.5, 2, 3, 4, 6, 8)]
OFFSETS = [Setting(*pair) for pair in ((2, 1), (3, 1), (4, 1), (4, 2), (6, 2), (6, 3), (8, 2), (8, 3), (8, 4))]
WIDE_OFFSETS = [Setting(*pair) for pair in ((8, 3), (8, 4), (16, 6), (16, 8))]


class Failed(Exception):
    """A peer that could not be had."""


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line or "undefined" in line]
        raise Failed(f"{Path(command[0]).name}: {(errors or done.stderr.splitlines() or ['failed'])[0][:200]}")


def compiled(source, folder, flags):
    """The object of a source file; an old one is taken if nothing is newer."""
    made = folder / (source.name + ".o")
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        run(["c++" if source.suffix in (".cpp", ".cc") else "cc", *FLAGS, *flags, f"-I{HERE}", "-c", source, "-o", made])
    return made


def program(name, sources, folder, flags):
    """The program of these sources and turns.c."""
    folder.mkdir(parents=True, exist_ok=True)
    return linked(folder / name, [compiled(source, folder, flags) for source in (HERE / "turns.c", *sources)])


def linked(made, objects):
    run(["c++", *objects, "-Wl,--gc-sections", "-lpthread", "-o", made])
    return made


def degrees_of(code):
    return np.bincount(code.parity_matrix()[0], minlength=code.checks)


def file_name(code):
    return code.name.replace(":", "_").replace("/", "_")


class Peer:
    """A decoder of somebody else's. `checkout` is its folder, `folder` what is built goes to."""
    per_code = False  # whether a program is for one code only
    settings = SETTINGS
    largest = 120   # LLR in steps: srsRAN has infinity above it
    columns = True  # takes the LLRs of all columns of the matrix, not only of those that are sent
    def __init__(self, checkout, folder):
        self.checkout, self.folder, self.programs = Path(checkout).resolve(), folder, {}

    def built(self, code):
        """The program that decodes this code, built once."""
        key = code.name if self.per_code else ""
        if key not in self.programs:
            self.programs[key] = self.program(code)
        return self.programs[key]

    def name_of(self, code):
        """What its program calls the code, None where it does not have it."""
        raise NotImplementedError

    def program(self, code):
        """Builds it. Most have one for all codes."""
        raise NotImplementedError


class LeGal(Peer):
    title = "Le Gal and Jégo"
    settings, largest, per_code = OFFSETS, 31, True  # LLRs in the range of its messages
    SOURCES = ("CDecoder/template/CDecoder.cpp", "CDecoder/template/CDecoder_fixed.cpp", "CDecoder/template/CDecoder_fixed_AVX.cpp",
               "CDecoder/OMS/CDecoder_OMS_fixed_AVX.cpp", "CTools/transpose_avx.cpp", "CTools/CTools.cpp")

    def name_of(self, code):
        degrees = np.unique(degrees_of(code))
        return code.name if len(degrees) <= 2 and code.columns < 2**16 else None

    def program(self, code):
        """Its tables of codes are headers, in which checks of one degree stand together: this one is made of our matrix."""
        folder, source = self.folder / file_name(code), self.checkout / "src"
        table = folder / "Constantes/constantes_sse.h"  # found before the one of the checkout
        table.parent.mkdir(parents=True, exist_ok=True)
        table.write_text(self.table(code), encoding="utf-8")
        return program("legal", (HERE / "legal.cc", *(source / path for path in self.SOURCES)), folder, (f"-I{folder}", f"-I{source}"))

    @staticmethod
    def table(code):
        checks, columns = code.parity_matrix()
        degrees = degrees_of(code)
        values = np.unique(degrees)[::-1]
        numbers = {"NB_DEGRES": len(values), "_N": code.columns, "_K": code.checks, "_M": code.edges, "NOEUD": "_N", "MESSAGE": "_M",
                   "SAT_POS_VAR": 127, "SAT_NEG_VAR": -127, "SAT_POS_MSG": 31, "SAT_NEG_MSG": -31}
        for i, degree in enumerate(values, 1):
            numbers |= {f"DEG_{i}": degree, f"DEG_{i}_COMPUTATIONS": (degrees == degree).sum()}
        positions = np.concatenate([columns[degrees[checks] == degree] for degree in values])
        lines = [f"#define {name} ({number})" for name, number in numbers.items()]
        values = f"static const unsigned short PosNoeudsVariable[] = {{{','.join(map(str, positions))}}};"
        return "\n".join(("#pragma once", *lines, values, ""))


class Xdsopl(Peer):
    title = "xdsopl/LDPC"
    NAMES = {"dvbs2:64800:1/2": "S2B4", "dvbs2:64800:5/6": "S2B9", "dvbs2:16200:1/2": "S2C4"}

    def name_of(self, code):
        return self.NAMES.get(code.name)

    def program(self, code):
        return program("xdsopl", (HERE / "xdsopl.cc", self.checkout / "tables_handler.cc"), self.folder, (f"-I{self.checkout}",))


class Aff3ct(Peer):
    title, bits, settings = "AFF3CT, 16 bits", 16, WIDE_OFFSETS
    SOURCES = ("Module/Module.cpp", "Module/Task.cpp", "Module/Decoder/Decoder.cpp", "Module/Decoder/LDPC/BP/Decoder_LDPC_BP.cpp",
               "Tools/Code/LDPC/AList/AList.cpp", "Tools/Display/rang_format/rang_format.cpp", "Tools/general_utils.cpp",
               "Tools/system_functions.cpp")
    FOLDERS = ("Tools/Exception", "Tools/Algo/Matrix")

    def name_of(self, code):
        path = self.folder / (file_name(code) + ".alist")
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(code.to_alist(), encoding="utf-8")
        return str(path)

    def program(self, code):
        source, library = self.checkout / "src", self.folder.parent / "aff3ct"
        library.mkdir(parents=True, exist_ok=True)
        mipp = self.checkout / "lib/MIPP"
        flags = ("-std=c++17", "-DAFF3CT_16BIT_PREC", "-ffunction-sections", "-fdata-sections", f"-I{self.checkout}/include", f"-I{source}",
                 f"-I{mipp}/include", f"-I{mipp}/src", f"-I{self.checkout}/lib/rang/include")
        paths = [source / path for path in self.SOURCES]
        paths += [path for folder in self.FOLDERS for path in sorted((source / folder).rglob("*.cpp"))]
        if not all(path.exists() for path in paths):
            raise Failed(f"{self.checkout} is not AFF3CT 3.0")
        objects = [compiled(path, library, flags) for path in (HERE / "turns.c", *paths)]
        driver = compiled(HERE / "aff3ct.cc", self.folder, (*flags, f"-DPEER_BITS={self.bits}"))
        return linked(self.folder / "aff3ct", [driver, *objects])


class Aff3ct8(Aff3ct):
    title, bits, settings = "AFF3CT, 8 bits", 8, OFFSETS


def parts_of_5g(code):
    """(base graph, lifting size, bits), None for other codes."""
    words = code.name.split(":")
    return (int(words[1][2:]), int(words[2]), int(words[3])) if words[0] == "nr" else None


class SrsRan(Peer):
    title, columns = "srsRAN", False
    SOURCES = ("phy/upper/channel_coding/ldpc/ldpc_luts_impl.cpp",  # first: what the others make of it when the program starts
               "phy/upper/channel_coding/ldpc/ldpc_graph_impl.cpp", "phy/upper/channel_coding/ldpc/ldpc_decoder_impl.cpp",
               "phy/upper/channel_coding/ldpc/ldpc_decoder_avx2.cpp", "phy/upper/channel_coding/ldpc/ldpc_decoder_avx512.cpp",
               "phy/upper/log_likelihood_ratio.cpp", "srsvec/compare.cpp")

    def name_of(self, code):
        parts = parts_of_5g(code)
        return parts and f"{parts[0]}:{parts[1]}"

    def program(self, code):
        sources = [self.checkout / "lib" / path for path in self.SOURCES]
        if "AVX512BW" not in native_macros():
            sources = [path for path in sources if "avx512" not in path.name]
        included = (f"-I{self.checkout / path}" for path in ("", "include", "external/fmt/include"))
        flags = ("-std=c++17", "-DFMT_HEADER_ONLY", *included)
        return program("srsran", (*sources, HERE / "srsran.cc"), self.folder, flags)


class Oai(Peer):
    title = "OpenAirInterface"
    RATES = {(1, 66): 13, (1, 33): 23, (2, 50): 15}  # columns sent: its name of the rate
    INCLUDED = ("", "openair1", "openair2", "common", "common/utils", "common/utils/LOG", "common/utils/T", "common/utils/hashtable",
                "common/utils/ocp_itti", "radio/COMMON", "openair2/COMMON", "nfapi/open-nFAPI/nfapi/public_inc",
                "nfapi/open-nFAPI/common/public_inc", "openair1/PHY/CODING/nrLDPC_decoder")
    DEFINED = ("-DMAX_NUM_CCs=1", "-DNB_ANTENNAS_RX=4", "-DNB_ANTENNAS_TX=4", "-DT_TRACER=0")  # as its own build does

    def name_of(self, code):
        parts = parts_of_5g(code)
        rate = parts and self.RATES.get((parts[0], parts[2] / parts[1]))
        return rate and f"{parts[0]}:{parts[1]}:{rate}"

    def program(self, code):
        decoder = self.checkout / "openair1/PHY/CODING/nrLDPC_decoder"
        flags = [f"-I{self.checkout / path}" for path in self.INCLUDED]
        wide = "AVX512BW" in native_macros()
        for made in ("cnProc", "bnProc"):  # programs that write the loops
            for suffix in ("", "_avx512") if wide else ("",):
                self.write_loops(decoder / f"nrLDPC_tools/generator_{made}{suffix}", suffix or "_avx2", flags)
        return program("oai", (HERE / "oai.c", decoder / "nrLDPC_decoder.c"), self.folder, (*flags, *self.DEFINED, f"-I{self.folder}"))

    def write_loops(self, source, suffix, flags):
        for folder in ("cnProc", "bnProc", "bnProcPc"):
            (self.folder / (folder + (suffix if suffix == "_avx512" else ""))).mkdir(parents=True, exist_ok=True)
        writer = self.folder / source.name
        run(["cc", "-w", "-DCODEGEN", *flags, source / "main.c", *sorted(source.glob(f"*{suffix}.c")), "-o", writer])
        run([writer, "."], cwd=self.folder)


@functools.cache
def native_macros():
    """What the compiler defines for this processor."""
    return subprocess.run(["cc", "-march=native", "-dM", "-E", "-xc", "/dev/null"], capture_output=True, text=True, check=True).stdout


class Words:
    """Noisy codewords of one code, in nat."""

    def __init__(self, code, ebn0, count, first=0):
        self.code, self.ebn0 = code, ebn0
        self.messages, self.llrs = libldpc.noisy_frames(code, ebn0, count=count, first_frame=first, dtype="float32")

    def integers(self, scale, columns=False, largest=127):
        """LLRs in steps of 1 / scale; of all columns: 0 for those that are never sent."""
        steps = np.clip(np.rint(self.llrs * np.float32(scale)), -largest, largest).astype(np.int8)
        if not columns:
            return steps
        sent = self.code.transmitted_columns
        every = np.zeros((len(steps), self.code.columns), np.int8)
        every[:, sent[sent != CONSTANT]] = steps[:, sent != CONSTANT]
        return every

    def wrong(self, bits):
        return int((bits != self.messages).any(axis=1).sum())


class Running:
    """A peer's program with its codewords, waiting for its turns."""

    def __init__(self, peer, words, iterations, setting, folder):
        path = peer.built(words.code)
        llrs = words.integers(setting.scale, peer.columns, peer.largest)
        llrs.tofile(folder / "llrs")
        words.code.message_columns.tofile(folder / "columns")
        files = (folder / name for name in ("llrs", "columns", "bits"))
        command = [path, peer.name_of(words.code), iterations, setting.offset, llrs.shape[1], *files]
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise Failed(f"{path.name} ended with status {self.process.wait()}")
        self.bits = np.fromfile(folder / "bits", np.uint8).reshape(words.messages.shape)

    def turn(self, seconds):
        """Processor time of one pass."""
        print(seconds, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Ours:
    """This library, in the place of a Running. It cuts the codewords into batches itself."""

    def __init__(self, words, iterations, algorithm):
        self.decoder = libldpc.decoder(words.code, max_iterations=iterations, algorithm=algorithm, early_stop=False, packed=True, threads=1)
        self.llrs = words.integers(self.decoder.llr_scale)

    def turn(self, seconds):
        start = time.process_time()
        passes = len(self.decoder.time(self.llrs, seconds)) + 1  # the first one is not in its list
        return (time.process_time() - start) / passes

    def end(self):
        pass


def wrong_of(peer, words, iterations, setting, folder):
    running = Running(peer, words, iterations, setting, folder)
    running.end()
    return words.wrong(running.bits)


def wrong_of_ours(words, iterations, **options):
    decoder = libldpc.decoder(words.code, max_iterations=iterations, threads=1, **options)
    llrs = words.llrs if options.get("arithmetic") == "float" else words.integers(decoder.llr_scale)
    return words.wrong(decoder.decode(llrs)[0])


def rounded(count):
    return ROUND * max(1, round(count / ROUND))


class Line:
    """A decoder of one case: its turns in Mbit/s, its wrong codewords, and the setting that it got them with."""

    def __init__(self, title, running=None, wrong=None, setting=None):
        self.title, self.running, self.wrong, self.setting, self.turns = title, running, wrong, setting, []

    @property
    def speed(self):
        return f"{max(self.turns):.3g}, {statistics.median(self.turns):.3g}" if self.turns else "-"

    @property
    def mistakes(self):
        if not self.setting:
            return str(self.wrong)
        return f"{self.wrong} ({self.setting.scale:g}{f'; {self.setting.offset}' if self.setting.offset else ''})"


def lines_of_ours(case, noisy, words):
    return [Line("gr-ldpc", Ours(noisy, case.iterations, "auto"), wrong_of_ours(words, case.iterations)),
            Line("gr-ldpc, offset", Ours(noisy, case.iterations, "offset"), wrong_of_ours(words, case.iterations, algorithm="offset")),
            Line("gr-ldpc, sum-product", None, wrong_of_ours(words, case.iterations, algorithm="sum-product", arithmetic="float"))]


def lines_of_peers(peers, case, noisy, words, missing):
    other = Words(words.code, case.ebn0, rounded(len(words.llrs) / 8), first=len(words.llrs))
    for peer in peers:
        where = peer.folder / "data"
        where.mkdir(parents=True, exist_ok=True)
        if not peer.name_of(words.code):
            continue
        try:
            setting = min(peer.settings, key=lambda s: wrong_of(peer, other, case.iterations, s, where))
            wrong = wrong_of(peer, words, case.iterations, setting, where)
            yield Line(peer.title, Running(peer, noisy, case.iterations, setting, where), wrong, setting)
        except Failed as failure:
            missing[f"{peer.title}: {failure}"] = None


def measure(case, peers, rounds, seconds, share, missing):
    """The lines of one case, and how many codewords. All decoders take turns, in an order that moves on by one."""
    code = libldpc.code(case.code)
    words = Words(code, case.ebn0, rounded(case.words * share))
    noisy = Words(code, case.ebn0 - 3, rounded(TIMED_LLRS / code.n))
    lines = lines_of_ours(case, noisy, words) + list(lines_of_peers(peers, case, noisy, words, missing))
    timed = [line for line in lines if line.running]
    for i in range(rounds):
        for line in timed[i % len(timed):] + timed[:i % len(timed)]:
            line.turns.append(1e-6 * len(noisy.llrs) * code.n / line.running.turn(seconds))
    for line in timed:
        line.running.end()
    return lines, len(words.llrs)


def show(results):
    """The tables of [(case, lines, codewords)]."""
    titles = list(dict.fromkeys(line.title for _, lines, _ in results for line in lines))

    def cells(lines, text, those):
        found = {line.title: text(line) for line in lines}
        return [found.get(title, "") for title in those]
    timed = [title for title in titles if any(line.turns for _, lines, _ in results for line in lines if line.title == title)]
    table("Coded Mbit/s, best and median turn", ["code, iterations", *timed],
          [[f"{case.code}, {case.iterations}", *cells(lines, lambda line: line.speed, timed)] for case, lines, _ in results])
    table("Wrong codewords (LLR steps per nat; offset)", ["code, iterations, Eb/N0", "codewords", *titles],
          [[f"{case.code}, {case.iterations}, {case.ebn0} dB", str(count), *cells(lines, lambda line: line.mistakes, titles)]
           for case, lines, count in results])


PEERS = {"legal": (LeGal,), "aff3ct": (Aff3ct, Aff3ct8), "xdsopl": (Xdsopl,), "srsran": (SrsRan,), "oai": (Oai,)}


def peer_options(command):
    for name, (peer, *_) in PEERS.items():
        told = f"Checkout of {peer.title.partition(',')[0]}."
        command = click.option(f"--{name}", type=click.Path(exists=True, file_okay=False), help=told)(command)
    return command


@click.command(help=__doc__)
@peer_options
@click.option("--only", default="", help="Codes whose name has this in it.")
@click.option("--seconds", type=click.FloatRange(0.001, 60), default=0.2, show_default=True, help="Length of a turn.")
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True, help="Turns of each decoder.")
@click.option("--share", type=click.FloatRange(0.001, 100), default=1.0, show_default=True, help="Of the codewords that count wrong ones.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=Path("build/peers"), show_default=True,
              help="For what is built; it may be kept for the next time.")
@click.option("--json", "file", type=click.File("w", lazy=True), help="Write all turns there too.")
def main(only, seconds, rounds, share, folder, file, **checkouts):
    folder = folder.resolve()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    peers = [peer(checkouts[name], folder / f"{name}{getattr(peer, 'bits', '')}") for name, classes in PEERS.items() if checkouts[name]
             for peer in classes]
    missing = {f"--{name} was not given": None for name in PEERS if not checkouts[name]}
    kernel = libldpc.decoder(CASES[0].code).kernel
    machine = f"{cpu_name()}, one core, {datetime.date.today()}, libldpc {libldpc.__version__}, kernel {kernel}"
    results = []
    for case in CASES:
        if only in case.code:
            print(f"{time.strftime('%H:%M:%S')} {case.code}", file=sys.stderr, flush=True)
            results.append((case, *measure(case, peers, rounds, seconds, share, missing)))
    print(machine)
    show(results)
    for line in missing:
        print(f"\nLeft out: {line}")
    if file:
        json.dump({"machine": machine, "cases": [{**case._asdict(), "words": count, "decoders": [
            {"title": line.title, "setting": line.setting, "mbps": line.turns, "wrong": line.wrong} for line in lines]}
            for case, lines, count in results]}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    sys.exit(main())
