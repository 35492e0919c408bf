# SPDX-License-Identifier: BSD-3-Clause
"""Programs that run the examples of DVB-S2, and a player. test_grc_examples starts them."""

END = "import os, sys\nsys.stdout.flush()\nos._exit(0)\n"  # without the end of Qt
# Checks the size of the window as the generated program sets it.
CHECK_SIZE = """
def check_size(width, height):
    example.snippets_main_after_init(graph)
    screen = Qt.QApplication.primaryScreen().availableSize()
    size = graph.width(), graph.height()
    assert size == (min(width, screen.width()), min(height, screen.height())), size
"""


def started(example, width, height):
    """Returns the start of a program that runs an example."""
    return CHECK_SIZE + f"""
import os, sys, time
from PyQt5 import Qt
import {example} as example
application = Qt.QApplication([])
graph = example.{example}()
check_size({width}, {height})
graph.start()
end = time.monotonic() + 120

def wait_for(condition):
    while not condition() and time.monotonic() < end:
        application.processEvents()
        time.sleep(0.02)
    assert condition(), graph.table.text()
"""


PLAYER = """
import os, pathlib, socket, sys, time, types
from PyQt5 import Qt
player = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
player.bind(("127.0.0.1", 0))
player.settimeout(60)
program = pathlib.Path("EXAMPLE.py")
program.write_text(program.read_text().replace("port=1234", f"port={player.getsockname()[1]}"))
"""

RUN_DVBS2 = started("dvbs2_receiver", 1400, 900) + """
def count(modulation, name="frames"):
    return sum(counts[name] for (modcod, _), counts in list(graph.receiver.modcods.items()) if modcod.startswith(modulation))

wait_for(lambda: graph.receiver.status()["packets"] >= 300)
assert count("", "failed_frames") == 0, graph.receiver.modcods
graph.set_esn0(8)  # too low for 16APSK only
wait_for(lambda: count("16apsk", "failed_frames") > 2)
assert count("qpsk", "failed_frames") == 0, graph.receiver.modcods
graph.set_vcm(0)  # no more frames of 16APSK
wait_for(lambda: count("qpsk") > count("16apsk") + 5)
graph.stop()
graph.wait()
application.processEvents()
for word in ("Es/N0", "roll-off", "packets, marked", "16apsk:64800:3/4", "qpsk:64800:1/2", "VCM or ACM", "whole stream"):
    assert word in graph.table.text(), graph.table.text()
""" + END

RUN_DVBS2_ACM = started("dvbs2_acm", 1100, 800) + """
def frames():
    return graph.decoder.counters()["frames"]

wait_for(lambda: graph.modcod == "16apsk:16200:3/4")
for esn0 in (14, 13, 12.5, 12, 11.5, 11):  # the present MODCOD is used for about 30 more frames
    graph.set_esn0(esn0)
    wait_for(lambda before=frames(): frames() > before + 40)
wait_for(lambda: graph.modcod == "8psk:16200:3/4")
graph.set_margin(5)
wait_for(lambda: graph.modcod == "qpsk:16200:2/3")
graph.set_margin(2)
graph.set_esn0(20)
wait_for(lambda: graph.modcod == "32apsk:16200:4/5")
wait_for(lambda: "32apsk:16200:4/5" in graph.table.text())
graph.stop()
graph.wait()
application.processEvents()
counters = graph.decoder.counters()
assert counters["packets"] > 1000 and counters["lost_packets"] == counters["ts_errors"] == counters["header_errors"] == 0, counters
for word in ("Es/N0", "8psk:16200:3/4"):
    assert word in graph.table.text(), graph.table.text()
""" + END

RUN_DVBS2_LIVE = CHECK_SIZE + PLAYER.replace("EXAMPLE", "dvbs2_live") + """
import dvbs2_live as example
application = Qt.QApplication([])
graph = example.dvbs2_live()
check_size(1400, 900)
known = [set(map(bytes, packets.astype("uint8"))) for packets in graph.packets]
rates = []
graph.soapy_source = types.SimpleNamespace(set_sample_rate=lambda _, rate: rates.append(rate))
graph.start()
end = time.monotonic() + 120

def datagram():
    application.processEvents()
    data = player.recv(65536)
    assert len(data) == 7 * 188 and time.monotonic() < end, (len(data), graph.receiver.status())
    return [data[i:i + 188] for i in range(0, len(data), 188)]

def only_second(datagrams):  # in succession
    count = 0
    while count < datagrams:
        count = count + 1 if all(packet in known[1] for packet in datagram()) else 0

received = []
while not all(any(packet in packets for packet in received) for packets in known):  # both streams alternate
    received += datagram()
graph.set_stream(2)
only_second(100)
graph.set_gold(7)
while not graph.receiver.status()["failed_frames"] and time.monotonic() < end:
    application.processEvents()
    time.sleep(0.02)
assert graph.receiver.status()["packets"] == 0, graph.receiver.status()
graph.set_gold(0)
graph.set_symbol_rate(5e5)
assert (graph.throttle.sample_rate(), rates[-1], graph.receiver.options["symbol_rate"]) == (1e6, 1e6, 5e5), rates
only_second(30)
graph.stop()
graph.wait()
""" + END
