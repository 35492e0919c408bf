# SPDX-License-Identifier: GPL-3.0-or-later
"""Scans a band for DVB-T2 channels."""
import contextlib

import libdvbt2
from libdvb.options import LOWEST
from libdvbt2.tools.reception import Reception

SECONDS = 2.5  # per channel: at least eight T2 frames from 1.7 MHz on
MOST_CHANNELS = 1000


def slowness(bandwidth):
    """Returns the frame duration relative to an 8 MHz channel. Narrow channels have longer frames."""
    return 8 / bandwidth if bandwidth < 1.69 else 1.0


def frequencies(text, step):
    """Returns the centre frequencies in Hz for START:STOP, including STOP. Raises ValueError."""
    try:
        start, stop = map(float, text.split(":"))
        count = (stop - start) / step
        if not (LOWEST <= start < 1e12 and 0 <= count < MOST_CHANNELS):
            raise ValueError
    except ValueError:
        raise ValueError(f"--scan {text}: expected START:STOP in Hz, the centres of the first and of the last channel, such as 474e6:690e6") from None
    return [start + i * step for i in range(int(count + 1e-6) + 1)]


def look(chunks, reception, seconds, show=lambda reception: None, adjust=lambda level: None):
    """Pushes chunks until L1 and a frame were received, for at most `seconds`. Yields each chunk."""
    for data in chunks:
        reception.push(data)
        status = reception.receiver.status()
        adjust(status["level_db"])
        show(reception)
        yield data
        if reception.receiver.l1_post() and status["frames"] >= 2 or reception.seconds > seconds:
            return


def channel_line(frequency, receiver):
    """Returns a line about a channel."""
    status, pre, post = receiver.status(), receiver.l1_pre(), receiver.l1_post()
    head = f"{frequency / 1e6:10.3f} MHz  "
    if not post:
        found = "DVB-T2 P1 symbols, but L1 cannot be decoded" if status["frames_seen"] else "no DVB-T2"
        return f"{head}{found}, level {status['level_db']:.1f} dB"
    plps = ", ".join(f"{plp['plp_id']} ({plp['plp_mod_name']} {plp['plp_cod_name']})" for plp in post["plps"])
    return (f"{head}{status['profile']}, {status['fft_size']}, guard interval {status['guard_interval']}, "
            f"C/N {status['cn_db']:.1f} dB, cell {pre['cell_id']:#06x}, network {pre['network_id']:#06x}, "
            f"system {pre['t2_system_id']:#06x}, PLPs {plps}")


def scan(radio, channels, make_receiver, bandwidth):
    """Yields a text line and a result for each channel."""
    for frequency in channels:
        radio.tune(frequency)
        receiver = make_receiver([libdvbt2.FIRST_PLP])
        reception = Reception(receiver, radio.sample_rate)
        with contextlib.closing(radio.chunks()) as chunks:
            for _data in look(chunks, reception, SECONDS * slowness(bandwidth), adjust=radio.adjust):
                pass
        yield channel_line(frequency, receiver), {"frequency": frequency, "status": receiver.status(), "l1_pre": receiver.l1_pre(),
                                                  "l1_post": receiver.l1_post()}
