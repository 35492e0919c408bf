# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in a GPU's memory: those of PyTorch and CuPy where the LLRs are theirs, else device_array."""
import contextlib
import functools
import sys

import numpy as np

from . import _libldpc
from .tools import gpu


@functools.cache
def device(number):
    """A GPU, for as long as the process lives."""
    return gpu.Device(number)


class device_array:
    """An array in a GPU's memory. torch.from_dlpack(array), cupy.asarray(array) and all others that know DLPack or
    __cuda_array_interface__ take it without a copy; get() copies it to the host.

    Its content is there when its stream has come so far."""

    def __init__(self, shape, dtype, number=0, stream=0):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.number, self.stream = number, stream
        self.nbytes = self.dtype.itemsize * int(np.prod(self.shape, dtype=np.int64))
        self._device = device(number)
        self._address = self._device.room(max(1, self.nbytes))

    def __del__(self):
        if hasattr(self, "_address"):
            self.synchronize()  # work on the stream may write to it still
            self._device.give_back(self._address)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._address, False), "strides": None, "version": 3,
                "stream": self.stream or 1}

    def __dlpack_device__(self):
        return (2, self.number)  # CUDA

    def __dlpack__(self, stream=None, **_):
        """A capsule. A stream other than its own waits for the work on that one; -1 asks for no waiting."""
        if stream not in (-1, self.stream or 1):
            self.synchronize()
        return _libldpc._dlpack_capsule(self._address, self.shape, self.dtype.str, self.number, self)

    def synchronize(self):
        """Wait until the content is there."""
        self._device.wait(self.stream)

    def get(self):
        """A copy on the host."""
        return self._device.get(self._address, self.shape, self.dtype, self.stream)

    def __repr__(self):
        return f"<libldpc.device_array: {self.dtype} of shape {self.shape} on GPU {self.number}>"


def owner_of(array):
    """The library whose array it is: its module, or None."""
    name = type(array).__module__.partition(".")[0]
    return sys.modules[name] if name in ("torch", "cupy") else None


def stream_of(array):
    """The stream that its content comes on: the current one of PyTorch or CuPy, or what the array says; 0 = the default one."""
    library = owner_of(array)
    if library is None:
        return getattr(array, "__cuda_array_interface__", {}).get("stream") or 0
    if library.__name__ == "torch":
        return library.cuda.current_stream(array.device).cuda_stream
    return library.cuda.get_current_stream().ptr


def number_of(array):
    """Of the GPU, 0 where the array does not say it."""
    return int(array.__dlpack_device__()[1]) if hasattr(array, "__dlpack_device__") else 0


def current(library, array, stream):
    """A context with this stream as the library's current one."""
    cuda = library.cuda
    if library.__name__ == "torch":
        return cuda.stream(cuda.ExternalStream(stream, array.device) if stream else cuda.default_stream(array.device))
    return cuda.ExternalStream(stream)


def empty_beside(array, shape, dtype, stream):
    """Memory on the same GPU, from the library that the array is of, for work on this stream. Freed memory that PyTorch and CuPy
    give out again may still be in use on the stream that was current then."""
    library = owner_of(array)
    if library is None:
        return device_array(shape, dtype, number_of(array), stream)
    with contextlib.nullcontext() if stream == stream_of(array) else current(library, array, stream):
        if library.__name__ == "torch":
            return array.new_empty(shape, dtype=getattr(library, dtype))
        return library.empty(shape, dtype)
