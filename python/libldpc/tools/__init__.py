# SPDX-License-Identifier: BSD-3-Clause
"""Modules that the programs share: command lines, result files, plots, and simulation with threads and on several machines."""
