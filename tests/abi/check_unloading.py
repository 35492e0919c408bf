#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails if a library can be unloaded while one of its threads waits for a GPU."""
import _ctypes
import ctypes
import os
import sys

library = sys.argv[1]
_ctypes.dlclose(ctypes.CDLL(library)._handle)
try:
    ctypes.CDLL(library, os.RTLD_NOLOAD | os.RTLD_NOW)
except OSError:
    sys.exit(f"{library} has been unloaded: expected that it stays")
