# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots the constellation, the impulse response, the spectrum and the MER over time of a reception."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import libdvbt2

POINTS = 20000  # maximum points of the constellation
SPECTRUM = 2048  # points
LEAST_SPAN = 6.0  # dB; minimum span of the MER axis
LEAST_DEPTH = 20.0  # dB; minimum span of the spectrum: noise looks flat
LAYOUTS = ("", "A", "AB", "AB;CC", "AB;CD")  # by the number of pictures
# Bandwidth that the carriers of normal symbols and of symbols with extended carriers occupy, relative to 1/T. The values are those of 32K; those of
# smaller FFT sizes differ by 0.02 %.
OCCUPIED, EXTENDED = 27265 / 32768, 27841 / 32768


def constellation(axes, points):
    cells, name = points
    axes.plot(cells.real, cells.imag, ",", color="C0", alpha=0.5)
    axes.set(title=f"Constellation, {name}", xlabel="I", ylabel="Q", xlim=(-1.8, 1.8), ylim=(-1.8, 1.8), aspect="equal")


def impulse_response(axes, power, first, step):
    """Plots the power of the taps relative to the strongest tap."""
    axes.plot(first + step * np.arange(len(power)), 10 * np.log10(np.maximum(power / power.max(), 1e-6)), linewidth=0.8)
    axes.set(title="Impulse response", xlabel="delay in us", ylabel="power relative to the main path in dB", ylim=(-60, 3))


def spectrum(axes, windows, sample_rate, offset, width):
    """Plots the power spectrum, averaged over windows of samples, and marks the band of `width` Hz around `offset` that the channel
    occupies."""
    power = np.fft.fftshift((np.abs(np.fft.fft(windows * np.hanning(SPECTRUM), axis=1)) ** 2).mean(axis=0))
    frequency = np.fft.fftshift(np.fft.fftfreq(SPECTRUM, 1e6 / sample_rate))
    axes.axvspan(1e-6 * (offset - width / 2), 1e-6 * (offset + width / 2), color="C2", alpha=0.15, label=f"expected: {1e-6 * width:.4g} MHz")
    axes.plot(frequency, 10 * np.log10(np.maximum(power / (power.max() or 1), 1e-9)), linewidth=0.8)
    axes.set(title="Spectrum of the input", xlabel="frequency in MHz", ylabel="power in dB")
    axes.set_ylim(min(axes.get_ylim()[0], -LEAST_DEPTH), 3)
    axes.legend(loc="lower center")


def modulation_error(axes, history):
    axes.plot(*zip(*history))
    low, high = axes.get_ylim()
    middle, half = (low + high) / 2, max(high - low, LEAST_SPAN) / 2
    axes.set(title="MER", xlabel="time in s", ylabel="dB", ylim=(middle - half, middle + half))


def pictures(reception, samples, bandwidth, offset):
    """Returns one function for each picture for which there is data. The function draws the picture on the axes that it is
    given."""
    points, response = reception.constellation.points(POINTS), reception.receiver.impulse_response()
    windows = samples[:len(samples) // SPECTRUM * SPECTRUM].reshape(-1, SPECTRUM)
    pre = reception.receiver.l1_pre()
    width = (EXTENDED if pre and pre["bwt_ext"] else OCCUPIED) * libdvbt2.sample_rate(bandwidth)
    drawn = [(points is not None, lambda axes: constellation(axes, points)), (len(response[0]), lambda axes: impulse_response(axes, *response)),
             (len(windows), lambda axes: spectrum(axes, windows, reception.sample_rate, offset, width)),
             (reception.history, lambda axes: modulation_error(axes, reception.history))]
    return [draw for there_is_data, draw in drawn if there_is_data]


def save(path, reception, samples, bandwidth, offset, title):
    """Plots the most recent samples and the received data into one file. The suffix of the file name selects the format. If there
    is no data, no file is written."""
    drawn = pictures(reception, samples, bandwidth, offset)
    if not drawn:
        return
    figure, axes = plt.subplot_mosaic(LAYOUTS[len(drawn)], figsize=(11, 9 if len(drawn) > 2 else 5), layout="constrained")
    for draw, place in zip(drawn, axes.values()):
        draw(place)
        place.grid(alpha=0.3)
    figure.suptitle(title, wrap=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
