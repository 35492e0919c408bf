# SPDX-License-Identifier: GPL-3.0-or-later
"""Soak activities with GNU Radio. Each activity checks its output and returns the number of codewords."""
import sys
import time
from functools import cache
from pathlib import Path

import libdvbs2
import numpy as np
import pmt
from gnuradio import analog, blocks, channels, digital, fec, gr, ldpc

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "ldpc"))
from library_activities import CODE, COUNT, GPU, PLACES, expect, llrs, message  # noqa: E402
from qa_support import byte_source, noisy_codewords, output, tags_of  # noqa: E402

DVB, FIELD = "dvbs2:16200:2/3", "bds:b1c:88"
CHANGES = 6  # of a running flowgraph

field_message, field_llrs = noisy_codewords(FIELD, 40)
packets = np.random.default_rng(1).integers(0, 256, (120, 188), np.uint8)
packets[:, 0], packets[:, 1] = 0x47, packets[:, 1] & 0x7F
# GNU Radio 3.10 never frees a hierarchical block with message ports.
dvb_decoder = ldpc.dvbs2_fec_decoder(DVB, "16apsk", backend="gpu", fallback=True, max_iterations=25, threads=2)
s2_receiver = libdvbs2.receiver(2e6, 1e6, threads=2)  # receives in every round
S2_MODCODS = ["8psk:16200:3/4", "16apsk:16200:2/3"]


def through(source, *chain):
    """Runs a flowgraph until it ends. Returns the output bytes and the sink."""
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    graph.connect(source, *chain, sink)
    graph.run()
    return output(sink), sink


def decoders():
    """Runs five decoder blocks for streams and messages. Without a GPU, the GPU decoder uses the CPU."""
    floats = blocks.vector_source_f((llrs.ravel() / 3).tolist())
    for source, block, expected in (
            (byte_source(llrs), ldpc.ldpc_decoder_cpu_bb(CODE, threads=2, tags=True), message),
            (floats, ldpc.ldpc_decoder_cpu_fb(CODE), message),
            (byte_source(llrs), ldpc.ldpc_decoder_gpu_bb(CODE, fallback=True, tags=True), message),
            (byte_source(field_llrs), ldpc.nb_ldpc_decoder(FIELD, backend="cuda" if GPU else "cpu", tags=True), field_message)):
        got, sink = through(source, block)
        np.testing.assert_array_equal(got, expected.ravel())
        expect(block.frames() == len(expected) and block.failed() == 0, "a codeword failed")
        if block.name() != "ldpc_decoder_cpu_fb":
            expect(len(tags_of(sink, "ldpc_iterations")) == len(expected), "tags are missing")
    return 3 * COUNT + len(field_message) + pdu_decoder()


def pdu_decoder():
    block, heard, graph = ldpc.ldpc_decoder_pdu(CODE), blocks.message_debug(), gr.top_block()
    graph.msg_connect(block, "pdus", heard, "store")
    for row in llrs[:20]:
        block.to_basic_block()._post(pmt.intern("pdus"), pmt.cons(pmt.make_dict(), pmt.init_s8vector(len(row), row.tolist())))
    block.to_basic_block()._post(pmt.intern("system"), pmt.cons(pmt.intern("done"), pmt.from_long(1)))
    graph.run()
    expect(heard.num_messages() == 20, "a PDU is missing")
    return 20


def encoder_and_decoder():
    sent = np.random.default_rng(2).integers(0, 2, (COUNT, 288), np.uint8)
    chunks = digital.map_bb([20, 256 - 20])
    got, _ = through(byte_source(sent), ldpc.ldpc_encoder_bb(CODE), chunks, ldpc.ldpc_decoder_cpu_bb(CODE))
    np.testing.assert_array_equal(got, sent.ravel())
    got, _ = through(byte_source(sent), fec.extended_encoder(ldpc.fec_encoder(CODE), threading=None, puncpat="11"),
                     blocks.char_to_float(), blocks.multiply_const_ff(2.0), blocks.add_const_ff(-1.0),
                     fec.extended_decoder(ldpc.fec_decoder(CODE, gain=4.0), threading=None))
    np.testing.assert_array_equal(got, sent.ravel()[:len(got)])
    expect(len(got) >= (COUNT - 4) * 288, "gr-fec lost codewords")
    return 2 * COUNT


