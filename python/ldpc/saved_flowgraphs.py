# SPDX-License-Identifier: GPL-3.0-or-later
"""Deprecated parameter values in saved flowgraphs."""
from gnuradio import gr


def saved_backend(backend, fallback):
    """Converts the deprecated values backend="auto", fallback="cpu" and fallback="none" to current values."""
    meaning = {"backend": "gpu" if backend == "auto" else backend, "fallback": backend == "auto" or fallback in ("cpu", "True")}
    gr.logger("ldpc").warn(f"backend \"{backend}\" with fallback \"{fallback}\" is deprecated and is replaced by backend "
                           f"\"{meaning['backend']}\" with fallback {meaning['fallback']}; select these in GNU Radio Companion")
    return meaning
