# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests ldpc-dvbt2 and dvbt2_receiver with twelve PLPs (t2_multiplex.py). Half of the PLPs carry transport streams, the other half GSE."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
from gnuradio import blocks, gr, ldpc

import t2_baseband as t2
from t2_multiplex import Multiplex, Plp

RATE = 64e6 / 7
MODE = dict(fft='2K', gi='1/16', pp=4, ndata=30)
FORMAT = t2.Format('1/2', '64qam')
PLPS = tuple(range(3, 36, 3))[:11] + (200,)
FRAMES = 8
PACKETS = 60  # of each transport stream; more than fit into FRAMES


def is_generic(plp_id):
    return plp_id % 2 == 1


class ManyPlps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        multiplex = Multiplex(**MODE)
        plps = [Plp(plp_id, FORMAT, 'GSE' if is_generic(plp_id) else 'TS', high_efficiency=not is_generic(plp_id)) for plp_id in PLPS]
        cls.sent = {n: [] if is_generic(n) else [t2.packet(n, number) for number in range(PACKETS)] for n in PLPS}
        streams = {n: t2.Stream(t2.user_packets(sent, range(PACKETS), t2.Mode()), t2.Mode()) for n, sent in cls.sent.items() if sent}
        for number in range(FRAMES):
            frames = []
            for plp_id in PLPS:
                if is_generic(plp_id):
                    bits, whole = t2.generic_frame(FORMAT.k, 'GSE', bytes([plp_id, number]) * 100, plp_id)
                    cls.sent[plp_id].append(whole)
                    frames.append([bits])
                else:
                    frames.append([streams[plp_id].frame(FORMAT.k)])
            multiplex.add(plps, frames)
        samples = np.concatenate([multiplex.samples(), np.zeros(20000)])
        noise = np.random.default_rng(1).normal(0, 0.03, (2, len(samples)))
        cls.samples = (samples + noise[0] + 1j * noise[1]).astype(np.complex64)
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.samples.tofile(cls.path / 'air.cf32')

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def receive(self, *arguments):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.path))
        program = [os.path.join(os.environ['LDPC_PROGRAMS'], 'ldpc-dvbt2'), self.path / 'air.cf32', '--sample-rate', str(RATE), '-q']
        result = subprocess.run([*program, *arguments], cwd=folder, capture_output=True, text=True, timeout=300)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, '', ''))
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    def assert_received(self, plp_id, data):
        if is_generic(plp_id):
            whole = [b''.join(self.sent[plp_id][-n:]) for n in range(5, FRAMES + 1)]
            self.assertIn(data, whole)
            return
        packets = [data[at:at + t2.TS_PACKET] for at in range(0, len(data), t2.TS_PACKET)]
        first = self.sent[plp_id].index(packets[0])
        self.assertGreater(len(packets), 20)
        self.assertEqual(packets, self.sent[plp_id][first:first + len(packets)])

    def test_all_have_a_file(self):
        files = self.receive('--plp', 'all', '--output', 'air.ts', '--frames', 'air.bbf')
        self.assertEqual(set(files), {f'air.plp{n}.bbf' if is_generic(n) else f'air.plp{n}.ts' for n in PLPS})
        for plp_id in PLPS:
            self.assert_received(plp_id, files[f'air.plp{plp_id}.{"bbf" if is_generic(plp_id) else "ts"}'])

    def test_frames_need_no_output(self):
        """Some or all PLPs carry generic streams."""
        for plps, expected in (('9,3', [9, 3]), ('all', filter(is_generic, PLPS))):
            files = self.receive('--plp', plps, '--frames', 'air.bbf')
            self.assertEqual(set(files), {f'air.plp{n}.bbf' for n in expected})
            self.assert_received(9, files['air.plp9.bbf'])

    def test_an_output_of_the_block_for_each(self):
        graph, receiver = gr.top_block(), ldpc.dvbt2_receiver(RATE, plps=PLPS)
        graph.connect(blocks.vector_source_c(self.samples), receiver)
        sinks = [blocks.vector_sink_b() for _ in PLPS]
        for output, sink in enumerate(sinks):
            graph.connect((receiver, output), sink)
        graph.run()
        for plp_id, sink in zip(PLPS, sinks):
            if is_generic(plp_id):
                self.assertEqual(len(sink.data()), 0)
            else:
                self.assert_received(plp_id, bytes(sink.data()))


if __name__ == '__main__':
    unittest.main()