def dvb_chain():
    """Sends packets through gr-dtv's transmitter, noise and the receiver blocks."""
    graph, sink, adder = gr.top_block(), blocks.vector_sink_b(), blocks.add_cc()
    decoder = dvb_decoder
    graph.connect(byte_source(packets), *ldpc.dvb_fec_encoder(DVB), *ldpc.dvb_mapper(DVB, "16apsk"), adder, decoder, sink)
    graph.connect(analog.noise_source_c(analog.GR_GAUSSIAN, 10 ** -0.6, 3), (adder, 1))
    graph.run()
    got = output(sink).reshape(-1, 188)
    expect(len(got) >= 60, "packets are missing")
    np.testing.assert_array_equal(got, packets[:len(got)])
    return int(decoder.counters()["frames"])


@cache
def s2_signal():
    """Returns the samples of two streams with VCM."""
    graph, sink, transmitter = gr.top_block(), blocks.vector_sink_c(), ldpc.dvbs2_transmitter(S2_MODCODS)
    for port in range(2):
        graph.connect(byte_source(packets), (transmitter, port))
    graph.connect(transmitter, channels.channel_model(0.15, 0.02), sink)
    graph.run()
    return np.array(sink.data(), np.complex64)


def s2_reception():
    """A receiver that never ends receives the signal after a gap. Then blocks receive it, and are destroyed."""
    samples, frames = s2_signal(), []
    s2_receiver.gap()
    for at in range(0, len(samples), 30000):
        frames += libdvbs2.frames_of(s2_receiver, samples[at:at + 30000])
    status = s2_receiver.status()
    expect(status["locked"] and status["failed_frames"] == status["ts_errors"] == 0, "frames failed")
    sent = {packet.tobytes() for packet in packets}
    for frame in frames:
        expect(all(packet.tobytes() in sent for packet in frame.packets), "a packet is wrong")
    graph, sinks = gr.top_block(), [blocks.vector_sink_b() for _ in S2_MODCODS]
    source, cells = blocks.vector_source_c(samples), blocks.vector_sink_c()
    receiver, synchronizer = ldpc.dvbs2_receiver(2e6, 1e6, streams=[1, 2], threads=2), ldpc.dvbs2_synchronizer(2e6, 1e6)
    graph.connect(source, receiver)
    graph.connect(source, synchronizer, cells)
    for port, sink in enumerate(sinks):
        graph.connect((receiver, port), sink)
    graph.run()
    for sink in sinks:
        got = output(sink).reshape(-1, 188)
        expect(len(got) >= 60, "packets are missing")
        np.testing.assert_array_equal(got, packets[:len(got)])
    made = synchronizer.status()["frames"]
    expect(len(tags_of(cells, "XFECFRAME")) == made, "tags are missing")
    return len(frames) + 2 * made


def frames_since_the_start(decoder):
    """Waits for at least one frame, because unlock() resets the counters. Returns the number of frames."""
    deadline = time.monotonic() + 60
    while decoder.frames() == 0:
        expect(time.monotonic() < deadline, "nothing is decoded")
        time.sleep(0.001)
    return int(decoder.frames())


def changes_while_it_runs():
    """Calls setters, lock() and unlock(), adds a branch, and restarts the flowgraph. Then restores the settings."""
    graph, sink = gr.top_block(), blocks.null_sink(1)
    source, decoder = byte_source(llrs, repeat=True), ldpc.ldpc_decoder_cpu_bb(CODE, threads=2, algorithm="offset")
    other, other_sink = ldpc.ldpc_decoder_gpu_bb(CODE, fallback=True), blocks.null_sink(1)
    graph.connect(source, decoder, sink)
    graph.start()
    count = 0
    for change in range(CHANGES):
        decoder.set_max_iterations(10 + change)
        decoder.set_early_stop(change % 2 == 0)
        decoder.set_offset(float(change % 3))
        graph.lock()
        if change % 2 == 0:
            graph.connect(source, other, other_sink)
        else:
            graph.disconnect(source, other)
            graph.disconnect(other, other_sink)
        graph.unlock()
        count += frames_since_the_start(decoder)
        if change == CHANGES // 2:
            graph.stop()
            graph.wait()
            graph.start()
    graph.stop()
    graph.wait()
    return count


ACTIVITIES = {f"five decoder blocks with tags ({PLACES})": decoders, "encoder and gr-fec": encoder_and_decoder, "DVB chain": dvb_chain, "DVB-S2 receiver": s2_reception,
              "setters, lock, unlock, stop and start": changes_while_it_runs}
