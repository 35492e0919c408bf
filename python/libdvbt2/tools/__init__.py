# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules of the program ldpc-dvbt2."""
