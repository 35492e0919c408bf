# SPDX-License-Identifier: BSD-3-Clause
"""Every example flowgraph compiles with grcc. Loop-backs decode without errors."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml
from gnuradio import gr, ldpc

from example_programs import CHECK_SIZE, END, PLAYER, RUN_DVBS2, RUN_DVBS2_ACM, RUN_DVBS2_LIVE

SOURCE = pathlib.Path(os.environ["LDPC_SOURCE_DIR"])
GRCC = os.environ.get("GRCC", "grcc")
ENVIRONMENT = {**os.environ, "GRC_BLOCKS_PATH": str(SOURCE / "grc"), "QT_QPA_PLATFORM": "offscreen",
               "PYTHONDONTWRITEBYTECODE": "1"}

RUN_LOOPBACKS = """
import importlib, os, sys, time
from PyQt5 import Qt
application = Qt.QApplication([])
for name, ebn0, *decoders in LOOPBACKS:
    graph = getattr(importlib.import_module(name), name)()
    graph.set_ebn0(ebn0)
    graph.start()
    decoders = [getattr(graph, decoder) for decoder in decoders]
    end = time.monotonic() + 120
    while min(decoder.frames() for decoder in decoders) < 5 and time.monotonic() < end:
        time.sleep(0.05)
    graph.stop()
    graph.wait()
    for decoder in decoders:
        assert decoder.frames() >= 5 and decoder.failed() == 0, (name, decoder.frames(), decoder.failed())
""".replace("LOOPBACKS", repr((("beidou_b1c_loopback", 6, "decoder"), ("cpu_gpu_side_by_side", 3, "decoder_cpu", "decoder_gpu")))) + END

RUN_CHAIN = """
import pathlib
import dvbt2_fec_chain as example
graph = example.dvbt2_fec_chain()
graph.run()
graph.file.close()
sent, received = graph.packets.astype("uint8").tobytes(), pathlib.Path("received.ts").read_bytes()
counters = graph.decoder.counters()
assert len(received) > 0.95 * len(sent) and sent.startswith(received), (len(sent), len(received), counters)
assert 0.01 < counters["bit_errors"] / counters["bits"] < 0.2 and counters["ts_errors"] == 0, counters
"""


RUN_RECEIVER = CHECK_SIZE + """
import os, sys, time
from PyQt5 import Qt
import dvbt2_receiver as example
application = Qt.QApplication([])
graph = example.dvbt2_receiver()
check_size(1600, 960)
graph.start()
curves, end = graph.curves, time.monotonic() + 120

def wait_for(condition):
    while not condition() and time.monotonic() < end:
        application.processEvents()
        time.sleep(0.02)
    assert condition(), (graph.receiver.status(), graph.receiver.counters(), curves.history)

def drawn(name, least):
    return any(value > least for value in curves.history[name])

wait_for(lambda: graph.receiver.counters()["packets"] >= 2000 and drawn("cn_db", 15) and drawn("mer_db", 15))
graph.set_cn(8)
wait_for(lambda: graph.receiver.counters()["ts_errors"] > 0 and drawn("errors", 0))
graph.stop()
graph.wait()
application.processEvents()
text = graph.table.text()
for word in ("4K", "1/32", "64QAM 2/3", "C/N", "Transport stream of PLP 0", "packets with errors"):
    assert word in text, text
echo = curves.impulse[(curves.grid > 1) & (curves.grid < 4)].max()  # delays are relative to the window: the first path is before 0
assert abs(echo + 6) < 2 and curves.impulse.max() == 0, curves.impulse
""" + END

RUN_LIVE = CHECK_SIZE + PLAYER.replace("EXAMPLE", "dvbt2_live") + """
import dvbt2_live as example
from gnuradio.ldpc.dvbt2_recording import PACKETS, recorded_packets
application = Qt.QApplication([])
graph = example.dvbt2_live()
check_size(1600, 960)
graph.show()
known = set(map(bytes, recorded_packets()))
receiver = graph.receiver
graph.start()

def receive(datagrams):
    right = wrong = 0
    for _ in range(datagrams):
        data = player.recv(65536)
        assert len(data) == 7 * 188, len(data)
        found = sum(data[i:i + 188] in known for i in range(0, len(data), 188))
        right, wrong = right + found, wrong + 7 - found
    application.processEvents()  # once, because it draws the window
    return right, wrong

def wait_for(condition, what):
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        application.processEvents()
        time.sleep(0.02)
    assert condition(), (what, receiver.status(), receiver.counters())

