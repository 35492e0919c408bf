# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots of a DVB-T2 reception."""
import numpy as np

import libdvbt2
from libdvb import pictures

POINTS = 20000  # maximum number of points of the constellation
# Bandwidth of 32K with normal and with extended carriers, in units of 1/T.
OCCUPIED, EXTENDED = 27265 / 32768, 27841 / 32768


def impulse_response(axes, power, first, step):
    """Plots the power of the taps relative to the strongest tap."""
    axes.plot(first + step * np.arange(len(power)), 10 * np.log10(np.maximum(power / power.max(), 1e-6)), linewidth=0.8)
    axes.set(title="Impulse response", xlabel="delay in us", ylabel="power relative to the main path in dB", ylim=(-60, 3))


def drawn(reception, samples, bandwidth, offset):
    """Returns a list of functions, one for each picture that has data. Each function draws its picture on the axes."""
    points, response = reception.constellation.points(POINTS), reception.receiver.impulse_response()
    windows = pictures.windows_of(samples)
    pre = reception.receiver.l1_pre()
    width = (EXTENDED if pre and pre["bwt_ext"] else OCCUPIED) * libdvbt2.sample_rate(bandwidth)
    all_pictures = [(points is not None, lambda axes: pictures.constellation(axes, *points)),
                    (len(response[0]), lambda axes: impulse_response(axes, *response)),
                    (len(windows), lambda axes: pictures.spectrum(axes, windows, reception.sample_rate, [pictures.expected(offset, width)])),
                    (reception.history, lambda axes: pictures.over_time(axes, reception.history, "MER"))]
    return [draw for there_is_data, draw in all_pictures if there_is_data]


def save(path, reception, samples, bandwidth, offset, title):
    """Plots the latest samples and data to one file. Without samples and data, plots nothing."""
    pictures.save(path, drawn(reception, samples, bandwidth, offset), title)
