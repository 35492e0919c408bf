# SPDX-License-Identifier: BSD-3-Clause
"""Tests with tests/fake_gpu. LLRs are in GPU memory. Some kernels are still being compiled."""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

from libldpc import device_memory

TESTS = pathlib.Path(__file__).resolve().parents[2] / "tests"
FAKE_GPU = pathlib.Path(os.environ.get("LDPC_PROGRAMS", "/")).parent / "tests" / "fake_gpu"
ENVIRONMENT = {**os.environ, "LD_LIBRARY_PATH": str(FAKE_GPU), "FAKE_GPU_CODES": "wimax:576:1/2"}

# First part of the program of each test. This part decodes while the kernel is being compiled.
BEGIN = """
import signal
import numpy as np
import libldpc
signal.signal(signal.SIGINT, signal.default_int_handler)
code = libldpc.code("wimax:576:1/2")
llrs = libldpc.noisy_frames(code, 2.0, count=8)[1]
decoder = libldpc.decoder(code, backend="cuda")
assert decoder.kernel == "any"
expected = libldpc.decoder(code, backend="cpu", arithmetic="i16").decode(llrs)
np.testing.assert_array_equal(decoder.decode(llrs)[0], expected[0])
print("decoded", flush=True)
"""


@unittest.skipUnless((FAKE_GPU / "libcuda.so.1").exists(), "tests/fake_gpu has not been built")
class DeviceArrays(unittest.TestCase):
    def test_device_arrays(self):
        result = subprocess.run([sys.executable, "-B", TESTS / "device" / "device_arrays.py"], capture_output=True, text=True, timeout=600,
                                env=ENVIRONMENT)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, "^Fake GPU: passed interface, the_default_stream, dlpack, results_are_lent, a_buffer_of_the_caller, wrong_arrays")


class Torch(types.ModuleType):
    """Simulates PyTorch's allocator, whose memory pools belong to the current stream."""

    def __init__(self):
        super().__init__("torch")
        self.uint8, self.cuda, self.now = "uint8", self, 5

    def current_stream(self, _):
        return types.SimpleNamespace(cuda_stream=self.now)

    def default_stream(self, device):
        return self.ExternalStream(0, device)

    def ExternalStream(self, stream, device):
        assert device == "cuda:0"
        return stream

    @contextlib.contextmanager
    def stream(self, stream):
        before, self.now = self.now, stream
        yield
        self.now = before


class MemoryForResults(unittest.TestCase):
    def test_it_is_of_the_stream_of_the_work(self):
        torch = Torch()

        class Tensor:
            device = "cuda:0"

            def new_empty(self, shape, dtype):
                return shape, dtype, torch.now

        Tensor.__module__ = "torch"
        with unittest.mock.patch.dict(sys.modules, {"torch": torch}):
            for stream in (5, 0, 7):
                self.assertEqual(device_memory.empty_beside(Tensor(), (3, 4), "uint8", stream), ((3, 4), "uint8", stream))
                self.assertEqual(torch.now, 5)


@unittest.skipUnless((FAKE_GPU / "libcuda.so.1").exists(), "tests/fake_gpu has not been built")
@unittest.skipIf("LDPC_WITHOUT_NVCC" in os.environ, "kernel any has not been compiled with the library")
class WhileCompiling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.compiled = pathlib.Path(folder.name, "compiled")

    def start(self, script):
        """Starts the program. The compilation ends when the file self.compiled exists."""
        process = subprocess.Popen([sys.executable, "-B", "-c", BEGIN + script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env={**ENVIRONMENT, "FAKE_NVRTC_WAITS": str(self.compiled)})
        for file in (process.stdin, process.stdout, process.stderr):
            self.addCleanup(file.close)
        self.addCleanup(process.kill)
        self.expect(process, "decoded")
        return process

    def expect(self, process, line):
        if process.stdout.readline() != line + "\n":
            self.fail(process.stderr.read())

    def finish(self, process):
        self.compiled.touch()
        _, errors = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 0, errors)

    def test_kernel_arrives(self):
        self.finish(self.start("""
assert decoder.wait_kernel() and decoder.kernel == "straight"
np.testing.assert_array_equal(decoder.decode(llrs)[0], expected[0])
decoder.early_stop = False
assert decoder.wait_kernel(60) and decoder.kernel == "straight"
"""))

    def test_collecting_while_a_setter_compiles(self):
        """While a setter waits for a kernel, collect() does not wait for the setter."""
        self.compiled.touch()
        process = self.start("""
import os, pathlib, threading, time
compiled = pathlib.Path(os.environ["FAKE_NVRTC_WAITS"])
decoder = libldpc.decoder(code, backend="cuda", kernel="straight")
compiled.unlink()
setter = threading.Thread(target=setattr, args=(decoder, "early_stop", False))
setter.start()
for _ in range(300):
    assert decoder.collect(0) is None
    time.sleep(0.001)
assert setter.is_alive()
compiled.touch()
setter.join()
assert not decoder.early_stop
""")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)

    def test_nothing_else_waits(self):
        process = self.start("""
print(decoder.wait_kernel(0), decoder.wait_kernel(0.01), decoder.kernel, flush=True)
decoder.early_stop = False
print(decoder.kernel, len(decoder.decode(llrs)), flush=True)
del decoder
print("destroyed", flush=True)
""")
        for line in ("False False any", "any 2", "destroyed"):
            self.expect(process, line)
        process.communicate(timeout=600)
        self.assertEqual(process.returncode, 0)

    def test_ctrl_c(self):
        process = self.start("""
try:
    print("waits", flush=True)
    decoder.wait_kernel()
except KeyboardInterrupt:
    np.testing.assert_array_equal(decoder.decode(llrs)[0], expected[0])
    print("interrupted", flush=True)
""")
        self.expect(process, "waits")
        process.send_signal(signal.SIGINT)
        self.expect(process, "interrupted")
        self.finish(process)

    def test_ctrl_c_ends_the_program(self):
        process = self.start("print('waits', flush=True); decoder.wait_kernel()")
        self.expect(process, "waits")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600)  # the end of the process ends the compilation
        self.assertEqual(process.returncode, -signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
