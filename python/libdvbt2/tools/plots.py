# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots of a reception: constellation, impulse response, spectrum, MER over time."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

POINTS = 20000  # maximum points of the constellation
SPECTRUM = 2048  # points
LEAST_SPAN = 6.0  # dB; minimum span of the MER axis


def constellation(axes, reception):
    axes.set_title("Constellation")
    points = reception.constellation.points(POINTS)
    if points is None:
        axes.text(0.5, 0.5, "no whole frame", ha="center", transform=axes.transAxes)
        return
    cells, name = points
    axes.plot(cells.real, cells.imag, ",", color="C0", alpha=0.5)
    axes.set(title=f"Constellation, {name}", xlabel="I", ylabel="Q", xlim=(-1.8, 1.8), ylim=(-1.8, 1.8), aspect="equal")
    axes.grid(alpha=0.3)


def impulse_response(axes, receiver):
    power, first, step = receiver.impulse_response()
    axes.set(title="Impulse response", xlabel="delay in us", ylabel="power in dB")
    if len(power):
        axes.plot(first + step * np.arange(len(power)), 10 * np.log10(np.maximum(power, 1e-6)), linewidth=0.8)
        axes.set_ylim(-60, 3)
    axes.grid(alpha=0.3)


def spectrum(axes, samples, sample_rate):
    """Draws the power spectrum of the last samples, averaged over windows of SPECTRUM samples."""
    axes.set(title="Spectrum of the input", xlabel="frequency in MHz", ylabel="power in dB")
    windows = samples[:len(samples) // SPECTRUM * SPECTRUM].reshape(-1, SPECTRUM)
    if len(windows):
        power = (np.abs(np.fft.fft(windows * np.hanning(SPECTRUM), axis=1)) ** 2).mean(axis=0)
        frequency = np.fft.fftshift(np.fft.fftfreq(SPECTRUM, 1e6 / sample_rate))
        power = np.fft.fftshift(power)
        axes.plot(frequency, 10 * np.log10(np.maximum(power / (power.max() or 1), 1e-9)), linewidth=0.8)
    axes.grid(alpha=0.3)


def modulation_error(axes, reception):
    axes.set(title="MER", xlabel="time in s", ylabel="dB")
    if reception.history:
        axes.plot(*zip(*reception.history))
        low, high = axes.get_ylim()
        middle, half = (low + high) / 2, max(high - low, LEAST_SPAN) / 2
        axes.set_ylim(middle - half, middle + half)
    axes.grid(alpha=0.3)


def save(path, reception, samples, sample_rate):
    """Draws all four plots in one file; its suffix selects the format."""
    figure, axes = plt.subplots(2, 2, figsize=(11, 9), layout="constrained")
    constellation(axes[0, 0], reception)
    impulse_response(axes[0, 1], reception.receiver)
    spectrum(axes[1, 0], samples, sample_rate)
    modulation_error(axes[1, 1], reception)
    figure.savefig(path, dpi=110)
    plt.close(figure)
