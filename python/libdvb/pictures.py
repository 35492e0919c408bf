# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots a reception of any standard."""
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

SPECTRUM = 2048  # points
COLOURS = 9  # of bands; C0 is the spectrum
LEAST_SPAN = 6.0  # dB; minimum span of a plot over time
LEAST_DEPTH = 20.0  # dB; minimum span of the spectrum: noise looks flat
TITLE_WIDTH = 100  # characters
LAYOUTS = ("", "A", "AB", "AB;CC", "AB;CD")  # by the number of pictures


def constellation(axes, cells, name):
    axes.plot(cells.real, cells.imag, ",", color="C0", alpha=0.5)
    axes.set(title=f"Constellation, {name}", xlabel="I", ylabel="Q", xlim=(-1.8, 1.8), ylim=(-1.8, 1.8), aspect="equal")


def windows_of(samples, points=SPECTRUM):
    """Returns the samples as rows for spectrum(). If there are too few samples, there are no rows."""
    return samples[:len(samples) // points * points].reshape(-1, points)


def spectrum(axes, windows, sample_rate, bands):
    """Plots the mean power spectrum, and marks bands, each (centre in Hz, width in Hz, name)."""
    points = windows.shape[1]
    power = np.fft.fftshift((np.abs(np.fft.fft(windows * np.hanning(points).astype(np.float32), axis=1)) ** 2).mean(axis=0))
    frequency = np.fft.fftshift(np.fft.fftfreq(points, 1e6 / sample_rate))
    for number, (centre, width, name) in enumerate(bands):
        axes.axvspan(1e-6 * (centre - width / 2), 1e-6 * (centre + width / 2), color=f"C{number % COLOURS + 1}", alpha=0.2, label=name)
    axes.plot(frequency, 10 * np.log10(np.maximum(power / (power.max() or 1), 1e-9)), linewidth=0.8)
    axes.set(title="Spectrum of the input", xlabel="frequency in MHz", ylabel="power in dB")
    axes.set_ylim(min(axes.get_ylim()[0], -LEAST_DEPTH), 3)
    if bands:
        axes.legend(loc="lower center", fontsize="small" if len(bands) > 1 else None)


def expected(centre, width):
    """Returns the band of an expected signal for spectrum()."""
    return centre, width, f"expected: {1e-6 * width:.4g} MHz"


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
