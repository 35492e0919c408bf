# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of dvbt2_receiver.py, with signals and channels of tests/dvbt2."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "dvbt2/generate"))
