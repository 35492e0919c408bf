# SPDX-License-Identifier: GPL-3.0-or-later
"""Hides an installed SoapySDR."""
raise ImportError("no SoapySDR")
