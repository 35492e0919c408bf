#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares dvbs2_fec_decoder with the FEC blocks of gr-dvbs2rx, after the synchronisation of gr-dvbs2rx.

gr-dtv makes the signal: PL frames with pilots, two samples per symbol, noise, a carrier offset. With one MODCOD (CCM), both decoders
must output the transmitted packets. Several MODCODs (ACM, VCM) are only possible with dvbs2_fec_decoder. The speed is measured by CPU
time.

    PYTHONPATH=build/test_modules:PREFIX_OF_DVBS2RX python3 tests/bench/dvbs2_receiver.py [--frames N]
"""
import argparse
import os
import sys
import time

import numpy as np
import pmt
from gnuradio import analog, blocks, dtv, dvbs2rx, filter as gr_filter, gr, ldpc
from gnuradio.filter import firdes

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python/ldpc"))
from qa_dvb_chain import packets_for, transport_stream  # noqa: E402
from qa_dvb_support import awgn, bb_frames, dtv_frames  # noqa: E402
from qa_support import output  # noqa: E402

SPS, ROLLOFF, DELAY = 2, 0.2, 5  # samples per symbol; filter
OFFSET = 0.003  # carrier offset, cycles per sample
FRAMES_OF_ESTIMATE = 5  # frames for carrier offset estimation
LOST = 20  # frames lost before acquisition and at the end
CCM = ["qpsk:64800:1/2", "8psk:64800:2/3"]
VCM = ["qpsk:64800:1/2", "8psk:64800:2/3", "16apsk:64800:3/4", "qpsk:16200:3/4", "32apsk:64800:3/4"]
NOISE = {"qpsk:64800:1/2": 0.5, "8psk:64800:2/3": 0.16}  # noise power per symbol; VCM: 0.01
ITERATIONS = 25
REPEATS, ROUNDS = 5, 3  # repetitions of the cells, and of the speed measurement
NUMBERS = {name: number for number, name in enumerate((name for name in ldpc.dvbs2_modcods() if ":64800:" in name), 1)}


def pl_framer(code, modulation):
    """gr-dtv's PL framer with pilots, and an interpolator that inserts a zero after each symbol."""
    _, size, rate = code.split(":")
    frame = dtv.FECFRAME_NORMAL if size == "64800" else dtv.FECFRAME_SHORT
    return [dtv.dvbs2_physical_cc(frame, getattr(dtv, "C" + rate.replace("/", "_")), getattr(dtv, "MOD_" + modulation.upper()),
                                  dtv.PILOTS_ON, 0)]


def transmit(names, noise, seed=1):
    """Returns packets and samples of frames with these MODCODs."""
    codes = [ldpc.dvbs2_modcod_code(name) for name in names]
    ts = transport_stream(sum(packets_for(code, 1) for code in codes), seed)
    matype = 0xF000 if len(set(names)) == 1 else 0xE000
    symbols = awgn(np.concatenate(dtv_frames(names, bb_frames(ts, codes, matype), pl_framer))[::2], noise)
    taps = firdes.root_raised_cosine(SPS, SPS, 1.0, ROLLOFF, 2 * 10 * SPS + 1)
    graph, sink = gr.top_block(), blocks.vector_sink_c()
    graph.connect(blocks.vector_source_c(symbols.astype(np.complex64)), gr_filter.interp_fir_filter_ccf(SPS, taps),
                  blocks.rotator_cc(2 * np.pi * OFFSET), sink)
    graph.run()
    return ts, np.array(sink.data(), np.complex64)


class Synchroniser(gr.hier_block2):
    """Connects the blocks of gr-dvbs2rx that convert samples to XFECFRAME cells."""

    def __init__(self, names):
        super().__init__("synchroniser", gr.io_signature(1, 1, gr.sizeof_gr_complex), gr.io_signature(1, 1, gr.sizeof_gr_complex))
        agc = analog.agc_cc(1e-5, 1.0, 1.0)
        rotator = dvbs2rx.rotator_cc(0, True)
        timing = dvbs2rx.symbol_sync_cc(float(SPS), 1e-3, 1.0, ROLLOFF, DELAY, 128, 0)
        pls = [4 * NUMBERS[name.replace(":16200:", ":64800:")] + 2 * (":16200:" in name) + 1 for name in names]  # 1: pilots
        self.framing = dvbs2rx.plsync_cc(0, FRAMES_OF_ESTIMATE, float(SPS), 0, len(names) > 1, False, *dvbs2rx.params.pls_filter(*pls))
        self.connect(self, agc, rotator, timing, self.framing, self)
        self.msg_connect((self.framing, "rotator_phase_inc"), (rotator, "cmd"))


