# SPDX-License-Identifier: BSD-3-Clause
"""Tests the BeiDou B1C demo: CRC, messages, report."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np

DEMO = pathlib.Path(os.environ["LDPC_SOURCE_DIR"]) / "examples" / "beidou_b1c_demo.py"


def load_demo():
    spec = importlib.util.spec_from_file_location("beidou_b1c_demo", DEMO)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Parts(unittest.TestCase):
    def test_crc(self):
        """Compares CRC-24Q with its published check value. All messages must have a valid CRC."""
        demo = load_demo()
        self.assertEqual(demo.crc24q(np.unpackbits(np.frombuffer(b"123456789", np.uint8))), 0xCDE703)
        messages = demo.make_messages(3, 264, 5)
        self.assertEqual([demo.crc24q(message) for message in messages], [0, 0, 0])
        messages[1, 17] ^= 1
        self.assertNotEqual(demo.crc24q(messages[1]), 0)


class Program(unittest.TestCase):
    def rows(self, *arguments):
        result = subprocess.run([sys.executable, "-B", str(DEMO), *arguments], capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [line.split() for line in result.stdout.splitlines()[1:]]

    def test_noise_decides(self):
        """At 4 dB all messages are decoded. At -4 dB no message is decoded. No message is wrong."""
        rows = self.rows("--ebn0", "4", "--ebn0", "-4", "--frames", "20")
        self.assertEqual([(row[0], row[4], row[5]) for row in rows],
                         [("2", "0", "0"), ("2", "20", "0"), ("3", "0", "0"), ("3", "20", "0")])

    def test_one_subframe(self):
        rows = self.rows("--subframe", "3", "--ebn0", "5", "--frames", "3", "--seed", "2")
        self.assertEqual([row[:2] + row[3:5] for row in rows], [["3", "5.0", "3", "0"]])


if __name__ == "__main__":
    unittest.main()
