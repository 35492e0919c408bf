# SPDX-License-Identifier: GPL-3.0-or-later
"""Codes, and labels with code sizes, for GNU Radio Companion."""
import functools
import os
import re


def code_or_none(code):
    """Returns the code with this name, file or matrix, or None if there is no such code."""
    try:
        import libldpc
        return libldpc.code(code)
    except (ImportError, TypeError, ValueError, OSError):
        return None


@functools.lru_cache(maxsize=64)
def _sizes(name, _changed):
    """Returns n and k in bits, or None for an unknown code."""
    code = code_or_none(name)
    if code is None:
        return None
    bits = code.order.bit_length() - 1
    return bits * code.n, bits * code.k


def _changed(name):
    """Returns the modification time of a code's file, or 0 without a file."""
    try:
        return os.stat(name.partition(":")[2]).st_mtime_ns
    except OSError:
        return 0


def code_label(code, label):
    """Returns the label of a code parameter, with n, k and rate.

    Args:
        code: a name such as "wifi:648:1/2" or "alist:FILE"; for any other value, returns the label without sizes
        label: label of the parameter, such as "Rate"
    """
    sizes = isinstance(code, str) and _sizes(code, _changed(code))
    if not sizes:
        return label
    n, k = sizes
    if label == "Rate" and re.search(r":\d+/\d+$", code):
        return f"n {n}, k {k}, rate"
    return f"n {n}, k {k}, rate {k / n:.3f}; {label[0].lower() + label[1:]}"
