# SPDX-License-Identifier: GPL-3.0-or-later
"""What GNU Radio Companion shows of the code that a block's parameters name."""
import functools
import os
import re


@functools.lru_cache(maxsize=64)
def _sizes(name, _changed):
    """n and k in bits, or None for what is no code."""
    try:
        import libldpc
        code = libldpc.code(name)
    except (ImportError, ValueError, OSError):
        return None
    bits = code.order.bit_length() - 1
    return bits * code.n, bits * code.k


def _changed(name):
    """When a code's file was written; 0 for names of the library."""
    try:
        return os.stat(name.partition(":")[2]).st_mtime_ns
    except OSError:
        return 0


def code_label(code, label):
    """The label of the parameter that chooses a code, or completes its name, with n, k and rate in front.

    Args:
        code: a name such as "wifi:648:1/2" or "alist:FILE"; of no code, or of a variable, which shows them itself: the label alone
        label: of the parameter, such as "Rate"
    """
    sizes = isinstance(code, str) and _sizes(code, _changed(code))
    if not sizes:
        return label
    n, k = sizes
    if label == "Rate" and re.search(r":\d+/\d+$", code):
        return f"n {n}, k {k}, rate"
    return f"n {n}, k {k}, rate {k / n:.3f}; {label[0].lower() + label[1:]}"
