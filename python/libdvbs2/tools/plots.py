# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots three pictures of a reception: the constellation of the last frame, the spectrum, and Es/N0 over time."""
from libdvb import pictures


def save(path, reception, samples, symbol_rate, title):
    """Plots the latest samples and the received data to one file. The suffix of the file name selects the format. If there is no
    data, no file is written."""
    status = reception.receiver.status()
    windows = pictures.windows_of(samples)
    width = (1 + status["roll_off"]) * symbol_rate
    drawn = [(reception.points, lambda axes: pictures.constellation(axes, *reception.points)),
             (len(windows), lambda axes: pictures.spectrum(axes, windows, reception.sample_rate, [pictures.expected(status["carrier_hz"], width)])),
             (reception.history, lambda axes: pictures.over_time(axes, reception.history, "Es/N0"))]
    pictures.save(path, [draw for there_is_data, draw in drawn if there_is_data], title)
