#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Transmits a transport stream with DVB-T2 over a simulated channel and receives it.

gr-dtv modulates a transport stream. The channel adds an echo, noise, a carrier offset and a clock offset. The receiver of gr-ldpc
detects all parameters except the sample rate. The received packets are compared with the transmitted packets.
"""
import binascii
import sys

import click
import numpy as np
from gnuradio import blocks, channels, filter, gr, ldpc
from gnuradio.filter import firdes
from libdvbt2.tools import report
from libldpc.tools import cli
from rich.console import Console

PACKET = 188
SAMPLE_RATE = 10e6  # Hz, of the receiver
FRAME = 187904  # samples per T2 frame of the transmitter
OCCUPIED = 0.832  # occupied bandwidth relative to the transmitter's sample rate
ECHO_SAMPLES = 44  # delay of the echo, 4.8 us
LEVEL = 0.25  # RMS amplitude of the signal, full scale 1


def crc32_mpeg(data):
    """Return the CRC-32 of PSI sections (ISO/IEC 13818-1, annex A). It equals the CRC of binascii, except for the order of bits."""
    mirrored = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
    return int(f"{binascii.crc32(mirrored) ^ 0xFFFFFFFF:032b}"[::-1], 2)


def psi_packet(pid, counter, table_id, table_id_extension, body):
    """Return one TS packet with one PSI section."""
    section = (bytes([table_id]) + (0xB000 | len(body) + 9).to_bytes(2, "big") + table_id_extension.to_bytes(2, "big")
               + bytes([0xC1, 0, 0]) + body)
    section += crc32_mpeg(section).to_bytes(4, "big")
    header = bytes([0x47, 0x40 | pid >> 8, pid & 0xFF, 0x10 | counter % 16, 0])
    return (header + section).ljust(188, b"\xFF")


def transport_stream(packets):
    """Return a small transport stream. In every 20 packets there are a PAT and a PMT. All other packets are null packets."""
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


def read_stream(file):
    """Return the packets of a TS file from its first sync byte on."""
    data = file.read()
    start = next((i for i in range(188) if data[i:i + 376:188] == b"\x47\x47"), None)
    if start is None:
        raise click.BadParameter("not a transport stream: no sync bytes 188 bytes apart at its beginning", param_hint="--ts")
    return data[start:start + (len(data) - start) // 188 * 188]


class Loopback(gr.top_block):
    """Transmitter, channel, receiver."""

    def __init__(self, options, stream):
        super().__init__("DVB-T2 loop-back")
        transmitter = ldpc.dvbt2_transmitter(options["code"], options["modulation"], options["rotated"])
        rate = transmitter.RATE
        echo = [LEVEL] + (ECHO_SAMPLES - 1) * [0] + [LEVEL * 10 ** (options["echo"] / 20)]
        power = sum(tap ** 2 for tap in echo)
        noise = (power / OCCUPIED * 10 ** (-options["cn"] / 10)) ** 0.5
        channel = channels.channel_model(noise, options["carrier"] / rate, 1.0, echo, options["seed"])
        taps = firdes.low_pass_2(32, 32 * rate, 4.5e6, 1.4e6, 60)
        clock = filter.pfb_arb_resampler_ccf(SAMPLE_RATE / rate * (1 + 1e-6 * options["clock"]), taps, 32)
        self.receiver = ldpc.dvbt2_receiver(SAMPLE_RATE, backend=options["backend"], fallback=options["fallback"], threads=options["threads"])
        self.sink = blocks.vector_sink_b()
        self.connect(blocks.vector_source_b(list(stream), True), transmitter, blocks.head(gr.sizeof_gr_complex, options["frames"] * FRAME),
                     channel, clock, self.receiver, self.sink)


def compare(stream, received):
    """Return the numbers of correct and of wrong packets."""
    sent = np.frombuffer(stream, np.uint8).reshape(-1, PACKET)
    got = np.frombuffer(received, np.uint8).reshape(-1, PACKET)
    best = 0
    for start in np.flatnonzero((sent == got[0]).all(axis=1)) if len(got) else []:
        expected = sent[(start + np.arange(len(got))) % len(sent)]
        best = max(best, int((got == expected).all(axis=1).sum()))
    return best, len(got) - best


@click.command(help=__doc__)
@click.option("--rate", type=click.Choice(("1/2", "3/5", "2/3", "3/4", "4/5", "5/6")), default="2/3", show_default=True, help="Code rate.")
@click.option("--modulation", type=click.Choice(("qpsk", "16qam", "64qam", "256qam")), default="64qam", show_default=True,
              help="Constellation of the cells.")
@click.option("--rotated/--no-rotated", default=True, show_default=True, help="Rotated constellation.")
@click.option("--frames", type=click.IntRange(4), default=20, show_default=True, help="T2 frames, 20.55 ms each.")
@click.option("--cn", type=click.FloatRange(-100, 100), callback=cli.finite, default=20.0, show_default=True, help="C/N in dB.")
@click.option("--echo", type=click.FloatRange(-100, 0), callback=cli.finite, default=-6.0, show_default=True, help="Power of an echo after 4.8 us, dB.")
@click.option("--carrier", type=click.FloatRange(-400e3, 400e3), callback=cli.finite, default=3100.0, show_default=True, help="Carrier offset, Hz.")
@click.option("--clock", type=click.FloatRange(-100, 100), callback=cli.finite, default=20.0, show_default=True, help="Clock offset, ppm.")
@cli.decoder_option("backend", show_default=True)
@cli.decoder_option("fallback")
@click.option("--threads", type=click.IntRange(0, cli.MOST_THREADS), default=1, show_default=True, help="Decoder threads; 0 = all cores.")
@click.option("--ts", type=click.File("rb"), help="Transport stream to send, instead of a built-in one.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the noise.")
def main(**options):
    options["code"] = f"dvbt2:16200:{options['rate']}"
    stream = read_stream(options["ts"]) if options["ts"] else transport_stream(4000)
    try:
        graph = Loopback(options, stream)
    except RuntimeError as error:  # no GPU
        raise click.ClickException(str(error)) from None
    graph.run()
    l1 = graph.receiver.l1() or {"pre": None, "post": None}
    counters = graph.receiver.counters()
    console = Console()
    console.print(f"A DVB-T2 signal with an echo of {options['echo']:g} dB, {options['carrier']:+g} Hz and {options['clock']:+g} ppm off, "
                  f"C/N {options['cn']:g} dB, was received:")
    for table in report.tables({"status": graph.receiver.status(), "l1_pre": l1["pre"], "l1_post": l1["post"],
                                "streams": [{"plp": None, "counters": counters, "kernel": counters["kernel"]}]}):
        console.print(table)
    right, wrong = compare(stream, bytes(graph.sink.data()))
    console.print(f"{right} transport stream packets were received correctly, {wrong} with errors.")
    sys.exit(0 if right and not wrong else 1)


if __name__ == "__main__":
    main()
