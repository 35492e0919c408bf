# SPDX-License-Identifier: BSD-3-Clause
"""Modules that the programs share."""
