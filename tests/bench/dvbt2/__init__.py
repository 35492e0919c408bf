# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements of dvbt2_receiver.py."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "dvbt2/generate"))
