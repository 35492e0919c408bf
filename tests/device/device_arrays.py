#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests LLRs in GPU memory from __cuda_array_interface__ and DLPack, and from PyTorch and CuPy if installed.

Results must equal those of decode() on the host, byte for byte. No LLRs may be copied.

    PYTHONPATH=build/test_modules python3 tests/device/device_arrays.py

Without a GPU: LD_LIBRARY_PATH=build/tests/fake_gpu FAKE_GPU_CODES=wimax:576:1/2
"""
import ctypes
import gc
import re
import sys

import numpy as np

import libldpc
from libldpc import device_memory
from libldpc.tools import gpu

CODE = libldpc.code("wimax:576:1/2")
COUNT = 70
CUDA, CPU = 2, 1


class Interface:
    """Minimal producer of __cuda_array_interface__."""

    def __init__(self, array, device, **changes):
        self.address, self.device = device.put(array), device
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "data": (self.address, False), "version": 3,
                                         "strides": None, "stream": device.stream, **changes}


class Tensor(ctypes.Structure):
    """DLManagedTensor of DLPack with its DLTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


capsule_new = ctypes.pythonapi.PyCapsule_New
capsule_new.restype, capsule_new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


class Dlpack:
    """Minimal producer of DLPack, for GPU arrays or numpy arrays."""
    CODES = {"i": 0, "u": 1, "f": 2}

    def __init__(self, array, device=None, offset=0, strides=None):
        self.array, self.device = array, device
        self.address = device.put(array) if device else array.ctypes.data
        self.offset, self.strides = offset, strides
        self.streams, self.deleted = [], 0

    def __dlpack_device__(self):
        return (CUDA if self.device else CPU, 0)

    def __dlpack__(self, stream=None, **_):
        self.streams.append(stream)
        array, axes = self.array, self.array.ndim
        self.shape = (ctypes.c_int64 * axes)(*array.shape)
        steps = self.strides and (ctypes.c_int64 * axes)(*self.strides)

        def delete(_):
            self.deleted += 1

        self.deleter = Tensor._fields_[-1][1](delete)
        self.tensor = Tensor(self.address - self.offset, *self.__dlpack_device__(), axes, self.CODES[array.dtype.kind],
                             8 * array.dtype.itemsize, 1, self.shape, steps, self.offset, None, self.deleter)
        return capsule_new(ctypes.addressof(self.tensor), b"dltensor", None)


def same(result, expected, infos):
    """Decodes on the GPU and on the host. Both results are in host memory."""
    bits, info = result[0], result[1]
    np.testing.assert_array_equal(bits, expected)
    np.testing.assert_array_equal(info[..., 0], infos["iterations"])
    np.testing.assert_array_equal(info[..., 1], infos["unsatisfied"])
    np.testing.assert_array_equal(info[..., 2] & 0xffff, infos["converged"] + 256 * infos["decoded"])