def receive_cells(samples, names):
    graph, sink = gr.top_block(), blocks.vector_sink_c()
    graph.connect(blocks.vector_source_c(np.concatenate([samples, np.zeros(400000, np.complex64)])), Synchroniser(names), sink)
    graph.run()
    cells = np.array(sink.data(), np.complex64)
    return cells / np.sqrt(np.mean(np.abs(cells) ** 2)), list(sink.tags())


def our_fec(names):
    first = names[0]
    modcods = names if len(names) > 1 else []
    return [ldpc.dvbs2_fec_decoder(ldpc.dvbs2_modcod_code(first), first.partition(":")[0], backend="cpu", max_iterations=ITERATIONS, modcods=modcods)]


def their_fec(names):
    modulation, size, rate = names[0].split(":")
    what = dvbs2rx.params.translate("DVB-S2", "normal" if size == "64800" else "short", rate, modulation.upper())
    return [dvbs2rx.xfecframe_demapper_cb(*what[1:]),
            dvbs2rx.ldpc_decoder_bb(*what, dvbs2rx.OM_MESSAGE, dvbs2rx.INFO_OFF, ITERATIONS, 0),
            dvbs2rx.bch_decoder_bb(*what[:3], dvbs2rx.OM_MESSAGE, 0), dvbs2rx.bbdescrambler_bb(*what[:3]),
            dvbs2rx.bbdeheader_bb(*what[:3], 0)]


def decode(cells, tags, chain):
    """Returns the packets without transport_error_indicator."""
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    graph.connect(blocks.vector_source_c(cells, False, 1, tags), *chain, sink)
    graph.run()
    packets = output(sink)
    packets = packets[:len(packets) // 188 * 188].reshape(-1, 188)
    return packets[packets[:, 1] < 0x80]


def frames_per_second(cells, chain, frames):
    """Returns the frames per second of CPU time. The CPU time includes the vector source."""
    graph = gr.top_block()
    graph.connect(blocks.vector_source_c(np.tile(cells, REPEATS)), *chain, blocks.null_sink(1))
    begun = time.process_time()
    graph.run()
    return REPEATS * frames / (time.process_time() - begun)


def judge(name, packets, ts):
    """Prints the received packets. Returns True if all are correct. Packets may be missing if a frame was lost, or before carrier
    recovery has settled."""
    place = {packet.tobytes(): i for i, packet in enumerate(ts)}
    found = [place.get(packet.tobytes(), -1) for packet in packets]
    gaps = [f"{a} to {b}" for a, b in zip(found, found[1:]) if b != a + 1]
    print(f"  {name}: {len(found)} packets from number {found[0] if found else 0} of {len(ts)} on, {found.count(-1)} wrong, "
          f"gaps: {', '.join(gaps) or 'none'}")
    return len(found) > 0 and -1 not in found and found == sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=200)
    frames = parser.parse_args().frames
    good = True
    for name in CCM:
        ts, samples = transmit([name] * frames, NOISE[name])
        cells, tags = receive_cells(samples, [name])
        received = len(cells) * {"qpsk": 2, "8psk": 3}[name.partition(":")[0]] // 64800
        print(f"CCM {name}: {received} of {frames} frames after the synchroniser")
        ours, theirs = decode(cells, tags, our_fec([name])), decode(cells, tags, their_fec([name]))
        good = judge("dvbs2_fec_decoder", ours, ts) and judge("gr-dvbs2rx", theirs, ts) and good
        same = len({packet.tobytes() for packet in ours} & {packet.tobytes() for packet in theirs})
        print(f"  {same} of gr-dvbs2rx's {len(theirs)} packets are among ours")
        good = good and same == len(theirs)
        speeds = [[frames_per_second(cells, chain([name]), received) for chain in (our_fec, their_fec)] for _ in range(ROUNDS)]
        print("  frames per second of processor time: dvbs2_fec_decoder {:.0f}, gr-dvbs2rx {:.0f}".format(*np.max(speeds, axis=0)))
    order = [VCM[i] for i in np.random.default_rng(1).integers(0, len(VCM), frames)]
    ts, samples = transmit(order, 0.01)
    cells, tags = receive_cells(samples, VCM)
    marked = [tag for tag in tags if pmt.symbol_to_string(tag.key) == "XFECFRAME"]
    print(f"VCM {', '.join(VCM)}: {len(marked)} of {frames} frames after the synchroniser")
    good = judge("dvbs2_fec_decoder", decode(cells, tags, our_fec(VCM)), ts) and len(marked) >= frames - LOST and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
