# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that the programs ldpc-dvbt2 and ldpc-dvbs2 share."""
