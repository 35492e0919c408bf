# SPDX-License-Identifier: GPL-3.0-or-later
"""In place of a SoapySDR that may be installed: none."""
raise ImportError("no SoapySDR")
