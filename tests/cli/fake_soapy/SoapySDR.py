# SPDX-License-Identifier: GPL-3.0-or-later
"""Replaces SoapySDR's Python module by one simulated radio that plays a recording in a loop. Environment:

    FAKE_SOAPY_FILE       recording: int8 I Q I Q ...
    FAKE_SOAPY_FREQUENCY  frequency of the recording in Hz; other frequencies have noise. If unset, all frequencies have the recording
    FAKE_SOAPY_SPEED      samples per second. If unset, samples arrive as fast as they are read
    FAKE_SOAPY_OVERFLOW   number of reads between losses of samples
    FAKE_SOAPY_ERROR      error code of all reads
    FAKE_SOAPY_AGC        if set, the radio has automatic gain control
    FAKE_SOAPY_LOG        log file with a line for each call of a setter
"""
import os
import time
from typing import NamedTuple

import numpy as np

SOAPY_SDR_RX, SOAPY_SDR_CF32 = 1, "CF32"
SOAPY_SDR_TIMEOUT, SOAPY_SDR_OVERFLOW = -1, -4
SOAPY_SDR_HAS_TIME = 4
FULL_GAIN = 40.0  # dB; gain at which samples have the level of the recording


class Range(NamedTuple):
    low: float
    high: float

    def minimum(self):
        return self.low

    def maximum(self):
        return self.high


class Result(NamedTuple):
    ret: int
    flags: int = 0
    timeNs: int = 0


def errToStr(code):
    return f"error {code}"


class Device:
    def __init__(self, arguments):
        if arguments != "driver=fake":
            raise RuntimeError("no match")
        codes = np.fromfile(os.environ["FAKE_SOAPY_FILE"], np.int8).astype(np.float32) / 128
        self.samples = codes.view(np.complex64)
        self.noise = np.random.default_rng(1).normal(0, 0.05, (len(self.samples), 2)).astype(np.float32).reshape(-1).view(np.complex64)
        self.gain, self.rate, self.frequency, self.position, self.reads = 0.0, 0.0, 0.0, 0, 0

    def log(self, *what):
        if "FAKE_SOAPY_LOG" in os.environ:
            with open(os.environ["FAKE_SOAPY_LOG"], "a", encoding="utf-8") as file:
                print(*what, file=file)

    def setSampleRate(self, _direction, _channel, rate):
        self.rate = rate
        self.log("rate", rate)

    def getSampleRate(self, _direction, _channel):
        return self.rate

    def setFrequency(self, _direction, _channel, frequency):
        self.frequency = frequency
        self.log("frequency", frequency)

    def setAntenna(self, _direction, _channel, name):
        self.log("antenna", name)

    def hasGainMode(self, _direction, _channel):
        return "FAKE_SOAPY_AGC" in os.environ

    def setGainMode(self, _direction, _channel, automatic):
        self.log("automatic gain", automatic)

    def setGain(self, _direction, _channel, gain):
        self.gain = gain
        self.log("gain", gain)

    def getGain(self, _direction, _channel):
        return self.gain

    def getGainRange(self, _direction, _channel):
        return Range(0.0, 60.0)

    def setupStream(self, _direction, sample_format):
        assert sample_format == SOAPY_SDR_CF32
        return object()

    def activateStream(self, _stream):
        self.log("activate")

    def deactivateStream(self, _stream):
        self.log("deactivate")

    def closeStream(self, _stream):
        self.log("close")

    def readStream(self, _stream, buffers, count, timeoutUs):
        self.reads += 1
        if "FAKE_SOAPY_ERROR" in os.environ:
            return Result(int(os.environ["FAKE_SOAPY_ERROR"]))
        if self.reads % int(os.environ.get("FAKE_SOAPY_OVERFLOW", 1 << 30)) == 0:
            self.position += 30011
            return Result(SOAPY_SDR_OVERFLOW)
        count = min(count, 16384)
        on_air = float(os.environ.get("FAKE_SOAPY_FREQUENCY", self.frequency)) == self.frequency
        source = self.samples if on_air else self.noise
        at = np.arange(self.position, self.position + count) % len(source)
        buffers[0][:count] = np.clip((source[at] * 10 ** ((self.gain - FULL_GAIN) / 20)).view(np.float32), -1, 1).view(np.complex64)
        self.position += count
        time.sleep(count / float(os.environ["FAKE_SOAPY_SPEED"]) if "FAKE_SOAPY_SPEED" in os.environ else 0)
        return Result(count, SOAPY_SDR_HAS_TIME, round(1e9 * (self.position - count) / self.rate))