class Checks:
    def __init__(self):
        self.device = device_memory.device(0)
        self.decoder = libldpc.decoder(CODE, backend="cuda", max_iterations=10, max_batch=32)  # forces several batches
        self.llrs = libldpc.noisy_frames(CODE, 1.0, count=COUNT)[1]
        host = libldpc.decoder(CODE, backend="cuda", max_iterations=10, packed=True)
        self.message, self.info, self.posteriors = host.decode(self.llrs, posteriors=True)
        self.codeword = host.decode(self.llrs, output="codeword")[0]
        assert 0 < self.info["converged"].sum() < COUNT

    def fetched(self, results):
        return [result.get() for result in results]

    def interface(self):
        llrs = Interface(self.llrs, self.device)
        results = self.decoder.decode(llrs, posteriors=True)
        assert all(isinstance(result, libldpc.device_array) and result.stream == self.device.stream for result in results)
        fetched = self.fetched(results)
        same(fetched, self.message, self.info)
        np.testing.assert_array_equal(fetched[2], self.posteriors)
        same(self.fetched(self.decoder.decode(llrs, output="codeword")), self.codeword, self.info)
        one = self.fetched(self.decoder.decode(Interface(self.llrs[3], self.device)))
        assert one[0].shape == (self.decoder.k // 8,) and one[1].shape == (3,)
        same(one, self.message[3], self.info[3])

    def the_default_stream(self):
        for stream in (None, 1):
            results = self.decoder.decode(Interface(self.llrs, self.device, stream=stream))
            same(self.fetched(results), self.message, self.info)
        llrs = Dlpack(self.llrs, self.device)
        same(self.fetched(self.decoder.decode(llrs)), self.message, self.info)
        assert llrs.streams == [1], "0 is no stream of DLPack"

    def dlpack(self):
        for more in ({}, {"offset": 64}, {"strides": (CODE.n, 1)}):
            llrs = Dlpack(self.llrs, self.device, **more)
            same(self.fetched(self.decoder.decode(llrs, stream=self.device.stream)), self.message, self.info)
            assert (llrs.streams, llrs.deleted) == ([self.device.stream], 1), "one capsule, for the stream of the work, given back"

    def results_are_lent(self):
        bits = self.decoder.decode(Interface(self.llrs, self.device))[0]
        facts = bits.__cuda_array_interface__
        assert (facts["shape"], facts["typestr"], facts["stream"]) == ((COUNT, CODE.k // 8), "|u1", self.device.stream)
        capsule = bits.__dlpack__(stream=self.device.stream)
        tensor = Tensor.from_address(capsule_pointer(capsule, b"dltensor"))
        assert (tensor.data, tensor.device_type, tensor.ndim, tensor.code, tensor.bits) == (facts["data"][0], CUDA, 2, 1, 8)
        assert list(tensor.shape[:2]) == list(bits.shape) and not tensor.strides
        before = sys.getrefcount(bits)
        del capsule
        assert sys.getrefcount(bits) == before - 1, "an unused capsule gives its array back"

    def a_buffer_of_the_caller(self):
        """Tests decode_device with addresses, with arrays, and with a part of a buffer."""
        llrs, bits = Interface(self.llrs, self.device), Interface(np.zeros((COUNT, CODE.k // 8), np.uint8), self.device)
        self.decoder.decode_device(llrs, bits, stream=self.device.stream)
        np.testing.assert_array_equal(self.device.get(bits.address, (COUNT, CODE.k // 8)), self.message)
        small = Dlpack(np.zeros((5, CODE.k // 8), np.uint8), self.device)
        self.decoder.decode_device(llrs, small, 5, stream=self.device.stream)
        np.testing.assert_array_equal(self.device.get(small.address, (5, CODE.k // 8)), self.message[:5])

    def wrong_arrays(self):
        d, llrs = self.device, self.llrs
        read_only = Interface(np.zeros((COUNT, CODE.k // 8), np.uint8), d)
        read_only.__cuda_array_interface__["data"] = (read_only.address, True)
        right = Interface(llrs, d)
        for call, kind, says in (
                (lambda: self.decoder.decode(Interface(llrs, d, strides=(CODE.n + 1, 1))), ValueError, "C order"),
                (lambda: self.decoder.decode(Dlpack(llrs, d, strides=(1, COUNT))), ValueError, "C order"),
                (lambda: self.decoder.decode(Interface(llrs[:, 1:].copy(), d)), ValueError, "n = 576"),
                (lambda: self.decoder.decode(Interface(llrs.astype("i2"), d)), TypeError, "int8 .* not int16 of shape"),
                (lambda: self.decoder.decode(Interface(llrs, d, mask=right)), ValueError, "without a mask"),
                (lambda: self.decoder.decode(right, input="costs"), ValueError, "in host memory"),
                (lambda: libldpc.decoder(CODE, backend="cpu").decode(right), RuntimeError, "backend .cuda."),
                (lambda: self.decoder.decode_device(right, Interface(np.zeros(9, "u1"), d)), ValueError, "of 2520 bytes"),
                (lambda: self.decoder.decode_device(right, read_only), ValueError, "writable"),
                (lambda: self.decoder.decode_device(right, 1, COUNT + 1), ValueError, "LLRs of 70"),
                (lambda: self.decoder.decode_device(llrs, 1), TypeError, "on the GPU")):
            try:
                call()
            except kind as error:
                assert re.search(says, str(error)), f"{error} does not say {says}"
            else:
                raise AssertionError(f"no {kind.__name__} that says {says}")

    def arrays_of_the_host(self):
        decoder = libldpc.decoder(CODE, backend="cpu", max_iterations=10)
        expected = decoder.decode(self.llrs)[0]
        np.testing.assert_array_equal(decoder.decode(Dlpack(self.llrs))[0], expected)
        np.testing.assert_array_equal(CODE.encode(Dlpack(np.ascontiguousarray(expected))), CODE.encode(expected))

    def pytorch(self):
        import torch
        llrs = torch.from_numpy(self.llrs).cuda()
        with torch.cuda.stream(torch.cuda.Stream()):
            llrs = llrs + 0
            bits, info, posteriors = self.decoder.decode(llrs, posteriors=True)
            results = [bits.cpu().numpy(), info.cpu().numpy()]
        assert isinstance(bits, torch.Tensor) and bits.is_cuda
        same(results, self.message, self.info)
        np.testing.assert_array_equal(posteriors.cpu().numpy(), self.posteriors)
        again = torch.from_dlpack(self.decoder.decode(Interface(self.llrs, self.device))[0])
        np.testing.assert_array_equal(again.cpu().numpy(), self.message)
        np.testing.assert_array_equal(libldpc.decoder(CODE, max_iterations=10, arithmetic="i16", packed=True).decode(torch.from_numpy(self.llrs))[0],
                                      self.message)

    def cupy(self):
        import cupy
        with cupy.cuda.Stream(non_blocking=True):
            llrs = cupy.asarray(self.llrs)
            bits, info = self.decoder.decode(llrs)
            results = [cupy.asnumpy(bits), cupy.asnumpy(info)]
        assert isinstance(bits, cupy.ndarray)
        same(results, self.message, self.info)


def main():
    if not gpu.count():
        print("no GPU")
        return 1
    checks, skipped = Checks(), []
    passed = ["interface", "the_default_stream", "dlpack", "results_are_lent", "a_buffer_of_the_caller", "wrong_arrays", "arrays_of_the_host"]
    for name in passed:
        getattr(checks, name)()
        gc.collect()
    for library in ("torch", "cupy"):
        try:
            __import__(library)
        except ImportError:
            skipped.append(library)
            continue
        {"torch": checks.pytorch, "cupy": checks.cupy}[library]()
        passed.append(library)
    print(f"{gpu.name_of()}: passed {', '.join(passed)}{'; not installed: ' * bool(skipped)}{', '.join(skipped)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
