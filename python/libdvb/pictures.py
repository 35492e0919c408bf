# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots a reception of any standard."""
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

SPECTRUM = 2048  # points
LEAST_SPAN = 6.0  # dB; minimum span of a plot over time
LEAST_DEPTH = 20.0  # dB; minimum span of the spectrum: noise looks flat
TITLE_WIDTH = 100  # characters
LAYOUTS = ("", "A", "AB", "AB;CC", "AB;CD")  # by the number of pictures


def constellation(axes, cells, name):
    axes.plot(cells.real, cells.imag, ",", color="C0", alpha=0.5)
    axes.set(title=f"Constellation, {name}", xlabel="I", ylabel="Q", xlim=(-1.8, 1.8), ylim=(-1.8, 1.8), aspect="equal")


def windows_of(samples):
    """Returns the samples as rows for spectrum(). If there are too few samples, there are no rows."""
    return samples[:len(samples) // SPECTRUM * SPECTRUM].reshape(-1, SPECTRUM)


def spectrum(axes, windows, sample_rate, offset, width):
    """Plots the mean power spectrum, and marks `width` Hz around `offset`."""
    power = np.fft.fftshift((np.abs(np.fft.fft(windows * np.hanning(SPECTRUM), axis=1)) ** 2).mean(axis=0))
    frequency = np.fft.fftshift(np.fft.fftfreq(SPECTRUM, 1e6 / sample_rate))
    axes.axvspan(1e-6 * (offset - width / 2), 1e-6 * (offset + width / 2), color="C2", alpha=0.15, label=f"expected: {1e-6 * width:.4g} MHz")
    axes.plot(frequency, 10 * np.log10(np.maximum(power / (power.max() or 1), 1e-9)), linewidth=0.8)
    axes.set(title="Spectrum of the input", xlabel="frequency in MHz", ylabel="power in dB")
    axes.set_ylim(min(axes.get_ylim()[0], -LEAST_DEPTH), 3)
    axes.legend(loc="lower center")


def over_time(axes, history, name):
    """Plots dB over time from pairs (seconds, dB)."""
    axes.plot(*zip(*history))
    low, high = axes.get_ylim()
    middle, half = (low + high) / 2, max(high - low, LEAST_SPAN) / 2
    axes.set(title=name, xlabel="time in s", ylabel="dB", ylim=(middle - half, middle + half))


def save(path, drawn, title):
    """Writes several pictures to one file. Each element of `drawn` is a function that draws a picture on its axes."""
    if not drawn:
        return
    figure, axes = plt.subplot_mosaic(LAYOUTS[len(drawn)], figsize=(11, 9 if len(drawn) > 2 else 5), layout="constrained")
    for draw, place in zip(drawn, axes.values()):
        draw(place)
        place.grid(alpha=0.3)
    figure.suptitle(textwrap.fill(title, TITLE_WIDTH))  # with wrap=True, the layout would have room for one line only
    figure.savefig(path, dpi=110)
    plt.close(figure)
