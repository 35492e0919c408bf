# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program ldpc-dvbt2 is made of."""
