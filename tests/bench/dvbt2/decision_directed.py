# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures decision-directed estimation in TU-6, at the Doppler frequency of channels.py. Prints codeword error rates over C/N, and CPU
time."""
import math
import time

import libdvbt2

from . import channels, fading, modes
from .codewords import ITERATIONS, NOISE_BLOCK, drain, receive
from .processes import pool
from .results import Result

PASSES = 0, 1, 3
# C/N values in dB for each mode. If only pilots are used, few codewords fail at the first value and many fail at the last value.
CHOSEN = {"2K": (12, 11.5, 11), "8K": (17, 16, 15), "32K PP4": (13, 12, 11)}
SECONDS = 1.0
PRICED = "32K PP4", (20, 12)  # a C/N at which every codeword converges, and one at which many do not


def wrong_codewords(path, d, doppler, cn, passes, seconds):
    codewords = math.ceil(seconds * d["fs"] / d["frame_samples"]) * d["nblocks"]
    return receive(fading.load(path, fading.TU6, doppler), cn, round(doppler * 8) + 1, codewords, decision_directed=passes)


def processor_time(path, doppler, cn, passes, seconds):
    """Returns the CPU time for one second of signal."""
    loop = fading.load(path, fading.TU6, doppler)
    blocks = list(loop.blocks(round(seconds * loop.rate), cn, round(doppler * 8) + 1, size=NOISE_BLOCK))
    receiver = libdvbt2.receiver(loop.rate, loop.sample_format, decision_directed=passes)
    decoder = libdvbt2.plp_decoder(max_iterations=ITERATIONS)
    start = time.process_time()
    for block in blocks:
        for cells, noise, frame, first in libdvbt2.cells_of(receiver, block):
            decoder.feed(frame, first, cells, noise)
        drain(decoder)
    decoder.finish()
    return (time.process_time() - start) / seconds


def measure(settings):
    result = Result("Decision-directed channel estimates: wrong codewords, TU-6; seconds of processor time for a second of signal",
                    ["mode", "Doppler, Hz", "C/N, dB", "codewords"] + [f"{passes} times" for passes in PASSES] + ["time"])
    chosen = {name: CHOSEN[name] for name in settings.chosen(CHOSEN, ("2K",))}
    seconds = .2 if settings.quick else SECONDS
    least = math.inf
    with pool(settings.jobs) as workers:
        paths = {name: workers.submit(channels.prepare, settings.folder, name, "TU-6") for name in chosen}
        running = {}
        for name, ratios in chosen.items():
            path = paths[name].result()
            d = modes.known(settings.folder, name)
            doppler = channels.wanted(d, "TU-6")[0]
            for cn in ratios:
                running[name, doppler, cn] = [workers.submit(wrong_codewords, path, d, doppler, cn, passes, seconds) for passes in PASSES]
        for (name, doppler, cn), futures in running.items():
            counts = [future.result() for future in futures]
            result.add(name, doppler, cn, counts[0].codewords, *[count.wrong for count in counts], "")
            settings.say(f"{name}, {cn} dB: {', '.join(str(count.wrong) for count in counts)} of {counts[0].codewords}")
            least = min(least, counts[0].wrong - counts[-1].wrong)
    name, ratios = PRICED
    if name in chosen:
        d = modes.known(settings.folder, name)
        doppler = channels.wanted(d, "TU-6")[0]
        for cn in ratios:
            spent = [processor_time(paths[name].result(), doppler, cn, passes, seconds) for passes in PASSES]
            result.add(name, doppler, cn, "", *["" for _ in PASSES], ", ".join(f"{s:.2f}" for s in spent))
            settings.say(f"{name}, {cn} dB: {', '.join(f'{s:.2f}' for s in spent)} s")
    result.judge("wrong codewords with decision-directed estimates", "never more", "never more" if least >= 0 else f"{-least} more", least >= 0)
    return result
