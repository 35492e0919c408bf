#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Encodes, transmits over AWGN and decodes BeiDou B1C navigation messages.

Subframe 2 (600 bits) and subframe 3 (264 bits) of B-CNAV1 each end with a CRC-24Q and are encoded by 64-ary LDPC codes. GNU Radio
encodes messages, adds Gaussian noise to BPSK symbols and decodes the LLRs. Every decoded message is compared with the
transmitted message. Its CRC is checked, too, as in a receiver.
"""
import math
import sys

import click
import numpy as np
from gnuradio import analog, blocks, digital, gr, ldpc

SUBFRAMES = {2: "bds:b1c:200", 3: "bds:b1c:88"}
CRC_BITS = 24
CRC_POLYNOMIAL = 0x864CFB


def crc24q(bits):
    """Return the CRC-24Q of an array of bits; 0 for a message followed by its CRC."""
    register = 0
    for bit in bits:
        feedback = register >> 23 ^ int(bit)
        register = (register << 1 & 0xFFFFFF) ^ (CRC_POLYNOMIAL if feedback else 0)
    return register


def make_messages(count, bits, seed):
    """Return random navigation data with its CRC: uint8 array (count, bits)."""
    messages = np.random.default_rng(seed).integers(0, 2, (count, bits), dtype=np.uint8)
    for message in messages:
        crc = crc24q(message[:-CRC_BITS])
        message[-CRC_BITS:] = [crc >> i & 1 for i in range(CRC_BITS - 1, -1, -1)]
    return messages


class Link(gr.top_block):
    """Encoder, BPSK, noise, LLRs, decoder."""

    def __init__(self, code, messages, ebn0, seed):
        super().__init__("BeiDou B1C")
        self.encoder = ldpc.ldpc_encoder_bb(code)
        self.decoder = ldpc.ldpc_decoder_cpu_bb(code, tags=True)
        self.decoded = blocks.vector_sink_b()
        variance = 1 / (2 * self.encoder.k() / self.encoder.n() * 10 ** (ebn0 / 10))
        adder = blocks.add_ff()
        self.connect(blocks.vector_source_b(messages.ravel().tolist()), self.encoder,
                     digital.chunks_to_symbols_bf([1.0, -1.0]), adder,
                     blocks.float_to_char(1, ldpc.DEFAULT_LLR_SCALE * 2 / variance),  # LLR = 2 y / variance
                     self.decoder, self.decoded)
        self.connect(analog.noise_source_f(analog.GR_GAUSSIAN, math.sqrt(variance), seed), (adder, 1))


def transmit(code, count, ebn0, seed):
    """Return the number of messages, the number of wrong messages, the number of wrong messages with a valid CRC, and the iterations per
    message."""
    probe = ldpc.ldpc_encoder_bb(code)
    messages = make_messages(count, probe.k(), seed)
    link = Link(code, messages, ebn0, seed)
    link.run()
    received = np.array(link.decoded.data(), dtype=np.uint8).reshape(-1, probe.k())
    if len(received) != count:
        sys.exit(f"{code}: {len(received)} of {count} messages were decoded")
    wrong = (received != messages).any(axis=1)
    accepted = np.array([crc24q(message) == 0 for message in received])
    return int(wrong.sum()), int((wrong & accepted).sum()), link.decoder.mean_iterations()


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--subframe", type=click.Choice(["2", "3", "both"]), default="both", help="Which subframe.")
@click.option("--ebn0", "points", type=float, multiple=True, default=(1.0, 1.5, 2.0, 2.5), help="Eb/N0 in dB, repeatable.")
@click.option("--frames", type=click.IntRange(1), default=500, help="Messages per point.")
@click.option("--seed", type=click.IntRange(1), default=1, help="Seed of data and noise.")
def main(subframe, points, frames, seed):
    """Send BeiDou B1C messages over AWGN and count decoding errors."""
    click.echo("subframe  Eb/N0    messages  wrong  accepted by the CRC  iterations")
    for number in SUBFRAMES if subframe == "both" else [int(subframe)]:
        for ebn0 in points:
            wrong, undetected, iterations = transmit(SUBFRAMES[number], frames, ebn0, seed)
            click.echo(f"{number:8}  {ebn0:4.1f} dB  {frames:8}  {wrong:5}  {undetected:19}  {iterations:10.1f}")


if __name__ == "__main__":
    main()
