# SPDX-License-Identifier: BSD-3-Clause
"""Every example flowgraph compiles with grcc, and the loop-backs decode without errors."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["LDPC_SOURCE_DIR"])
GRCC = os.environ.get("GRCC", "grcc")
ENVIRONMENT = {**os.environ, "GRC_BLOCKS_PATH": str(SOURCE / "grc"), "QT_QPA_PLATFORM": "offscreen",
               "PYTHONDONTWRITEBYTECODE": "1"}

RUN_LOOPBACK = """
import importlib, os, sys, time
from PyQt5 import Qt
name, ebn0, decoders = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
example = importlib.import_module(name)
application = Qt.QApplication([])
graph = getattr(example, name)()
graph.set_ebn0(ebn0)
graph.start()
decoders = [getattr(graph, decoder) for decoder in decoders]
end = time.monotonic() + 120
while min(decoder.frames() for decoder in decoders) < 5 and time.monotonic() < end:
    time.sleep(0.05)
graph.stop()
graph.wait()
results = [(decoder.frames(), decoder.failed()) for decoder in decoders]
print("frames and failed:", results)
sys.stdout.flush()
os._exit(0 if all(frames >= 5 and failed == 0 for frames, failed in results) else 1)
"""
LOOPBACKS = {"dvbt2_fec_loopback": ("3.0", "decoder"), "beidou_b1c_loopback": ("6.0", "decoder"),
             "cpu_gpu_side_by_side": ("3.0", "decoder_cpu", "decoder_gpu")}


RUN_CHAIN = """
import pathlib
import dvbt2_fec_chain_headless as example
graph = example.dvbt2_fec_chain_headless()
graph.run()
graph.file.close()
sent, received = graph.packets.astype("uint8").tobytes(), pathlib.Path("received.ts").read_bytes()
counters = graph.decoder.counters()
assert len(received) > 0.95 * len(sent) and sent.startswith(received), (len(sent), len(received), counters)
assert 0.01 < counters["raw_ber"] < 0.2 and counters["ts_errors"] == 0, counters
"""


def compile_flowgraph(file, folder):
    return subprocess.run([sys.executable, "-B", GRCC, "-o", folder, str(file)], capture_output=True, text=True,
                          env=ENVIRONMENT, cwd=folder)


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_all_compile(self):
        files = sorted((SOURCE / "examples").glob("*.grc"))
        self.assertGreater(len(files), 0)
        for file in files:
            with self.subTest(file.name):
                result = compile_flowgraph(file, self.folder.name)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertNotIn("error", (result.stdout + result.stderr).lower())
                program = pathlib.Path(self.folder.name) / (file.stem + ".py")
                compile(program.read_text(encoding="utf-8"), program.name, "exec")

    def test_a_wrong_flowgraph_does_not_compile(self):
        """The check above can fail: the assertions in the block descriptions reach grcc."""
        text = (SOURCE / "examples" / "dvbt2_fec_loopback.grc").read_text(encoding="utf-8")
        self.assertIn("stats_interval: '1'", text)
        wrong = pathlib.Path(self.folder.name) / "wrong.grc"
        wrong.write_text(text.replace("stats_interval: '1'", "stats_interval: '-1'"), encoding="utf-8")
        self.assertNotEqual(compile_flowgraph(wrong, self.folder.name).returncode, 0)

    def test_loopbacks_decode(self):
        try:
            import PyQt5.QtWidgets
            from gnuradio import qtgui
        except ImportError as error:
            self.skipTest(f"no QT: {error}")
        for name, arguments in LOOPBACKS.items():
            with self.subTest(name):
                compile_flowgraph(SOURCE / "examples" / (name + ".grc"), self.folder.name)
                result = subprocess.run([sys.executable, "-B", "-c", RUN_LOOPBACK, name, *arguments], capture_output=True,
                                        text=True, env=ENVIRONMENT, cwd=self.folder.name, timeout=300, stdin=subprocess.DEVNULL)
                self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-2000:])

    def test_headless_chain(self):
        """A transport stream through cells and noise comes out as it went in."""
        compile_flowgraph(SOURCE / "examples" / "dvbt2_fec_chain_headless.grc", self.folder.name)
        result = subprocess.run([sys.executable, "-B", "-c", RUN_CHAIN], capture_output=True, text=True, env=ENVIRONMENT,
                                cwd=self.folder.name, timeout=300, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
