# SPDX-License-Identifier: BSD-3-Clause
"""Allocates memory and uses streams of an NVIDIA GPU through the CUDA driver, for measurements of decoders.

    with gpu.Device(0) as device:
        llrs, bits = device.put(array), device.room(codewords * bytes)
        decoder.decode_device(llrs, bits, codewords, stream=device.stream)
        device.wait()
        result = device.get(bits, (codewords, bytes))
"""
import ctypes
import functools

import numpy as np

CALLS = {  # symbol: argument types
    "cuInit": (ctypes.c_uint,),
    "cuGetErrorString": (ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)),
    "cuDeviceGetCount": (ctypes.POINTER(ctypes.c_int),),
    "cuDeviceGet": (ctypes.POINTER(ctypes.c_int), ctypes.c_int),
    "cuDeviceGetName": (ctypes.c_char_p, ctypes.c_int, ctypes.c_int),
    "cuDevicePrimaryCtxRetain": (ctypes.POINTER(ctypes.c_void_p), ctypes.c_int),
    "cuDevicePrimaryCtxRelease_v2": (ctypes.c_int,),
    "cuCtxPushCurrent_v2": (ctypes.c_void_p,),
    "cuCtxPopCurrent_v2": (ctypes.POINTER(ctypes.c_void_p),),
    "cuMemAlloc_v2": (ctypes.POINTER(ctypes.c_uint64), ctypes.c_size_t),
    "cuMemFree_v2": (ctypes.c_uint64,),
    "cuMemcpyHtoD_v2": (ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t),
    "cuMemcpyDtoHAsync_v2": (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p),
    "cuStreamCreate": (ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint),
    "cuStreamDestroy_v2": (ctypes.c_void_p,),
    "cuStreamSynchronize": (ctypes.c_void_p,),
}
NON_BLOCKING = 1


@functools.cache
def driver():
    """Returns the driver library, or None."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
        for symbol, types in CALLS.items():
            getattr(library, symbol).argtypes = types
    except (OSError, AttributeError):
        return None
    return None if library.cuInit(0) else library


def call(symbol, *arguments):
    """Raises RuntimeError with the driver's error text."""
    library = driver()
    if library is None:
        raise RuntimeError("no NVIDIA driver on this machine")
    failed = getattr(library, symbol)(*arguments)
    if failed:
        text = ctypes.c_char_p()
        library.cuGetErrorString(failed, ctypes.byref(text))
        raise RuntimeError(f"CUDA: {symbol}: {(text.value or b'unknown error').decode(errors='replace')} ({failed})")


def made(symbol, kind, *arguments):
    """Calls a driver function whose first argument points to its result. Returns the result."""
    value = kind()
    call(symbol, ctypes.byref(value), *arguments)
    return value.value


def count():
    """Returns the number of GPUs."""
    try:
        return made("cuDeviceGetCount", ctypes.c_int)
    except RuntimeError:
        return 0


def name_of(number=0):
    """Returns the name of a GPU, or ""."""
    text = ctypes.create_string_buffer(256)
    try:
        call("cuDeviceGetName", text, len(text), made("cuDeviceGet", ctypes.c_int, number))
    except RuntimeError:
        return ""
    return text.value.decode(errors="replace")


class Device:
    """A context manager for a GPU and a stream on it. On exit, all memory is freed."""

    def __init__(self, number=0):
        self.handle = made("cuDeviceGet", ctypes.c_int, number)
        self.context = made("cuDevicePrimaryCtxRetain", ctypes.c_void_p, self.handle)
        self.memory = []
        self.stream = self.within(made, "cuStreamCreate", ctypes.c_void_p, NON_BLOCKING)

    def within(self, function, *arguments):
        """Calls a function with this GPU as current GPU."""
        call("cuCtxPushCurrent_v2", self.context)
        try:
            return function(*arguments)
        finally:
            made("cuCtxPopCurrent_v2", ctypes.c_void_p)

    def room(self, size):
        """Allocates `size` bytes. Returns their address."""
        self.memory.append(self.within(made, "cuMemAlloc_v2", ctypes.c_uint64, size))
        return self.memory[-1]

    def put(self, array):
        """Copies an array to the GPU. Returns its address."""
        array = np.ascontiguousarray(array)
        address = self.room(array.nbytes)
        self.within(call, "cuMemcpyHtoD_v2", address, array.ctypes.data, array.nbytes)
        return address

    def get(self, address, shape, dtype="uint8", stream=None):
        """Returns a copy of GPU memory. The copy follows the pending work on `stream`."""
        array = np.empty(shape, dtype)
        self.within(call, "cuMemcpyDtoHAsync_v2", array.ctypes.data, address, array.nbytes, self.stream if stream is None else stream)
        self.wait(stream)
        return array

    def give_back(self, *addresses):
        for address in addresses:
            self.memory.remove(address)
            self.within(call, "cuMemFree_v2", address)

    def wait(self, stream=None):
        """Waits for the work on the stream. None: the object's stream."""
        self.within(call, "cuStreamSynchronize", self.stream if stream is None else stream)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.give_back(*list(self.memory))
        self.within(call, "cuStreamDestroy_v2", self.stream)
        call("cuDevicePrimaryCtxRelease_v2", self.handle)
