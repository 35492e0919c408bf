# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of parameters that only flowgraphs of earlier versions have."""
from gnuradio import gr


def saved_backend(backend, fallback):
    """The arguments backend and fallback of a decoder, from the values in a saved flowgraph: "auto" was a GPU where there was one,
    else the CPU; "cpu" and "none" were fallback=True and False."""
    meaning = {"backend": "gpu" if backend == "auto" else backend, "fallback": backend == "auto" or fallback in ("cpu", "True")}
    gr.logger("ldpc").warn(f"backend \"{backend}\" with fallback \"{fallback}\" is of an earlier version and is read as backend "
                           f"\"{meaning['backend']}\" with fallback {meaning['fallback']}: choose these in GNU Radio Companion")
    return meaning
