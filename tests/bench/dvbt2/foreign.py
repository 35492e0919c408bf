# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged signals and signals other than DVB-T2 give no packets and a clear status. The receiver must not crash."""
import os

import numpy as np
import t2_loop
from t2_packets import Watch, compare

from . import modes
from .processes import in_child
from .results import Result

RATE, DVBT_RATE = 10e6, 64e6 / 7
SECONDS, QUICK_SECONDS = 1.0, .62  # the receiver reports no signal after 0.6 s
SPOILED = 40  # number of corrupted signals


def transmit_dvbt(path):
    """Makes a DVB-T signal (8K, 64-QAM, 2/3). DVB-T and DVB-T2 have the same elementary rate."""
    from gnuradio import blocks, digital, dtv, fft, gr

    packets = np.random.default_rng(1).integers(0, 256, (16000, 188), np.uint8)
    packets[:, 0] = 0x47
    qam, rate, size = dtv.MOD_64QAM, dtv.C2_3, dtv.T8k
    graph = gr.top_block()
    graph.connect(
        blocks.vector_source_b(packets.ravel().tolist(), True), dtv.dvbt_energy_dispersal(1),
        dtv.dvbt_reed_solomon_enc(2, 8, 0x11d, 255, 239, 8, 51, 8), dtv.dvbt_convolutional_interleaver(136, 12, 17),
        dtv.dvbt_inner_coder(1, 6048, qam, dtv.NH, rate), dtv.dvbt_bit_inner_interleaver(6048, qam, dtv.NH, size),
        dtv.dvbt_symbol_inner_interleaver(6048, size, 1), dtv.dvbt_map(6048, qam, dtv.NH, size, 1),
        dtv.dvbt_reference_signals(gr.sizeof_gr_complex, 6048, 8192, qam, dtv.NH, rate, rate, dtv.GI_1_32, size, 0, 0),
        fft.fft_vcc(8192, False, (1 / 64,) * 8192, True, 1), digital.ofdm_cyclic_prefixer(8192, 8192 + 256, 0, ""),
        blocks.head(8, int(DVBT_RATE * SECONDS)), blocks.file_sink(8, path))
    graph.run()


def dvbt(folder):
    path = os.path.join(folder, "dvbt.cf32")
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        in_child(transmit_dvbt, path)
    return np.fromfile(path, np.complex64)


def signals(settings):
    """Returns name, cs8 samples and rate of each signal."""
    count = int((QUICK_SECONDS if settings.quick else SECONDS) * RATE)
    noise = t2_loop.complex_noise(t2_loop.generator(1), count, 1.0)
    t = np.arange(count)
    tone = np.exp(2j * np.pi * .0123 * t).astype(np.complex64)

    def cs8(x, level):
        return t2_loop.quantise(x, "cs8", np.float32(level / np.sqrt(np.mean(np.abs(x) ** 2) + 1e-30)))

    yield "noise", cs8(noise, .25), RATE
    yield "noise, every sample clipped", cs8(noise, 1e4), RATE
    yield "silence", np.zeros(2 * count, np.int8), RATE
    yield "constant", np.full(2 * count, 127, np.int8), RATE
    yield "tone", cs8(tone, .5), RATE
    yield "tone, clipped", cs8(tone, 1e3), RATE
    yield "tone in noise", cs8(tone + .1 * noise, .25), RATE
    yield "pulses", cs8(np.where(t % 1024 < 5, noise, 0).astype(np.complex64), .25), RATE
    yield "noise that repeats after 1024 samples", cs8(np.tile(noise[:1024], count // 1024), .25), RATE
    if not settings.quick:
        yield "DVB-T 8K 64QAM 2/3", cs8(dvbt(settings.folder), .25), DVBT_RATE


def spoil(x, rng):
    """Returns a signal with damaged parts."""
    y = x.copy()
    for _ in range(1 + int(rng.integers(12))):
        first = int(rng.integers(len(y)))
        part = slice(first, first + int(10 ** rng.uniform(0, 5.5)))
        how = int(rng.integers(6))
        if how == 0:
            y[part] = 0
        elif how == 1:
            y[part] = y[part][::-1]
        elif how == 2:
            y[part] = np.conj(y[part])
        elif how == 3:
            y[part] *= np.float32(10 ** rng.uniform(-3, 3))
        elif how == 4:
            y[part] = np.complex64(complex(np.nan, np.inf)) if rng.random() < .3 else 1e30
        else:
            y = np.delete(y, part)
    return y


def spoiled(settings, result):
    """Returns the number of wrong packets, and the number of signals that are tracked at the end."""
    wrong = again = 0
    d, inputs, stem = modes.clean(settings.folder, "2k", 14)
    sent, loop = modes.packets(stem), t2_loop.through_channel(d, inputs)
    count = 4 if settings.quick else SPOILED
    whole = np.concatenate([loop.x, loop.x])
    for seed in range(count):
        rng = np.random.default_rng(seed)
        watch = Watch(loop.rate)
        watch.push(np.concatenate([spoil(whole, rng), loop.x[:6 * d["frame_samples"]]]))
        wrong += compare(watch.finish(), sent).wrong
        again += watch.receiver.status()["state"] == "tracking"
    result.add(f"T2 with spoiled parts, {count} signals", f"tracking at the end in {again}", f"{wrong} wrong ones", "")
    result.judge("spoiled T2", "no wrong packet, received again", f"{wrong} wrong, {again} of {count} received again",
                 not wrong and again == count)


def measure(settings):
    result = Result("Signals that are not DVB-T2", ["signal", "state at the end", "packets", "message"])
    packets = tracking = 0
    for name, samples, rate in signals(settings):
        watch = Watch(rate, "cs8")
        watch.push(samples)
        came, status = len(watch.finish()), watch.receiver.status()
        packets += came
        tracking += status["locks"] > 0 or status["state"] not in ("search", "guard interval")
        result.add(name, status["state"], came, status["message"])
        settings.say(f"{name}: {status['state']}, {came} packets {status['message']}")
    result.judge("signals that are not T2", "no packets, state reports it", f"{packets} packets, {tracking} were tracked",
                 not packets and not tracking)
    spoiled(settings, result)
    return result
