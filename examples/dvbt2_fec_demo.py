#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A DVB-T2 FEC stream through noise and back.

GNU Radio's own transmitter blocks (gr-dtv: BB header, scrambler, BCH, LDPC) make FEC frames from a transport stream; BPSK or
QPSK symbols get Gaussian noise; ldpc_decoder_cpu_bb decodes the LLRs, and the result is compared with the frames that were
sent. One point in detail, then a short sweep over Eb/N0 as a picture.
"""
import binascii
import math
import sys
import time

import click
import numpy as np
from gnuradio import analog, blocks, digital, dtv, gr, ldpc
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

RATES = ("1/3", "2/5", "1/2", "3/5", "2/3", "3/4", "4/5", "5/6")
FRAMES = {"normal": (64800, dtv.FECFRAME_NORMAL), "short": (16200, dtv.FECFRAME_SHORT)}
# Eb/N0 above the channel's limit, in dB: the detailed point, then first and last of the sweep
MARGINS = {"normal": (1.0, 0.45, 0.85), "short": (1.6, 0.5, 1.3)}
SWEEP_POINTS = 9


# ---------------------------------------------------------------------------------------------- a transport stream

def crc32_mpeg(data):
    """CRC of PSI sections (ISO/IEC 13818-1, annex A): binascii's polynomial with all bits the other way round."""
    mirrored = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
    return int(f"{binascii.crc32(mirrored) ^ 0xFFFFFFFF:032b}"[::-1], 2)


def psi_packet(pid, counter, table_id, table_id_extension, body):
    """One TS packet that holds one PSI section."""
    section = (bytes([table_id]) + (0xB000 | len(body) + 9).to_bytes(2, "big") + table_id_extension.to_bytes(2, "big")
               + bytes([0xC1, 0, 0]) + body)
    section += crc32_mpeg(section).to_bytes(4, "big")
    header = bytes([0x47, 0x40 | pid >> 8, pid & 0xFF, 0x10 | counter % 16, 0])
    return (header + section).ljust(188, b"\xFF")


