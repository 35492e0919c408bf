# SPDX-License-Identifier: BSD-3-Clause
"""Allocates result arrays in GPU memory with PyTorch, CuPy or this module."""
import contextlib
import functools
import sys

import numpy as np

from . import _libldpc
from .tools import gpu


@functools.cache
def device(number):
    """Returns a GPU. The object lives until the process ends."""
    return gpu.Device(number)


class device_array:
    """An array in GPU memory. torch.from_dlpack(array), cupy.asarray(array) and other users of DLPack or __cuda_array_interface__ accept it
    without a copy. get() copies it to the host.

    The content is complete when the pending work on the array's stream is done.
    """

    def __init__(self, shape, dtype, number=0, stream=0):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.number, self.stream = number, stream
        self.nbytes = self.dtype.itemsize * int(np.prod(self.shape, dtype=np.int64))
        self._device = device(number)
        self._address = self._device.room(max(1, self.nbytes))

    def __del__(self):
        if hasattr(self, "_address"):
            self.synchronize()  # pending work may still write to it
            self._device.give_back(self._address)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._address, False), "strides": None, "version": 3,
                "stream": self.stream or 1}

    def __dlpack_device__(self):
        return (2, self.number)  # CUDA

    def __dlpack__(self, stream=None, **_):
        """Return a DLPack capsule. Waits for pending work, unless `stream` is -1 or the stream of the array."""
        if stream not in (-1, self.stream or 1):
            self.synchronize()
        return _libldpc._dlpack_capsule(self._address, self.shape, self.dtype.str, self.number, self)

    def synchronize(self):
        """Wait until the content of the array is complete."""
        self._device.wait(self.stream)

    def get(self):
        """Return a copy of the array in host memory."""
        return self._device.get(self._address, self.shape, self.dtype, self.stream)

    def __repr__(self):
        return f"<libldpc.device_array: {self.dtype} of shape {self.shape} on GPU {self.number}>"


def owner_of(array):
    """Returns the module of an array's library, or None."""
    name = type(array).__module__.partition(".")[0]
    return sys.modules[name] if name in ("torch", "cupy") else None


def stream_of(array):
    """Returns an array's stream: the library's current stream, or the stream in __cuda_array_interface__."""
    library = owner_of(array)
    if library is None:
        return getattr(array, "__cuda_array_interface__", {}).get("stream") or 0
    if library.__name__ == "torch":
        return library.cuda.current_stream(array.device).cuda_stream
    return library.cuda.get_current_stream().ptr


def number_of(array):
    """Returns the GPU of an array, or 0 if unknown."""
    return int(array.__dlpack_device__()[1]) if hasattr(array, "__dlpack_device__") else 0


def current(library, array, stream):
    """Returns a context with `stream` as the library's current stream."""
    cuda = library.cuda
    if library.__name__ == "torch":
        return cuda.stream(cuda.ExternalStream(stream, array.device) if stream else cuda.default_stream(array.device))
    return cuda.ExternalStream(stream)


def empty_beside(array, shape, dtype, stream):
    """Allocates memory on the array's GPU through the array's library. The allocation is ordered on `stream`."""
    library = owner_of(array)
    if library is None:
        return device_array(shape, dtype, number_of(array), stream)
    with contextlib.nullcontext() if stream == stream_of(array) else current(library, array, stream):
        if library.__name__ == "torch":
            return array.new_empty(shape, dtype=getattr(library, dtype))
        return library.empty(shape, dtype)
