# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads samples from a radio through SoapySDR's Python module."""
import math
import queue
import threading
import time
from typing import NamedTuple

import numpy as np

CHUNK = 1 << 16  # samples
WAITING = 256  # queued chunks: 1.7 s at 10 MS/s
SILENCE = 5.0  # seconds without a sample until reception fails
LEVEL = -12.0  # target, dB of full scale: OFDM has peaks 10 dB above its mean
TOLERANCE = 3.0  # dB around the target without a change of gain
STEP = 6.0  # maximum change of gain, dB
INTERVAL = 0.25  # seconds between changes of gain; samples wait in queues


def load():
    """Returns SoapySDR's module. Raises ValueError if it is missing."""
    try:
        import SoapySDR
    except ImportError:
        raise ValueError("--soapy: SoapySDR's Python module is not installed; Debian and Ubuntu call it python3-soapysdr") from None
    return SoapySDR


def next_gain(gain, level_db, lowest, highest):
    """Returns the next gain in dB. It is one step closer to the gain for LEVEL."""
    missing = LEVEL - level_db
    if abs(missing) <= TOLERANCE:
        return gain
    return min(highest, max(lowest, gain + min(STEP, max(-STEP, missing))))


class Gap(NamedTuple):
    """A number of lost samples, or 0 if the number is unknown."""

    samples: int


class Radio:
    """A radio is an endless source of complex float samples. If `gain` is None, adjust() sets the gain."""

    format = "cf32"
    samples = None  # endless
    notes = ()

    def __init__(self, arguments, sample_rate, frequency, gain=None, antenna=None):
        self.soapy = load()
        self.path, self.sample_rate = arguments, sample_rate
        self._gain, self._asked = 0.0, -1.0  # gain in dB, time of the last query
        try:
            self.device = self._open(arguments)
            self._set_up(sample_rate, gain, antenna)
            self.tune(frequency)
        except (RuntimeError, ValueError) as error:
            raise ValueError(f"--soapy {arguments}: {error}") from None
        self._adjusted = 0.0  # time of the last check of the gain
        self.overflows = 0  # overflows of radio and queue
        self._lost = 0.0  # samples lost since the last queued ones; NaN: unknown
        self._end = None  # radio's time at the end of the queued samples, ns
        self._waiting, self._stop, self._failure = queue.Queue(WAITING), threading.Event(), None

    def _open(self, arguments):
        try:
            return self.soapy.Device(arguments)
        except RuntimeError as error:
            if "no match" not in str(error):
                raise
            raise ValueError("no radio matches these arguments; SoapySDRUtil --find lists the radios whose driver is installed "
                             "(soapysdr-module-hackrf and others)") from None

    def _set_up(self, sample_rate, gain, antenna):
        rx, device = self.soapy.SOAPY_SDR_RX, self.device
        device.setSampleRate(rx, 0, sample_rate)
        self.sample_rate = device.getSampleRate(rx, 0) or sample_rate
        if antenna:
            device.setAntenna(rx, 0, antenna)
        own = device.hasGainMode(rx, 0)
        if own:
            device.setGainMode(rx, 0, gain is None)
        self.adjusts, self._span = gain is None and not own, device.getGainRange(rx, 0)
        if gain is not None:
            device.setGain(rx, 0, gain)

    def tune(self, frequency):
        self.device.setFrequency(self.soapy.SOAPY_SDR_RX, 0, frequency)
        self.frequency = frequency

    def doubt(self, _data):
        """A radio's sample format is known, so there is never a warning."""
        return ""

    def gain(self):
        """Returns the gain in dB. Asks the radio at most once a second."""
        if time.monotonic() - self._asked > 1:
            self._gain, self._asked = self.device.getGain(self.soapy.SOAPY_SDR_RX, 0), time.monotonic()
        return self._gain

    def adjust(self, level_db):
        """Changes the gain towards the target level. Call adjust() often, with the level in dB of full scale. Does nothing if the radio
        controls its gain."""
        if not self.adjusts or time.monotonic() - self._adjusted < INTERVAL:
            return
        self._adjusted = time.monotonic()
        old = self.gain()
        new = next_gain(old, level_db, self._span.minimum(), self._span.maximum())
        if new != old:
            self.device.setGain(self.soapy.SOAPY_SDR_RX, 0, new)
            self._asked = -1.0

    def chunks(self):
        """Yields arrays of samples, and a Gap for lost samples."""
        stream = self.device.setupStream(self.soapy.SOAPY_SDR_RX, self.soapy.SOAPY_SDR_CF32)
        self._stop.clear()
        self.device.activateStream(stream)
        reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        reader.start()
        try:
            while (data := self._waiting.get()) is not self._stop:
                yield data
            if self._failure:
                raise RuntimeError(f"{self.path}: {self._failure}")
        finally:
            self._stop.set()
            reader.join()
            self.device.deactivateStream(stream)
            self.device.closeStream(stream)
            while not self._waiting.empty():
                self._waiting.get()

    def _read(self, stream):
        self._lost, self._end, last = 0.0, None, time.monotonic()
        while not self._stop.is_set():
            buffer = np.empty(CHUNK, np.complex64)
            result = self.device.readStream(stream, [buffer], CHUNK, timeoutUs=100000)
            if result.ret > 0:
                self._put(buffer[:result.ret], result.timeNs if result.flags & self.soapy.SOAPY_SDR_HAS_TIME else None)
                last = time.monotonic()
            elif result.ret == self.soapy.SOAPY_SDR_OVERFLOW:
                self.overflows += 1
                self._lost = math.nan
            elif result.ret not in (0, self.soapy.SOAPY_SDR_TIMEOUT):
                self._fail(f"reading failed: {self.soapy.errToStr(result.ret)}")
            elif time.monotonic() - last > SILENCE:
                self._fail(f"no samples for {SILENCE:g} s")

    def _put(self, samples, start):
        """Queues samples, after a Gap if samples were lost. start: time of the first sample in ns, or None."""
        if self._waiting.qsize() > WAITING - 3:  # for the gap, the samples and the end
            self.overflows += self._lost == 0
            self._lost += len(samples)
            return
        if self._lost != 0:
            if start is not None and self._end is not None:
                self._lost = max(0.0, 1e-9 * (start - self._end) * self.sample_rate)
            self._waiting.put(Gap(0 if math.isnan(self._lost) else round(self._lost)))
        self._waiting.put(samples)
        self._lost, self._end = 0.0, None if start is None else start + 1e9 * len(samples) / self.sample_rate

    def _fail(self, sentence):
        self._failure = sentence
        self._stop.set()
        self._waiting.put(self._stop)
