# SPDX-License-Identifier: BSD-3-Clause
"""Tests ldpc-tune: the search on a simulated device, stored files, and the program."""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import libldpc
from libldpc.tools import tuning
from programs import run

PROGRAMS = pathlib.Path(os.environ["LDPC_PROGRAMS"]).resolve()
FAKE_GPU = PROGRAMS.parent / "tests" / "fake_gpu"
CODE = "wimax:576:1/2"
BATCHES = [1 << i for i in range(13)]
STREAMS = [1, 2, 3, 4, 6, 8]


def device(point):
    """Simulates a GPU that runs 64 thread blocks at once. The time of a batch is a whole number of rounds. Copies of one stream overlap
    with the decoding of another stream."""
    batch, streams = point["batch"], point["streams"]
    if batch * streams > 16000:
        return None  # out of memory
    kernel = 20 + 100 * -(-batch // 64)  # us
    copies = 10 + 0.5 * batch
    period = max(kernel, copies, (kernel + copies) / streams)
    return batch * 576 / period, streams * period


class Search(unittest.TestCase):
    def best_of_all(self, goal):
        points = [{"batch": b, "streams": s} for b in BATCHES for s in STREAMS]
        return max(tuning.score(device(p), goal) for p in points if device(p))

    def find(self, goal=0.0, measure=device):
        measured = []

        def counting(point):
            measured.append(tuple(sorted(point.items())))
            return measure(point)

        point, result = tuning.search(counting, {"batch": BATCHES, "streams": STREAMS}, {"batch": 64, "streams": 3}, goal)
        self.assertEqual(len(measured), len(set(measured)), "a point was measured twice")
        return point, result

    def test_highest_throughput(self):
        point, result = self.find()
        self.assertEqual(result, device(point))
        self.assertGreaterEqual(result[0], 0.98 * self.best_of_all(0)[1])

    def test_lowest_latency_that_reaches_a_goal(self):
        top = self.best_of_all(0)[1]
        latencies = []
        for share in (0.05, 0.3, 0.6, 0.9):
            _, (mbps, latency) = self.find(share * top)
            self.assertGreaterEqual(mbps, share * top)
            self.assertLessEqual(latency, 1.02 * -self.best_of_all(share * top)[1])
            latencies.append(latency)
        self.assertEqual(latencies, sorted(latencies))
        self.assertLess(latencies[0], latencies[-1])

    def test_a_goal_out_of_reach(self):
        _, (mbps, _) = self.find(1e9)
        self.assertGreaterEqual(mbps, 0.98 * self.best_of_all(0)[1])

    def test_points_that_cannot_be_measured(self):
        self.assertEqual(self.find(measure=lambda point: None), (None, None))
        point, _ = self.find(measure=lambda point: device(point) if point["batch"] < 32 else None)
        self.assertLess(point["batch"], 32)

    def test_noise_does_not_move_the_choice(self):
        point, _ = self.find(measure=lambda point: (100 + 0.5 * point["streams"] / 8, 1.0))
        self.assertEqual(point, {"batch": 64, "streams": 3})

    def test_break_even(self):
        for start, expected in ((1e-4, 50), (1e-6, 1), (1.0, 0)):
            found = tuning.break_even(lambda words: 2e-6 * words, lambda words, s=start: s + 1e-9 * words, 1000)
            self.assertAlmostEqual(found, expected, delta=4)
        self.assertEqual(tuning.break_even(lambda words: 1.0, lambda words: 2.0, 1), 0)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "new"
        self.record = {"version": libldpc.__version__, "device": tuning.device_name("cpu"), "code": CODE, "backend": "cpu",
                       "kernel": "ref", "arithmetic": "i8", "iterations": 20, "early_stop": False,
                       "batch": 8, "streams": 0, "threads": 2, "coded_mbps": 100.0, "latency_us": 12.5, "goal_mbps": 0,
                       "break_even": 0}

    def load(self):
        return tuning.load(CODE, "cpu", self.folder)

    def test_store_and_load(self):
        record, note = self.load()
        self.assertIsNone(record)
        self.assertIn("has not been tuned", note)
        path = tuning.store(self.record, self.folder)
        self.assertEqual(self.load(), (self.record, ""))
        self.assertEqual([path], list(self.folder.iterdir()))
        decoder = libldpc.decoder(CODE, **tuning.arguments(self.record))
        self.assertEqual((decoder.max_batch, decoder.threads, decoder.backend), (8, 2, "cpu"))
        self.assertEqual(tuning.arguments(None), {})

    def test_damaged_and_stale_files_are_ignored(self):
        path = tuning.store(self.record, self.folder)
        text = path.read_text(encoding="utf-8")
        damaged = [text[:40], "", "[]", "null", "\x00\xff", text.replace("8", '"eight"', 1) + "}",
                   json.dumps({**self.record, "batch": "8"}), json.dumps({**self.record, "batch": -1}),
                   json.dumps({**self.record, "threads": True}), json.dumps({**self.record, "kernel": None}),
                   json.dumps({**self.record, "coded_mbps": float("nan")}),
                   json.dumps({key: value for key, value in self.record.items() if key != "streams"})]
        stale = [({"version": "0.0.1"}, "version 0.0.1"), ({"device": "another"}, "another code or device"),
                 ({"code": "wimax:576:2/3A"}, "another code or device")]
        for content in damaged:
            path.write_text(content, encoding="latin-1")
            record, note = self.load()
            self.assertIsNone(record, content)
            self.assertIn("is ignored: it is damaged", note)
        for change, part in stale:
            path.write_text(json.dumps({**self.record, **change}), encoding="utf-8")
            record, note = self.load()
            self.assertIsNone(record)
            self.assertIn(part, note)

    def test_what_others_can_have_written_is_ignored(self):
        """Links and pipes are ignored. Files and folders that other users can write to are ignored, too."""
        path = tuning.store(self.record, self.folder)
        target = path.with_name("target")

        def ignored(part):
            record, note = self.load()
            self.assertIsNone(record)
            self.assertIn(part, note)

        path.rename(target)
        path.symlink_to(target)
        ignored("Too many levels of symbolic links")
        path.unlink()
        os.mkfifo(path, 0o600)
        ignored("other users could have written it")
        path.unlink()
        target.rename(path)
        path.chmod(0o622)
        ignored("other users could have written it")
        path.chmod(0o600)
        self.folder.chmod(0o777)
        ignored("other users can write to it")
        with self.assertRaisesRegex(OSError, "other users can write to it"):
            tuning.store(self.record, self.folder)
        self.folder.chmod(0o755)
        self.assertEqual(self.load(), (self.record, ""))

    def test_storing_does_not_write_through_links(self):
        victim = self.folder.with_name("victim")
        victim.write_text("precious", encoding="utf-8")
        path = tuning.store(self.record, self.folder)
        path.unlink()
        for name in (path.name, f"{path.name}.{os.getpid()}"):
            path.with_name(name).symlink_to(victim)
        with contextlib.suppress(OSError):
            tuning.store(self.record, self.folder)
        self.assertEqual(victim.read_text(encoding="utf-8"), "precious")

    def test_every_code_and_backend_has_its_file(self):
        paths = {tuning.path_of(code, backend, self.folder) for code in libldpc.codes() for backend in ("cpu", "cuda")}
        self.assertEqual(len(paths), 2 * len(libldpc.codes()))
        self.assertEqual({path.parent for path in paths}, {self.folder})


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = folder.name

    def run_tune(self, *arguments, **environment):
        return run("ldpc-tune", "--code", CODE, "--seconds", "0.001", "--iterations", "2", *arguments,
                   **{"XDG_CACHE_HOME": self.cache, **environment})

    @unittest.skipIf(libldpc.backends().get("cuda", "no") == "", "there is a GPU")
    def test_without_a_gpu(self):
        result = self.run_tune("--backend", "cuda")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"\Aldpc-tune: .*; with fallback the CPU decodes\n\Z")
        result = self.run_tune("--backend", "cuda", "--fallback", "--json")
        self.assertEqual((result.returncode, json.loads(result.stdout)["backend"]), (0, "cpu"), result.stderr)
        self.assertRegex(result.stderr, r"\Aldpc-tune: .*; the CPU decodes instead\n")

    def test_cpu(self):
        result = self.run_tune("--backend", "cpu", "--json", "--arithmetic", "i16", "--early-stop", "--ebn0", "3")
        self.assertEqual(result.returncode, 0, result.stderr)
        record = json.loads(result.stdout)
        self.assertEqual(set(record), set(tuning.FIELDS))
        self.assertEqual((record["code"], record["backend"], record["arithmetic"]), (CODE, "cpu", "i16"))
        self.assertGreater(record["coded_mbps"], 0)
        self.assertIn(f"{record['batch']}", result.stderr)
        again = self.run_tune("--backend", "cpu", "--show")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(f"batch        {record['batch']}", again.stdout)

    def test_a_goal(self):
        result = self.run_tune("--backend", "cpu", "--goal", "1e9", "--cache-dir", os.path.join(self.cache, "other"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("is not reached", result.stdout)
        self.assertEqual([name for name in os.listdir(self.cache) if name != "pocl"], ["other"])  # PoCL has its own cache

    def test_wrong_input(self):
        for arguments, code, part in ((("--backend", "cpu", "--show"), 1, "has not been tuned"),
                                      (("--backend", "cpu", "--code", "wimax:577:1/2"), 2, "wimax:577:1/2"),
                                      (("--backend", "cpu", "--arithmetic", "i4"), 2, "arithmetic"),
                                      (("--backend", "vulkan"), 2, "vulkan"), (("--goal", "-1"), 2, "goal"),
                                      (("--goal", "nan"), 2, "not a finite number"),
                                      (("--backend", "cpu", "--cache-dir", "/dev/null/x"), 2, "/dev/null/x: Not a directory")):
            result = self.run_tune(*arguments)
            self.assertEqual((result.returncode, result.stdout), (code, ""), arguments)
            self.assertIn(part, result.stderr)
            self.assertNotIn("Traceback", result.stderr)

    @unittest.skipUnless((FAKE_GPU / "libcuda.so.1").exists(), "tests/fake_gpu has not been built")
    def test_gpu(self):
        environment = {"LD_LIBRARY_PATH": str(FAKE_GPU), "FAKE_GPU_CODES": CODE, "FAKE_GPU_US": "100"}
        for backend in ("cuda", "opencl"):
            arguments = ("--backend", backend, "--json", "--goal", "1")
            result = self.run_tune(*arguments, **environment)
            self.assertEqual(result.returncode, 0, result.stderr)
            record = json.loads(result.stdout)
            self.assertEqual((record["device"], record["backend"], record["threads"]), ("Fake GPU", backend, 0))
            self.assertGreater(record["streams"], 0)
            note = self.run_tune(*arguments, **environment)
            self.assertNotIn("ignored", note.stderr)


AUTO = """
import libldpc, numpy, sys
code, least = "wimax:576:1/2", 8
_, llrs = libldpc.noisy_frames(code, ebn0=1.0, count=40)
both = libldpc.decoder(code, backend="gpu", min_gpu_batch=least, streams=4, threads=2)
alone = libldpc.decoder(code, backend="cpu", arithmetic="i16")
assert (both.backend, both.arithmetic) == ("cpu+cuda", "i16"), both

def same(first, count, result):
    for mine, expected in zip(result, alone.decode(llrs[first:first + count])):
        assert (mine == expected).all(), (first, count)

for iterations in (50, 3):
    both.max_iterations = alone.max_iterations = iterations
    for count in (1, least - 1, least, least + 1, 40):
        same(0, count, both.decode(llrs[:count]))
    parts = [(0, 3), (3, 20), (23, 5), (28, 8)]
    for first, count in parts:
        assert both.submit(llrs[first:first + count])
    for first, count in parts:
        same(first, count, both.collect())
print("same")
"""
SMALL_ONLY = """
import libldpc
_, llrs = libldpc.noisy_frames("wimax:576:1/2", ebn0=4.0, count=8)
both = libldpc.decoder("wimax:576:1/2", backend="cuda", min_gpu_batch=8)
assert both.decode(llrs[:7])[1]["converged"].all()
try:
    both.decode(llrs)
except RuntimeError:
    print("the large one failed")
assert both.decode(llrs[:7])[1]["converged"].all()
"""


GPU = """
import libldpc, numpy
from libldpc.tools import gpu, speed
code = "wimax:576:1/2"
messages, llrs = libldpc.noisy_frames(code, ebn0=4.0, count=40)
packed = numpy.packbits(messages, axis=1)
decoder = libldpc.decoder(code, backend="cuda", packed=True, devices="1")
with gpu.Device(1) as device:
    facts, bits = speed.on_device(decoder, device, llrs, 0.01, 40)
    assert (bits == packed).all() and facts["runs"] > 0, facts

    class Array:
        __cuda_array_interface__ = {"data": (device.put(llrs), False), "shape": llrs.shape, "typestr": "|i1", "version": 3}
    place = device.room(packed.nbytes)
    decoder.decode_device(Array(), place, 40, stream=device.stream)
    assert (device.get(place, packed.shape) == packed).all()
decoder = libldpc.decoder(code, backend="cuda", streams=4, early_stop=False, max_iterations=3)
facts = speed.stream(decoder, llrs, 0.01, 8, pinned=True), speed.calls(decoder, llrs, 0.01, 8)
assert all(way["coded_mbps_best"] >= 0.999 * way["coded_mbps"] > 0 for way in facts), facts
bits, info = decoder.decode(numpy.tile(llrs, (3, 1)))
assert (bits == numpy.tile(messages, (3, 1))).all() and (info["iterations"] == 3).all()
assert gpu.count() == 2 and gpu.name_of(1) == "Fake GPU"
print("right")
"""


class Auto(unittest.TestCase):
    """Simulates a GPU and sets min_gpu_batch. The CPU decodes small batches. The GPU decodes large batches."""

    def run_program(self, program, **environment):
        return subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=300, check=False,
                              env={**os.environ, "LD_LIBRARY_PATH": str(FAKE_GPU), "FAKE_GPU_CODES": CODE, **environment})

    @unittest.skipUnless((FAKE_GPU / "libcuda.so.1").exists(), "tests/fake_gpu has not been built")
    def test_results_do_not_depend_on_who_decodes(self):
        result = self.run_program(AUTO)
        self.assertEqual((result.returncode, result.stdout), (0, "same\n"), result.stderr)

    @unittest.skipUnless((FAKE_GPU / "libcuda.so.1").exists(), "tests/fake_gpu has not been built")
    def test_memory_and_streams_of_a_gpu(self):
        result = self.run_program(GPU)
        self.assertEqual((result.returncode, result.stdout), (0, "right\n"), result.stderr)

    @unittest.skipUnless((FAKE_GPU / "libcuda.so.1").exists(), "tests/fake_gpu has not been built")
    def test_small_batches_do_not_touch_the_gpu(self):
        result = self.run_program(SMALL_ONLY, FAKE_GPU_FAILS_AT="1")
        self.assertEqual((result.returncode, result.stdout), (0, "the large one failed\n"), result.stderr)

    @unittest.skipUnless(libldpc.backends().get("cuda", "no"), "there is a GPU")
    def test_without_a_gpu_it_is_the_cpu(self):
        with self.assertRaisesRegex(RuntimeError, "with fallback the CPU decodes"):
            libldpc.decoder(CODE, backend="cuda", min_gpu_batch=8)
        with self.assertWarnsRegex(RuntimeWarning, "the CPU decodes instead"):
            self.assertEqual(libldpc.decoder(CODE, backend="cuda", min_gpu_batch=8, fallback=True).backend, "cpu")
        self.assertEqual(libldpc.decoder(CODE).backend, "cpu")
        self.assertEqual(libldpc.decoder(CODE, backend="cpu", min_gpu_batch=8).backend, "cpu")

    def test_arguments_of_a_record(self):
        record = {"backend": "cuda", "kernel": "straight", "batch": 500, "streams": 4, "threads": 0, "break_even": 30}
        self.assertEqual(tuning.arguments(record), {"backend": "cuda", "min_gpu_batch": 30, "max_batch": 500, "streams": 4})
        self.assertEqual(tuning.arguments({**record, "break_even": 0}),
                         {"backend": "cuda", "kernel": "straight", "max_batch": 500, "streams": 4})


if __name__ == "__main__":
    unittest.main()
