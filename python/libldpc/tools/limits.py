# SPDX-License-Identifier: BSD-3-Clause
"""Reference curves: uncoded modulation, Shannon limit and normal approximation. They hold for Gray-labelled square QAM over AWGN. Eb is
the energy per information bit."""
import functools
import math

import numpy as np

AXIS_BITS = {"bpsk": 1, "qpsk": 1, "16qam": 2, "64qam": 3, "256qam": 4}  # per real dimension
NODES = 60  # of Gauss-Hermite quadrature


def levels_of(modulation):
    """Returns the amplitudes on one axis (I or Q), and their mean square."""
    count = 2 ** AXIS_BITS[modulation]
    return np.arange(1 - count, count, 2), (count**2 - 1) / 3


def tail(x):
    """Returns the probability that a standard normal variable exceeds x."""
    return math.erfc(x / math.sqrt(2)) / 2


def sigma_of(ebn0, bits, modulation):
    """Returns the standard deviation of the noise in I or Q. bits: number of information bits per axis."""
    return math.sqrt(levels_of(modulation)[1] / (2 * bits * 10 ** (ebn0 / 10)))


# ---- uncoded

def axis_errors(modulation, sigma):
    """Returns the expected number of bit errors of one symbol on one axis (I or Q)."""
    levels, _ = levels_of(modulation)
    borders = np.concatenate([[-math.inf], (levels[1:] + levels[:-1]) / 2, [math.inf]])
    labels = [number ^ number >> 1 for number in range(len(levels))]
    total = 0.0
    for sent, level in enumerate(levels):
        above = [tail((border - level) / sigma) for border in borders]
        total += sum((above[i] - above[i + 1]) * bin(labels[sent] ^ labels[i]).count("1") for i in range(len(levels)))
    return total / len(levels)


def uncoded(ebn0, fading="none", modulation="bpsk"):
    """Returns the uncoded bit error rate. Rayleigh fading: BPSK and QPSK (Proakis, 13.3-7)."""
    if fading == "rayleigh":
        power = 10 ** (ebn0 / 10)
        return (1 - math.sqrt(power / (1 + power))) / 2
    bits = AXIS_BITS[modulation]
    return axis_errors(modulation, sigma_of(ebn0, bits, modulation)) / bits


# ---- best codes

@functools.cache
def quadrature():
    """Returns nodes and weights of the quadrature. LAPACK needs up to 0.1 s to compute them."""
    return np.polynomial.hermite.hermgauss(NODES)


def information(modulation, sigma):
    """Returns the capacity and the dispersion of one axis (I or Q) in bits."""
    levels, _ = levels_of(modulation)
    nodes, weights = quadrature()
    noise = nodes * math.sqrt(2) * sigma
    y = levels[:, None, None] + noise[None, :, None]
    exponent = (noise[None, :, None] ** 2 - (y - levels) ** 2) / (2 * sigma**2)
    top = exponent.max(axis=2, keepdims=True)
    density = AXIS_BITS[modulation] - (top[..., 0] + np.log(np.exp(exponent - top).sum(axis=2))) / math.log(2)
    weights = weights / math.sqrt(math.pi)
    mean = float((density @ weights).mean())
    return mean, float((density**2 @ weights).mean()) - mean**2


def shannon_limit(rate, modulation="bpsk"):
    """Returns the Shannon limit of a code rate: Eb/N0 in dB."""
    bits = AXIS_BITS[modulation]
    energy = levels_of(modulation)[1]
    low, high = 1e-3, 30.0 * math.sqrt(energy)  # sigma
    for _ in range(60):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if information(modulation, middle)[0] > rate * bits else (low, middle)
    return 10 * math.log10(energy / (2 * rate * bits * low * low))


def normal_approximation(ebn0, n, k, modulation="bpsk"):
    """Returns the frame error rate of the best (n, k) codes by the normal approximation (Polyanskiy, Poor, Verdu: Channel coding
    rate in the finite blocklength regime, IEEE Trans. Inf. Theory 56, 2010, equation 296 with the term of log2(n) / 2)."""
    uses = n / AXIS_BITS[modulation]
    capacity, dispersion = information(modulation, sigma_of(ebn0, k / uses, modulation))
    if dispersion <= 0:
        return 0.0 if uses * capacity > k else 1.0
    return tail((uses * capacity - k + math.log2(uses) / 2) / math.sqrt(uses * dispersion))
