# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that the program ldpc-dvbt2 uses."""
