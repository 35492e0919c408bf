# SPDX-License-Identifier: BSD-3-Clause
"""Modules that the programs share: command lines, result files, the simulation over threads and machines, plots."""