def transport_stream(packets):
    """A small transport stream: in every 20 packets a PAT and a PMT, between them null packets."""
    pat = (1).to_bytes(2, "big") + (0xE000 | 0x100).to_bytes(2, "big")
    pmt = (0xE000 | 0x101).to_bytes(2, "big") + b"\xF0\x00" + b"\x1B" + (0xE000 | 0x101).to_bytes(2, "big") + b"\xF0\x00"
    stream = bytearray()
    for i in range(packets):
        if i % 20 == 0:
            stream += psi_packet(0, i // 20, 0x00, 1, pat)
        elif i % 20 == 1:
            stream += psi_packet(0x100, i // 20, 0x02, 1, pmt)
        else:
            stream += bytes([0x47, 0x1F, 0xFF, 0x10]) + i.to_bytes(4, "big") * 46
    return bytes(stream)


# ---------------------------------------------------------------------------------------------------- the channel

def capacity(esn0):
    """Bits per symbol of BPSK over the Gaussian channel."""
    points, weights = np.polynomial.hermite.hermgauss(60)
    llr = 4 * esn0 * (1 + points / math.sqrt(esn0))
    return 1 - float(weights @ np.logaddexp(0, -llr)) / math.sqrt(math.pi) / math.log(2)


def limit_db(rate):
    """Least Eb/N0 that a code of this rate could work at."""
    low, high = -2.0, 8.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if capacity(rate * 10 ** (middle / 10)) < rate else (low, middle)
    return high


class ErrorCounter(gr.sync_block):
    """Compares the frames that were sent with what arrived and with what was decoded.

    Bit and frame errors after decoding are those of the k message bits, which is what a receiver goes on with."""

    def __init__(self, n, k, limit):
        super().__init__("error counter", [(np.uint8, n), (np.int8, n), (np.uint8, n)], None)
        self.k, self.limit = k, limit
        self.frames = self.channel_errors = self.bit_errors = self.frame_errors = self.parity_errors = 0
        self.last_llrs = None

    def work(self, input_items, output_items):
        if self.frames == self.limit:
            return -1  # ends the flowgraph
        sent, llrs, decoded = (frames[:self.limit - self.frames] for frames in input_items)
        wrong = sent != decoded
        wrong_message = wrong[:, :self.k].any(axis=1)
        self.channel_errors += int(((llrs < 0) != sent).sum())
        self.bit_errors += int(wrong[:, :self.k].sum())
        self.frame_errors += int(wrong_message.sum())
        self.parity_errors += int((wrong.any(axis=1) & ~wrong_message).sum())
        self.frames += len(sent)
        self.last_llrs = llrs[:1].copy()
        return len(sent)


class Loopback(gr.top_block):
    """Transmitter, noise, decoder, comparison."""

    def __init__(self, options, stream, ebn0, frames, seed):
        super().__init__("DVB-T2 FEC loop-back")
        n, size = FRAMES[options["frame"]]
        rate = getattr(dtv, "C" + options["rate"].replace("/", "_"))
        self.decoder = ldpc.ldpc_decoder_cpu_bb(options["code"], max_iterations=options["iterations"], output="codeword",
                                                threads=options["threads"])
        self.counter = ErrorCounter(n, self.decoder.k(), frames)
        transmitter = [
            blocks.vector_source_b(list(stream), True),
            dtv.dvb_bbheader_bb(dtv.STANDARD_DVBT2, size, rate, dtv.RO_0_35, dtv.INPUTMODE_NORMAL, dtv.INBAND_OFF, 168,
                                4000000),
            dtv.dvb_bbscrambler_bb(dtv.STANDARD_DVBT2, size, rate),
            dtv.dvb_bch_bb(dtv.STANDARD_DVBT2, size, rate),
            dtv.dvb_ldpc_bb(dtv.STANDARD_DVBT2, size, rate, dtv.MOD_OTHER),
        ]
        # Noise per real dimension, for a symbol energy of 1 in each: the bits of QPSK lie on I and Q.
        variance = 1 / (2 * self.decoder.k() / n * 10 ** (ebn0 / 10))
        sigma = math.sqrt(variance)
        if options["modulation"] == "bpsk":
            channel = [digital.chunks_to_symbols_bf([1.0, -1.0]), blocks.add_ff()]
            noise = analog.noise_source_f(analog.GR_GAUSSIAN, sigma, seed)
        else:
            channel = [blocks.pack_k_bits_bb(2), digital.chunks_to_symbols_bc([1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j]),
                       blocks.add_cc(), blocks.vector_to_stream(gr.sizeof_float, 2)]  # I and Q in turn
            noise = analog.noise_source_c(analog.GR_GAUSSIAN, sigma * math.sqrt(2), seed)
        llrs = blocks.float_to_char(1, ldpc.DEFAULT_LLR_SCALE * 2 / variance)  # LLR = 2 y / variance
        self.connect(*transmitter, *channel, llrs, self.decoder)
        adder = next(block for block in channel if block.name().startswith("add"))
        self.connect(noise, (adder, 1))
        for port, block in enumerate((transmitter[-1], llrs, self.decoder)):
            frame = blocks.stream_to_vector(1, n)
            frame.set_min_output_buffer(0, 4096 // math.gcd(4096, n))  # whole pages, or GNU Radio warns
            self.connect(block, frame, (self.counter, port))


# ---------------------------------------------------------------------------------------------------- the report

def run_point(options, stream, ebn0, frames, seed, progress, label):
    """One value of Eb/N0: the flowgraph until all frames are through or the time is up."""
    task = progress.add_task(label, total=frames)
    graph = Loopback(options, stream, ebn0, frames, seed)
    start = time.monotonic()
    graph.start()
    while graph.counter.frames < frames and time.monotonic() - start < options["seconds"]:
        time.sleep(0.05)
        progress.update(task, completed=graph.counter.frames)
    graph.stop()
    graph.wait()
    seconds = time.monotonic() - start
    counter, n = graph.counter, graph.decoder.n()
    count = counter.frames
    progress.update(task, completed=count, total=count)
    if count == 0:
        raise click.ClickException(f"no frame was decoded within {options['seconds']:g} s; allow more with --seconds")
    return {
        "ebn0": ebn0, "frames": count, "frame_errors": counter.frame_errors, "parity_errors": counter.parity_errors,
        "raw_ber": counter.channel_errors / (count * n), "ber": counter.bit_errors / (count * counter.k),
        "fer": counter.frame_errors / count, "iterations": graph.decoder.mean_iterations(),
        "flowgraph_mbps": 1e-6 * count * n / seconds, "decoder_mbps": decoder_speed(options, counter.last_llrs),
        "kernel": graph.decoder.kernel(),
    }


def decoder_speed(options, llrs):
    """Coded Mbit/s of the decoder alone, on one frame of the stream again and again."""
    decoder = ldpc.decoder(ldpc.code(options["code"]), max_iterations=options["iterations"], threads=options["threads"])
    llrs = np.repeat(llrs, max(1, options["threads"]) * 4, axis=0)
    decoder.decode(llrs)
    start = time.perf_counter()
    decoder.decode(llrs)
    return 1e-6 * llrs.size / (time.perf_counter() - start)


def table_of(points, title):
    table = Table(title=title)
    for heading in ("Eb/N0\ndB", "\nframes", "raw\nBER", "BER\nafter", "FER\nafter", "mean\niter.", "decoder\nMbit/s",
                    "chain\nMbit/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for p in points:
        table.add_row(f"{p['ebn0']:.2f}", str(p["frames"]), f"{p['raw_ber']:.4f}", f"{p['ber']:.1e}" if p["ber"] else "0",
                      f"{p['fer']:.1e}" if p["fer"] else "0", f"{p['iterations']:.1f}", f"{p['decoder_mbps']:.3g}",
                      f"{p['flowgraph_mbps']:.3g}")
    return table


def draw(points, title, limit, file):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for key, label, style in (("raw_ber", "BER before decoding", "k--"), ("ber", "BER after decoding", "C0o-"),
                              ("fer", "FER after decoding", "C3s-")):
        some = [p for p in points if p[key] > 0]
        axes.semilogy([p["ebn0"] for p in some], [p[key] for p in some], style, label=label)
    none = [p for p in points if p["fer"] == 0]
    if none:
        axes.semilogy([p["ebn0"] for p in none], [1 / p["frames"] for p in none], "C3v", mfc="none",
                      label="no frame error: FER below")
    axes.axvline(limit, color="gray", linestyle=":", label=f"limit of the channel, {limit:.2f} dB")
    axes.set(xlabel="Eb/N0, dB", ylabel="error rate", title=title)
    axes.grid(which="both", alpha=0.3)
    axes.legend(loc="lower left")
    figure.savefig(file, dpi=120)


def read_stream(file):
    """The packets of a TS file, from its first sync byte on."""
    data = file.read()
    start = next((i for i in range(188) if data[i:i + 376:188] == b"\x47\x47"), None)
    if start is None:
        raise click.BadParameter("not a transport stream: no sync bytes 188 bytes apart at its beginning", param_hint="--ts")
    return data[start:start + (len(data) - start) // 188 * 188]


@click.command(help=__doc__)
@click.option("--rate", type=click.Choice(RATES), default="1/2", show_default=True, help="Code rate.")
@click.option("--frame", type=click.Choice(tuple(FRAMES)), default="normal", show_default=True,
              help="FEC frame: 64800 or 16200 bits.")
@click.option("--modulation", type=click.Choice(("bpsk", "qpsk")), default="qpsk", show_default=True, help="Symbols.")
@click.option("--ebn0", type=float, help="Eb/N0 of the detailed point in dB, Eb per LDPC message bit.  "
              "[default: 1 dB above the channel's limit, 1.6 dB for short frames]")
@click.option("--frames", type=click.IntRange(1), default=1000, show_default=True, help="FEC frames of each point.")
@click.option("--iterations", type=click.IntRange(0, 10000), default=50, show_default=True, help="Iterations, at most.")
@click.option("--threads", type=click.IntRange(0), default=1, show_default=True, help="Decoder threads; 0 = all cores.")
@click.option("--seconds", type=click.FloatRange(0.1), default=15.0, show_default=True,
              help="Time for each point, at most.")
@click.option("--ts", type=click.File("rb"), help="Transport stream to send, instead of a built-in one.")
@click.option("--plot", type=click.Path(dir_okay=False), default="dvbt2_fec_demo.png", show_default=True,
              help="Picture of the sweep.")
@click.option("--sweep/--no-sweep", default=True, show_default=True, help="Draw error rates over Eb/N0.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the noise.")
def main(**options):
    if options["frame"] == "normal" and options["rate"] in ("1/3", "2/5"):
        raise click.BadParameter("1/3 and 2/5 exist for short frames only", param_hint="--rate")
    n = FRAMES[options["frame"]][0]
    options["code"] = f"dvbt2:{n}:{options['rate']}"
    code = ldpc.code(options["code"])
    limit = limit_db(code.k / n)
    margin, first, last = MARGINS[options["frame"]]
    ebn0 = options["ebn0"] if options["ebn0"] is not None else round(limit + margin, 2)
    stream = read_stream(options["ts"]) if options["ts"] else transport_stream(2000)
    sweep = np.round(limit + np.linspace(first, last, SWEEP_POINTS), 2) if options["sweep"] else []

    console = Console()
    title = (f"DVB-T2 {options['frame']} frames, rate {options['rate']}, {options['modulation'].upper()}, "
             f"at most {options['iterations']} iterations")
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                  console=console) as progress:
        point = run_point(options, stream, ebn0, options["frames"], options["seed"], progress, f"{ebn0:.2f} dB")
        points = [run_point(options, stream, float(db), options["frames"], options["seed"] + 1 + i, progress,
                            f"sweep {db:.2f} dB") for i, db in enumerate(sweep)]
    console.print(table_of([point], title))
    if len(points):
        console.print(table_of(points, "Sweep"))
        draw(points, title, limit, options["plot"])
        console.print(f"picture: {options['plot']}")
    right = point["frames"] - point["frame_errors"]
    console.print(f"{right} of {point['frames']} messages are exactly what was sent; {point['raw_ber']:.1%} of the bits had "
                  f"arrived wrong. (kernel {point['kernel']})")
    if point["parity_errors"]:
        console.print(f"{point['parity_errors']} of these frames have wrong parity bits left.")
    # The default point is chosen so that every frame decodes.
    sys.exit(1 if options["ebn0"] is None and point["frame_errors"] else 0)


if __name__ == "__main__":
    main()
