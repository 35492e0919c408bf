# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules of ldpc-dvbt2 and ldpc-dvbs2."""
