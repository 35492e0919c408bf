# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures lost frames after lost samples, gain steps and noise bursts."""
import dataclasses

import numpy as np
import t2_loop
from t2_packets import Watch, compare
from t2_trial import frame_packets

from . import modes
from .results import Result

FRAMES = 14
HIT = 6        # index of the disturbed frame
CN = 30.0
LEVEL = 10 ** (-32 / 20)  # relative to full scale, with headroom for a step of 20 dB
SYMBOLS = {"8k": 0, "2k": 0, "7": 19, "3": 19}
GAPS = (1, 7, 500, "symbol", .25, .5, .93, 1.0, 1.37, 2.61, 3.0)  # samples; as floats, frames


@dataclasses.dataclass
class Disturbed:
    name: str
    samples: np.ndarray
    hit: set        # indices of the affected frames
    resumes: float  # sample at which the disturbance ends


def frames_of(loop, first, last):
    return set(range(int(first // loop.frame_samples), int(last // loop.frame_samples) + 1))


def gap(loop, signal, length):
    frame = loop.frame_samples
    symbol = (loop.d["nfft"] + loop.d["guard"]) * frame / loop.d["frame_samples"]
    count = round(symbol) if length == "symbol" else round(length * frame) if isinstance(length, float) else length
    first = round((HIT + .4) * frame)
    name = f"gap of {count} samples ({count / frame:.3g} frames)"
    return Disturbed(name, np.delete(signal, slice(first, first + count)), frames_of(loop, first, first + count), first)


def step(loop, signal, db):
    first = round((HIT + .4) * loop.frame_samples)
    changed = signal.copy()
    changed[first:] *= np.float32(10 ** (db / 20))
    return Disturbed(f"gain step of {db:+d} dB", changed, {HIT}, first)


def burst(loop, signal, db):
    """Adds noise to a P1 symbol. Level: dB relative to the signal."""
    first = round(HIT * loop.frame_samples)
    count = round(2048 * loop.frame_samples / loop.d["frame_samples"])
    changed = signal.copy()
    power = np.mean(np.abs(signal) ** 2) * 10 ** (db / 10)
    changed[first:first + count] += t2_loop.complex_noise(t2_loop.generator(7), count, power)
    return Disturbed(f"burst of {db:+d} dB over a P1", changed, {HIT}, first + count)


def lost_frames(d, comparison):
    """Returns the indices of frames with missing packets. Packets at the end of a frame are ignored."""
    came = np.zeros(d["ts_packets"], bool)
    for start, count in comparison.runs:
        came[start:start + count] = True
    return {f for f in range(d["frames"]) if not came[slice(*frame_packets(d, f))].all()}


def receive(loop, sent, case):
    """Returns the number of lost frames, the number of frames until tracking, the number of wrong packets, and the status."""
    watch = Watch(loop.rate, "cs16")
    watch.push(t2_loop.quantise(case.samples, "cs16", LEVEL))
    comparison = compare(watch.finish(), sent)
    again = [samples for samples, state, *_ in watch.events if samples > case.resumes and state == "tracking"]
    fell = any(state != "tracking" for samples, state, *_ in watch.events if samples > case.resumes)
    frames = (again[0] - case.resumes) / loop.frame_samples if again and fell else 0.0
    lost = {f for f in lost_frames(loop.d, comparison) if f > 3}  # the first frames pass during acquisition
    return lost, frames, comparison.wrong, watch.receiver.status()


def cases(loop, signal):
    for length in GAPS:
        yield gap(loop, signal, length)
    for db in (20, -20):
        yield step(loop, signal, db)
    for db in (10, 30):
        yield burst(loop, signal, db)


def measure(settings):
    result = Result("Lost samples, gain steps, bursts", ["mode", "what", "frames hit", "frames lost besides", "wrong packets",
                                                         "frames until it tracks again"])
    besides, wrong, longest = 0, 0, 0.0
    for preset, symbols in SYMBOLS.items():
        d, inputs, stem = modes.clean(settings.folder, preset, FRAMES, symbols)
        loop = t2_loop.through_channel(d, inputs, rate=10e6, ppm=12., carrier=5e3)
        signal = np.concatenate(list(loop.blocks(len(loop.x) + round(.6 * loop.frame_samples), CN)))
        signal /= np.float32(np.sqrt(np.mean(np.abs(signal) ** 2)))
        for case in cases(loop, signal):
            lost, frames, bad, _status = receive(loop, modes.packets(stem), case)
            besides, wrong, longest = besides + len(lost - case.hit), wrong + bad, max(longest, frames)
            result.add(modes.describe(d), case.name, len(lost & case.hit), len(lost - case.hit), bad, frames)
            settings.say(f"{preset}: {case.name}: {len(lost - case.hit)} frames lost besides")
    result.judge("frames lost besides those hit", "none", f"{besides}", not besides)
    result.judge("wrong packets", "none", f"{wrong}", not wrong)
    result.judge("locked again", "within 2 frames", f"{longest:.2f} frames", longest <= 2)
    return result
