# SPDX-License-Identifier: BSD-3-Clause
"""Tests the DVB-T2 demo: transport stream and report."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import libldpc

DEMO = pathlib.Path(os.environ["LDPC_SOURCE_DIR"]) / "examples" / "dvbt2_receiver_demo.py"


def load_demo():
    spec = importlib.util.spec_from_file_location("dvbt2_receiver_demo", DEMO)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.demo = load_demo()

    def test_crc(self):
        """Compares CRC-32/MPEG-2 with its published check value. The CRC of a section with its own CRC must be 0."""
        self.assertEqual(self.demo.crc32_mpeg(b"123456789"), 0x0376E6E7)
        section = b"some section"
        self.assertEqual(self.demo.crc32_mpeg(section + self.demo.crc32_mpeg(section).to_bytes(4, "big")), 0)

    def test_transport_stream(self):
        stream = self.demo.transport_stream(60)
        packets = [stream[i:i + 188] for i in range(0, len(stream), 188)]
        self.assertEqual(len(packets), 60)
        self.assertEqual({p[0] for p in packets}, {0x47})
        self.assertEqual({len(p) for p in packets}, {188})
        pids = [(p[1] & 0x1F) << 8 | p[2] for p in packets]
        self.assertEqual((pids.count(0), pids.count(0x100), pids.count(0x1FFF)), (3, 3, 54))
        for packet, pid in zip(packets, pids):
            if pid != 0x1FFF:
                length = (packet[6] & 0x0F) << 8 | packet[7]
                self.assertEqual(self.demo.crc32_mpeg(packet[5:8 + length]), 0)
        counters = [p[3] & 0x0F for p, pid in zip(packets, pids) if pid == 0]
        self.assertEqual(counters, [0, 1, 2])


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_demo(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(DEMO), *arguments], capture_output=True, text=True,
                              cwd=self.folder.name, timeout=300)

    def test_a_stream_through_the_air(self):
        """All packets are correct. With too much noise, no packet is received and the exit status is 1."""
        for arguments, status, sentence in (((), 0, r"7\d\d\d transport stream packets .*, 0 with errors"),
                                            (("--cn", "-20", "--frames", "4"), 1, "0 transport stream packets"),
                                            (("--rate", "5/6", "--modulation", "qpsk", "--cn", "14", "--no-rotated"), 0, "0 with errors")):
            result = self.run_demo(*arguments)
            self.assertEqual(result.returncode, status, result.stdout + result.stderr)
            self.assertRegex(" ".join(result.stdout.split()), sentence)

    def test_a_stream_from_a_file(self):
        stream = pathlib.Path(self.folder.name) / "some.ts"
        stream.write_bytes(b"rest of a packet" + load_demo().transport_stream(4000) + b"\x47beginning")
        result = self.run_demo("--ts", str(stream))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("0 with errors", " ".join(result.stdout.split()))

    @unittest.skipUnless(libldpc.backends().get("cuda", "no CUDA backend"), "there is a GPU")
    def test_without_a_gpu_it_says_so(self):
        result = self.run_demo("--backend", "cuda")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("Error: backend \"cuda\"", result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_wrong_arguments(self):
        no_stream = pathlib.Path(self.folder.name) / "no.ts"
        no_stream.write_bytes(bytes(1000))
        for arguments, sentence in ((("--rate", "1/3"), "--rate"), (("--ts", str(no_stream)), "not a transport stream"),
                                    (("--frames", "0"), "frames"), (("--cn", "nan"), "--cn"), (("--cn", "1e9"), "--cn")):
            result = self.run_demo(*arguments)
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertIn(sentence, result.stderr)
            self.assertNotIn("Traceback", result.stderr)


if __name__ == "__main__":
    unittest.main()