right, wrong = receive(100)
assert wrong == 0, (right, wrong)

# The recording is looped in real time.
wait_for(lambda: len(graph.curves.history["cn_db"]), "curves")
wait_for(lambda: receiver.counters()["packets"] > 2.5 * PACKETS, "packets")
counters = receiver.counters()
assert counters["ts_errors"] == counters["lost_packets"] == counters["failed_codewords"] == 0, counters
assert graph.throttle.sample_rate() == 10e6, graph.throttle.sample_rate()
assert receiver.status()["locks"] == 1 and max(graph.curves.history["mer_db"]) > 15, receiver.status()
for word in ("4K", "1/32", "64QAM 2/3", "C/N", "Transport stream of PLP 0"):
    assert word in graph.table.text(), graph.table.text()

graph.set_plp(0)  # the same PLP by number; reacquires the signal
right, wrong = receive(200)
assert right > 150, (right, wrong)
rates, channels = [], []
graph.soapy_source = types.SimpleNamespace(set_sample_rate=lambda _, rate: rates.append(rate))
set_channel = receiver.set_channel

def recorded(*channel):
    set_channel(*channel)
    channels.append(channel)

receiver.set_channel = recorded
for channel in (1.7, 7.0, 10.0, 8.0):  # the recording at another rate
    graph.set_channel_width(channel)
    assert channels[-1] == (channel, rates[-1]), (channels, rates)
    first = receiver.counters()["packets"]
    wait_for(lambda: receiver.locked() and receiver.counters()["packets"] > first + 200, channel)
