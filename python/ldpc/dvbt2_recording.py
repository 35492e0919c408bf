# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording for the simulated radio of examples/dvbt2_live.grc."""
import os

import libdvbt2
import numpy as np
from gnuradio import blocks, gr

from .dvb_transmitter import dvbt2_transmitter

OVERSAMPLING = 35, 32
FRAMES = 22          # whole super-frames with exactly PACKETS packets, for a loop
FRAME_SAMPLES = 187904
PACKETS = 7914
LEVEL = 0.25         # RMS amplitude
ECHO = 4.7e-6, -6.0  # s, dB
CARRIER = 3100.0     # Hz
CN_DB = 23.0


def dvbt2_sample_rate(bandwidth):
    """Return the sample rate for a channel of `bandwidth` MHz. It is proportional to the bandwidth: 10e6 samples/s for 8 MHz."""
    return libdvbt2.sample_rate(bandwidth) * OVERSAMPLING[0] / OVERSAMPLING[1]


def recorded_packets():
    """Return the packets of a recording, as a uint8 array of shape (packets, 188)."""
    return np.insert(np.random.default_rng(1).integers(0, 128, (PACKETS, 187), np.uint8), 0, 0x47, axis=1)


def _transmitted():
    graph, sink = gr.top_block(), blocks.vector_sink_c()
    graph.connect(blocks.vector_source_b(recorded_packets().ravel(), True), dvbt2_transmitter("dvbt2:16200:2/3", "64qam"),
                  blocks.head(gr.sizeof_gr_complex, FRAMES * FRAME_SAMPLES), sink)
    graph.run()
    return np.array(sink.data(), np.complex64)


def _on_the_air(signal):
    """Adds an echo, a carrier offset and noise, and resamples. The signal stays periodic."""
    count, more = len(signal), len(signal) * OVERSAMPLING[0] // OVERSAMPLING[1]
    rate, (delay, echo_db) = dvbt2_transmitter.RATE, ECHO
    frequencies = np.fft.fftfreq(count, 1 / rate)
    spectrum = np.fft.fft(signal) * (1 + 10 ** (echo_db / 20) * np.exp(-2j * np.pi * frequencies * delay))
    wider = np.zeros(more, complex)
    wider[np.rint(frequencies * count / rate).astype(int)] = spectrum  # negative frequencies count from the end
    samples = np.fft.ifft(np.roll(wider, round(CARRIER * count / rate)))
    samples *= LEVEL / np.sqrt(np.mean(np.abs(samples) ** 2))
    noise = np.random.default_rng(2).normal(0, LEVEL * 10 ** (-CN_DB / 20) / np.sqrt(2), (more, 2))
    return (samples + noise.view(complex)[:, 0]).astype(np.complex64)


def dvbt2_recording(path):
    """Create a recording of complex float samples with gr-dtv, unless the file exists.

    The recording can be looped. The sample rate determines its bandwidth: see dvbt2_sample_rate(). Raises OSError if the file cannot
    be written."""
    if os.path.exists(path):
        return
    unfinished = f"{path}.{os.getpid()}"
    _on_the_air(_transmitted()).tofile(unfinished)
    os.replace(unfinished, path)
