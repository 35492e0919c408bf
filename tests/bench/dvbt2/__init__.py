# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of dvbt2_receiver.py. They use the signals and channels of tests/dvbt2."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "dvbt2/generate"))
