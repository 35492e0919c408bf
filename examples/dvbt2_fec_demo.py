#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A transport stream through DVB-T2 cells and noise, and back.

GNU Radio's own transmitter blocks (gr-dtv: BB header, scrambler, BCH, LDPC, bit interleaver, constellation) make cells from a
transport stream; they get Gaussian noise; demapper, LDPC decoder, BCH decoder and deframer of gr-ldpc make a transport stream
again, and everything is compared with what was sent. One point in detail, then a short sweep over Eb/N0 as a picture.
"""
import binascii
import math
import sys
import time

import click
import numpy as np
from gnuradio import analog, blocks, digital, gr, ldpc
from libldpc.tools import cli
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

RATES = ("1/3", "2/5", "1/2", "3/5", "2/3", "3/4", "4/5", "5/6")
FRAMES = {"normal": 64800, "short": 16200}
BITS = {"bpsk": 1, "qpsk": 2, "16qam": 4, "64qam": 6, "256qam": 8}  # of a symbol
# Eb/N0 above the channel's limit, in dB: the detailed point, then first and last of the sweep; and what more large
# constellations need at rate 1/2 (less at higher rates), where LLRs from the nearest points alone are far from the best
MARGINS = {"normal": (1.0, 0.45, 0.85), "short": (1.6, 0.5, 1.3)}
MORE = {"bpsk": 0.0, "qpsk": 0.0, "16qam": 0.1, "64qam": 0.35, "256qam": 0.85}
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

def gray_levels(bits):
    """Levels of pulse amplitude modulation with mean power 1, and their labels."""
    levels = np.arange(2 ** bits) * 2.0 - 2 ** bits + 1
    labels = np.arange(2 ** bits) ^ np.arange(2 ** bits) >> 1
    return levels / math.sqrt((levels ** 2).mean()), labels


def capacity(esn0, bits=1):
    """Bits per real dimension that `bits` bits on one carry over the Gaussian channel, each decided on its own."""
    levels, labels = gray_levels(bits)
    points, weights = np.polynomial.hermite.hermgauss(60)
    received = levels[:, None] + points / math.sqrt(esn0)
    metrics = -esn0 * (received[:, :, None] - levels) ** 2
    total = np.logaddexp.reduce(metrics, axis=2)
    lost = 0.0
    for bit in range(bits):
        same = (labels[:, None] ^ labels) >> bit & 1 == 0
        known = np.logaddexp.reduce(np.where(same[:, None, :], metrics, -np.inf), axis=2)
        lost += float(((total - known) @ weights).mean())
    return bits - lost / math.sqrt(math.pi) / math.log(2)


def limit_db(rate, bits=1):
    """Least Eb/N0 that a code of this rate could work at, with so many bits in each real dimension."""
    low, high = -2.0, 20.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if capacity(rate * bits * 10 ** (middle / 10), bits) < rate * bits else (low, middle)
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


class PacketCounter(gr.sync_block):
    """Compares the packets that arrive with those that were sent, again and again the same."""

    def __init__(self, sent):
        super().__init__("packet counter", [(np.uint8, 188)], None)
        self.transmitted = [sent[i:i + 188] for i in range(0, len(sent), 188)]
        self.next = self.right = self.wrong = 0

    def work(self, input_items, output_items):
        for packet in map(bytes, input_items[0]):
            if packet == self.transmitted[self.next]:
                self.right += 1
            else:
                self.wrong += 1
                self.look_for(packet)
            self.next = (self.next + 1) % len(self.transmitted)
        return len(input_items[0])

    def look_for(self, packet):
        """Packets may have been lost: this one may be one of the next."""
        for ahead in range(1, 100):
            if packet == self.transmitted[(self.next + ahead) % len(self.transmitted)]:
                self.next = (self.next + ahead) % len(self.transmitted)
                self.right, self.wrong = self.right + 1, self.wrong - 1
                return


class Loopback(gr.top_block):
    """Transmitter, noise, receiver, comparison."""

    def __init__(self, options, stream, ebn0, frames, seed):
        super().__init__("DVB-T2 FEC loop-back")
        n = FRAMES[options["frame"]]
        self.decoder = ldpc.ldpc_decoder_gpu_bb(options["code"], backend=options["backend"], fallback=options["fallback"],
                                                max_iterations=options["iterations"], output="codeword", threads=options["threads"])
        k = self.decoder.k()
        self.counter = ErrorCounter(n, k, frames)
        self.packets = PacketCounter(stream)
        self.bch = ldpc.dvb_bch_decoder_bb(options["code"], codewords=True)
        transmitter = [blocks.vector_source_b(list(stream), True), *ldpc.dvb_fec_encoder(options["code"])]
        esn0 = k / n * BITS[options["modulation"]] * 10 ** (ebn0 / 10)
        channel = self.bpsk(esn0, seed) if options["modulation"] == "bpsk" else self.cells(options, esn0, seed)
        packet = blocks.stream_to_vector(1, 188)
        packet.set_min_output_buffer(0, 1024)  # whole pages, or GNU Radio warns
        self.connect(*transmitter, *channel, self.decoder, self.bch, ldpc.dvb_bb_deframer_bb(options["code"]),
                     packet, self.packets)
        adder = next(block for block in channel if block.name().startswith("add"))
        self.connect(self.noise, (adder, 1))
        for port, block in enumerate((transmitter[-1], channel[-1], self.decoder)):
            frame = blocks.stream_to_vector(1, n)
            frame.set_min_output_buffer(0, 4096 // math.gcd(4096, n))
            self.connect(block, frame, (self.counter, port))

    def bpsk(self, esn0, seed):
        """Codeword bits as +1 and -1 on a real channel: no cells of DVB-T2, but what codes are compared with."""
        variance = 1 / (2 * esn0)
        self.noise = analog.noise_source_f(analog.GR_GAUSSIAN, math.sqrt(variance), seed)
        llrs = blocks.float_to_char(1, ldpc.DEFAULT_LLR_SCALE * 2 / variance)  # LLR = 2 y / variance
        return [digital.chunks_to_symbols_bf([1.0, -1.0]), blocks.add_ff(), llrs]

    def cells(self, options, esn0, seed):
        self.noise = analog.noise_source_c(analog.GR_GAUSSIAN, math.sqrt(1 / esn0), seed)
        demapper = ldpc.dvb_demapper_cb(options["code"], options["modulation"], rotated=options["rotated"], noise=1 / esn0)
        return [*ldpc.dvb_mapper(options["code"], options["modulation"], options["rotated"]), blocks.add_cc(), demapper]


# ---------------------------------------------------------------------------------------------------- the report

def run_point(options, stream, ebn0, frames, seed, progress, label):
    """One value of Eb/N0: the flowgraph until all frames are through or the time is up."""
    task = progress.add_task(label, total=frames)
    try:
        graph = Loopback(options, stream, ebn0, frames, seed)
    except RuntimeError as error:  # no GPU
        raise click.ClickException(str(error)) from None
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
        "packets": graph.packets.right, "wrong_packets": graph.packets.wrong, "corrected": graph.bch.corrected_bits(),
        "ebn0": ebn0, "frames": count, "frame_errors": counter.frame_errors, "parity_errors": counter.parity_errors,
        "raw_ber": counter.channel_errors / (count * n), "ber": counter.bit_errors / (count * counter.k),
        "fer": counter.frame_errors / count, "iterations": graph.decoder.mean_iterations(),
        "flowgraph_mbps": 1e-6 * count * n / seconds, "decoder_mbps": decoder_speed(options, counter.last_llrs),
        "kernel": graph.decoder.kernel(),
    }


def decoder_speed(options, llrs):
    """Coded Mbit/s of the decoder alone, on one frame of the stream again and again."""
    decoder = ldpc.decoder(ldpc.code(options["code"]), max_iterations=options["iterations"], threads=options["threads"],
                           backend=options["backend"], fallback=options["fallback"])
    llrs = np.repeat(llrs, 100 if decoder.backend != "cpu" else max(1, options["threads"]) * 4, axis=0)
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
@click.option("--modulation", type=click.Choice(tuple(BITS)), default="64qam", show_default=True,
              help="Constellation of the cells; bpsk is none of DVB-T2.")
@click.option("--rotated/--no-rotated", default=False, show_default=True, help="Rotated constellation.")
@click.option("--ebn0", type=click.FloatRange(-100, 100), callback=cli.finite, help="Eb/N0 of the detailed point in dB, Eb per LDPC message bit.  "
              "[default: 1 dB above the channel's limit, 1.6 dB for short frames; up to 1 dB more for large constellations]")
@click.option("--frames", type=click.IntRange(1), default=1000, show_default=True, help="FEC frames of each point.")
@click.option("--iterations", type=click.IntRange(0, 10000), default=50, show_default=True, help="Iterations, at most.")
@cli.decoder_option("backend", show_default=True)
@cli.decoder_option("fallback")
@click.option("--threads", type=click.IntRange(0, cli.MOST_THREADS), default=1, show_default=True, help="Decoder threads; 0 = all cores.")
@click.option("--seconds", type=click.FloatRange(0.1), callback=cli.finite, default=15.0, show_default=True,
              help="Time for each point, at most.")
@click.option("--ts", type=click.File("rb"), help="Transport stream to send, instead of a built-in one.")
@click.option("--plot", type=click.Path(dir_okay=False), default="dvbt2_fec_demo.png", show_default=True,
              help="Picture of the sweep.")
@click.option("--sweep/--no-sweep", default=True, show_default=True, help="Draw error rates over Eb/N0.")
@click.option("--check", is_flag=True, help="Fail when a message or a packet of the detailed point is wrong.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the noise.")
def main(**options):
    if options["frame"] == "normal" and options["rate"] in ("1/3", "2/5"):
        raise click.BadParameter("1/3 and 2/5 exist for short frames only", param_hint="--rate")
    if options["modulation"] == "bpsk" and options["rotated"]:
        raise click.BadParameter("bpsk cannot be rotated", param_hint="--rotated")
    n = FRAMES[options["frame"]]
    options["code"] = f"dvbt2:{n}:{options['rate']}"
    code = ldpc.code(options["code"])
    limit = limit_db(code.k / n, max(1, BITS[options["modulation"]] // 2))
    more = MORE[options["modulation"]] * (2 - 2 * code.k / n) ** 2
    margin, first, last = (db + more for db in MARGINS[options["frame"]])
    ebn0 = options["ebn0"] if options["ebn0"] is not None else round(limit + margin, 2)
    stream = read_stream(options["ts"]) if options["ts"] else transport_stream(2000)
    sweep = np.round(limit + np.linspace(first, last, SWEEP_POINTS), 2) if options["sweep"] else []

    console = Console()
    title = (f"DVB-T2 {options['frame']} frames, rate {options['rate']}, {options['modulation'].upper()}"
             f"{' rotated' if options['rotated'] else ''}, "
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
    console.print(f"{point['packets']} transport stream packets came out as they went in, {point['wrong_packets']} did not; the "
                  f"BCH decoder corrected {point['corrected']} bits.")
    if point["parity_errors"]:
        console.print(f"{point['parity_errors']} of these frames have wrong parity bits left.")
    # The default point is chosen so that every frame decodes.
    check = options["check"] or options["ebn0"] is None
    sys.exit(1 if check and (point["frame_errors"] or point["wrong_packets"]) else 0)


if __name__ == "__main__":
    main()