assert sorted(set(map(round, rates))) == [2018046, 8750000, 10000000, 12500000], rates
before = receiver.status()["level_db"]
graph.set_gain(20)
wait_for(lambda: receiver.status()["level_db"] < before - 10, "gain")
graph.stop()
graph.wait()
graph.file_sink.close()
written = pathlib.Path("dvbt2_live.ts").read_bytes()
counted = receiver.counters()["packets"]  # packets in flight at the stop are not in the file
assert len(written) % 188 == 0 and 0.98 * counted < len(written) // 188 <= counted, (len(written) / 188, counted)
assert all(written[i:i + 188] in known for i in range(0, 188 * PACKETS, 188))
""" + END

RUN_HEADLESS_RECEIVER = """
import pathlib
import dvbt2_receiver_headless as example
graph = example.dvbt2_receiver_headless()
graph.run()
graph.file.close()
packets = [p.astype("uint8").tobytes() for p in graph.packets]
received = pathlib.Path("received.ts").read_bytes()
first = packets.index(received[:188])
assert received == b"".join(packets[first:first + len(received) // 188])
assert len(received) / 188 > 0.85 * len(packets), len(received) / 188
status = graph.receiver.status()
assert abs(status["carrier_hz"] - 3100) < 20 and abs(status["clock_ppm"] - 20) < 2, status
"""

RUN_PACKETS = """
import time
import packet_radio as example

def run(ebn0, ended):
    graph = example.packet_radio()
    graph.set_ebn0(ebn0)
    graph.start()
    end = time.monotonic() + 60
    while not ended(graph) and time.monotonic() < end:
        time.sleep(0.05)
    graph.stop()
    graph.wait()
    return graph.decoder, graph.terminal

decoder, terminal = run(6, lambda graph: graph.terminal.right >= 5)
assert terminal.right >= 5 and terminal.wrong == 0 and decoder.crc_errors() == decoder.dropped() == 0, (terminal.right, terminal.wrong)
assert len(set(map(len, terminal.sent))) > 1
assert decoder.mean_iterations() > 1, decoder.mean_iterations()  # iterations show that there was noise
decoder, terminal = run(-3, lambda graph: graph.decoder.crc_errors() >= 3)
assert decoder.crc_errors() >= 3 and terminal.wrong == terminal.right == 0, decoder.crc_errors()
"""

# {name: (example, deprecated values of parameters)}
EARLIER = {"packets_on_cuda": ("packet_radio", {"backend": "cuda", "fallback": "cpu"}),
           "packets_without_fallback": ("packet_radio", {"fallback": "none"}),
           "chain_anywhere": ("dvbt2_fec_chain", {"backend": "auto"})}

RUN_EARLIER = """
import importlib, sys
for name in sys.argv[1:]:
    graph = getattr(importlib.import_module(name), name)()
    graph.start()
    graph.stop()
    graph.wait()
"""

RUN_FEC = """
import os, sys, time
from PyQt5 import Qt
import gr_fec_ber as example
application = Qt.QApplication([])
graph = example.gr_fec_ber()
graph.show()
graph.set_ebn0(3.5)
graph.start()
end = time.monotonic() + 60
while graph.decoder.frames() < 300 and time.monotonic() < end:
    application.processEvents()
    time.sleep(0.05)
graph.stop()
graph.wait()
frames, failed, rate = graph.decoder.frames(), graph.decoder.failed(), graph.rate_after
assert frames >= 300 and failed < frames / 50, (frames, failed)
assert rate.frames() > frames / 2 and rate.fer() < 1 / 50, (rate.frames(), rate.fer())
""" + END


def compile_flowgraphs(files, folder):
    """Runs grcc once for all flowgraphs, because loading the blocks is slow."""
    return subprocess.run([sys.executable, "-B", GRCC, "-o", folder, *map(str, files)], capture_output=True, text=True,
                          env=ENVIRONMENT, cwd=folder)


def flowgraph(example):
    return yaml.safe_load((SOURCE / "examples" / f"{example}.grc").read_text(encoding="utf-8"))


def changed_flowgraphs(folder):
    """Writes variants of examples as separate flowgraphs. Returns their files."""
    live = flowgraph("dvbt2_live")  # the radio instead of the simulation, as the notes describe
    changed = {"soapy_source": "enabled", "samples": "disabled"}
    for block in live["blocks"]:
        block["states"]["state"] = changed.get(block["name"], block["states"]["state"])
    graphs = {"with_radio": live}
    for name, (example, values) in EARLIER.items():
        graphs[name] = flowgraph(example)
        decoder, = (block["parameters"] for block in graphs[name]["blocks"] if block["name"] == "decoder")
        del decoder["fallback"]
        decoder.update(values)
    for name, graph in graphs.items():
        graph["options"]["parameters"]["id"] = name
        (folder / f"{name}.grc").write_text(yaml.safe_dump(graph), encoding="utf-8")
    return [folder / f"{name}.grc" for name in graphs]


class Examples(unittest.TestCase):
    files = sorted((SOURCE / "examples").glob("*.grc"))

    @classmethod
    def setUpClass(cls):
        programs = tempfile.TemporaryDirectory()
        cls.addClassCleanup(programs.cleanup)
        cls.programs = pathlib.Path(programs.name)
        cls.compiled = compile_flowgraphs([*cls.files, *changed_flowgraphs(cls.programs)], cls.programs)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_all_compile(self):
        self.assertGreater(len(self.files), 0)
        said = self.compiled.stdout + self.compiled.stderr
        self.assertEqual(self.compiled.returncode, 0, said)
        self.assertNotIn("error", said.lower())
        for file in self.files:
            program = self.programs / (file.stem + ".py")
            compile(program.read_text(encoding="utf-8"), program.name, "exec")

    def test_a_wrong_flowgraph_does_not_compile(self):
        """grcc evaluates the assertions of block descriptions."""
        text = (SOURCE / "examples" / "dvbt2_fec_chain.grc").read_text(encoding="utf-8")
        self.assertIn("stats_interval: '0.1'", text)
        wrong = self.folder / "wrong.grc"
        wrong.write_text(text.replace("stats_interval: '0.1'", "stats_interval: '-1'"), encoding="utf-8")
        self.assertNotEqual(compile_flowgraphs([wrong], self.folder).returncode, 0)

    def need_qt(self):
        try:
            import PyQt5.QtWidgets
            from gnuradio import qtgui
        except ImportError as error:
            self.skipTest(f"no QT: {error}")

    def test_no_block_hides_a_method(self):
        """Blocks are attributes of the flowgraph. A block "show" would replace show()."""
        self.need_qt()
        from PyQt5 import QtWidgets
        methods = {*dir(gr.top_block), *dir(QtWidgets.QWidget)}
        for file in sorted((SOURCE / "examples").glob("*.grc")):
            blocks = yaml.safe_load(file.read_text(encoding="utf-8"))["blocks"]
            self.assertEqual({block["name"] for block in blocks} & methods, set(), file.name)

    def test_loopbacks_decode(self):
        self.need_qt()
        self.run_example(RUN_LOOPBACKS)

    def run_example(self, program, display=(), platform="offscreen", arguments=()):
        """Runs a program in a folder with all flowgraphs. Returns output and log."""
        shutil.copytree(self.programs, self.folder, dirs_exist_ok=True)
        result = subprocess.run([*display, sys.executable, "-B", "-c", program, *arguments], capture_output=True, text=True,
                                env={**ENVIRONMENT, "QT_QPA_PLATFORM": platform, "HOME": str(self.folder)}, cwd=self.folder,
                                timeout=300, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-2000:])
        return result.stdout + result.stderr

    @unittest.skipUnless(hasattr(ldpc, "dvbt2_receiver"), "built without libdvbt2")
    def test_dvbs2_receiver(self):
        self.need_qt()
        self.run_example(RUN_DVBS2)

    @unittest.skipUnless(hasattr(ldpc, "dvbs2_receiver"), "built without libdvbs2")
    def test_dvbs2_acm(self):
        """The MODCOD follows Es/N0 and margin, and no packet is lost."""
        self.need_qt()
        self.run_example(RUN_DVBS2_ACM)

    @unittest.skipUnless(hasattr(ldpc, "dvbs2_receiver"), "built without libdvbs2")
    def test_dvbs2_live(self):
        """A player gets whole datagrams with the packets of the chosen stream. Gold code and symbol rate change at run time."""
        self.need_qt()
        self.run_example(RUN_DVBS2_LIVE)

    def test_receiver_with_a_window(self):
        """Checks packets, curves and table. More noise causes errors."""
        self.need_qt()
        self.run_example(RUN_RECEIVER)

    def test_live_with_a_radio_compiles(self):
        program = (self.programs / "with_radio.py").read_text(encoding="utf-8")
        for part in ("soapy.source(", "self.soapy_source.set_bandwidth(0, (1e6 * self.channel_width))",
                     "self.soapy_source.set_gain(0, self.gain)", "self.soapy_source.set_frequency(0, self.frequency)"):
            self.assertIn(part, program)

    @unittest.skipUnless(hasattr(ldpc, "dvbt2_receiver"), "built without libdvbt2")
    def test_live(self):
        """A player and a file get whole datagrams with correct packets during changes of PLP, channel and gain. Uses a virtual
        display if available."""
        self.need_qt()
        if shutil.which("xvfb-run"):
            self.run_example(RUN_LIVE, ("xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"), "xcb")
        else:
            self.run_example(RUN_LIVE)

    @unittest.skipUnless(hasattr(ldpc, "dvbt2_receiver"), "built without libdvbt2")
    def test_headless_receiver(self):
        """The output begins with the first received frame. Carrier and clock offsets are estimated."""
        self.run_example(RUN_HEADLESS_RECEIVER)

    def test_packets(self):
        """With little noise, all packets are received. With much noise, no packet is received."""
        self.run_example(RUN_PACKETS)

    def test_bars_have_a_range(self):
        """QT GUI Number Sink truncates bar limits to integers. A bar from 0 to 0.2 would be empty."""
        for file in sorted((SOURCE / "examples").glob("*.grc")):
            for block in yaml.safe_load(file.read_text(encoding="utf-8"))["blocks"]:
                parameters = block["parameters"]
                if block["id"] == "qtgui_number_sink" and parameters["graph_type"] != "qtgui.NUM_GRAPH_NONE":
                    self.assertLess(int(parameters["min"]), int(parameters["max"]), file.name)

    def test_flowgraphs_without_a_window_need_no_terminal(self):
        """With the run option "prompt", a program whose standard input is closed stops at once."""
        for file in sorted((SOURCE / "examples").glob("*.grc")):
            options = yaml.safe_load(file.read_text(encoding="utf-8"))["options"]["parameters"]
            if options["generate_options"] == "no_gui":
                self.assertEqual(options["run_options"], "run", file.name)

    @unittest.skipUnless(hasattr(ldpc, "dvbt2_fec_decoder"), "built without libdvbt2")
    def test_flowgraphs_of_earlier_versions(self):
        """Flowgraphs with deprecated values start with a warning."""
        self.assertEqual(self.run_example(RUN_EARLIER, arguments=EARLIER).count("is deprecated"), len(EARLIER))

    @unittest.skipUnless(hasattr(ldpc, "fec_decoder"), "built without gr-fec")
    def test_coders_in_the_blocks_of_gr_fec(self):
        self.need_qt()
        self.run_example(RUN_FEC)

    @unittest.skipUnless(hasattr(ldpc, "dvbt2_fec_decoder"), "built without libdvbt2")
    def test_fec_chain(self):
        """The transport stream is unchanged after mapping, noise and decoding."""
        self.run_example(RUN_CHAIN)


if __name__ == "__main__":
    unittest.main()
