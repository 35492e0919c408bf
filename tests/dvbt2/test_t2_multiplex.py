# SPDX-License-Identifier: GPL-3.0-or-later
"""Multiplexes that no available transmitter sends (t2_multiplex.py)."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import libdvbt2
import numpy as np
from libdvbt2.tools.reception import Reception

import t2_baseband as t2
from t2_broadcast import RATE, SMALL, Service, broadcast, on_the_air
from t2_multiplex import COMMON, DATA, TYPE_2, Multiplex, Plp

SUPER_FRAME = 4
FORMATS = t2.Format('1/2', '16qam'), t2.Format('3/5', '64qam', rotated=True), t2.Format('2/3', 'qpsk')


class Samples(unittest.TestCase):
    def common_plp(self, plp_type, sub_slices):
        """Receives a stream in a data PLP and a common PLP, merged by ISSY."""
        count, frames, blocks, latency = 700, 17, (6, 1), 3000000  # T from a packet's ISCR to its output
        mode, formats = t2.Mode(issy=3, deletion=True), (FORMATS[0], FORMATS[2])
        multiplex = Multiplex(SUPER_FRAME, sub_slices=sub_slices, **SMALL)
        whole, *parts = t2.group_streams(count)
        times = np.floor(frames * multiplex.frame_samples / count * np.arange(count)).astype(int)
        streams = [t2.Stream(t2.user_packets(slots, times, mode), mode) for slots in parts]
        plps = Plp(1, formats[0], plp_type=plp_type), Plp(2, formats[1], plp_type=COMMON)
        for number in range(frames):
            sent = [[], []]
            for stream, fmt, most, own in zip(streams, formats, blocks, sent):
                while len(own) < most and not stream.done:
                    first = min(stream.next_unit, len(stream.units) - 1)
                    say = t2.tto(stream.units[first].time + latency - number * multiplex.frame_samples)[1]
                    own.append(stream.frame(fmt.k, (), say if number % 3 == 0 and not own else None))
            multiplex.add(plps, sent)
        received, data, common = [], libdvbt2.plp_decoder(), libdvbt2.plp_decoder()
        receiver = libdvbt2.receiver(RATE, 'cf32', plps=[1, libdvbt2.COMMON_PLP])
        reception = Reception(receiver, RATE, [data], [lambda packets: received.extend(map(bytes, packets))], [common])
        reception.push(on_the_air(multiplex.samples()))
        reception.finish()
        self.assertEqual(len(received), count)
        self.assertEqual([n for n in range(20, count - 40) if received[n] != whole[n]], [])
        for have, want in zip(received, whole):  # at the ends one of the PLPs has no ISCR before or after
            self.assertTrue(have == want or t2.is_null(have))
        counters = data.counters()
        self.assertGreater(counters['common_packets'], 60)
        self.assertEqual([counters[name] for name in ('unplaced_packets', 'lost_packets', 'crc_errors')], [0] * 3)

    def test_common_plp(self):
        self.common_plp(DATA, 1)

    def test_common_plp_of_sub_slices(self):
        self.common_plp(TYPE_2, 15)

    def test_generic_stream(self):
        fmt, multiplex, random = FORMATS[1], Multiplex(SUPER_FRAME, **SMALL), np.random.default_rng(2)
        plp, sent = Plp(7, fmt, 'GSE', high_efficiency=False), []
        for number in range(6):
            frames = [t2.generic_frame(fmt.k, 'GSE', random.bytes(100 * number + 90 * block), 7) for block in range(5)]
            multiplex.add([plp], [[bits for bits, _whole in frames]])
            sent += [whole for _bits, whole in frames]
        received, decoder = [], libdvbt2.plp_decoder(generic_frames=True)
        receiver = libdvbt2.receiver(RATE, 'cf32')
        reception = Reception(receiver, RATE, [decoder], [lambda packets: self.fail('no packets')], frames=[received.append])
        reception.push(on_the_air(multiplex.samples()))
        reception.finish()
        self.assertEqual(received, sent)
        self.assertEqual(receiver.l1_post()['plps'][0]['plp_payload_type'], 2)

    def test_a_change_that_in_band_signalling_announces(self):
        mode, change, frames = t2.Mode(), 2 * SUPER_FRAME, 4 * SUPER_FRAME
        multiplex = Multiplex(SUPER_FRAME, **SMALL)
        stream = t2.Stream(t2.user_packets([t2.packet(256, n) for n in range(700)], np.zeros(700), mode), mode)
        plps = [[Plp(1, FORMATS[0], in_band_a=True)], [Plp(0, FORMATS[2]), Plp(1, FORMATS[1], in_band_a=True)]]
        before = t2.generic_frame(FORMATS[2].k, 'GSE', bytes(50))[0]
        counts = [[3 + n % 3] if n < change else [1 + n % 2, 4 - n % 3] for n in range(frames + 1)]
        counter = [2 - n // SUPER_FRAME if n < change else 0 for n in range(frames + 1)]
        places = [multiplex.places(plps[n >= change], counts[n]).of_plp[-1] for n in range(frames + 1)]
        for number in range(frames):
            start, blocks = places[number + 1]
            announced = t2.in_band_a(counter[number + 1], [(0, 0, start, 0)], blocks)
            own, fmt = [], plps[number >= change][-1].fmt
            for block in range(counts[number][-1]):
                own.append(stream.frame(fmt.k, () if block else announced))
            others = [[before] * counts[number][0]] if number >= change else []
            multiplex.add(plps[number >= change], [*others, own], counter[number])
        self.assertFalse(stream.done)
        receiver, decoder, said = libdvbt2.receiver(RATE, 'cf32', plps=[1]), libdvbt2.plp_decoder(), []
        for cells, noise, frame, first in libdvbt2.cells_of(receiver, on_the_air(multiplex.samples())):
            if first == 0:
                alone = libdvbt2.plp_decoder()
            for one in (alone, decoder):
                one.feed(frame, first, cells, noise)
            if first + len(cells) == frame.cells:
                alone.finish()
                said.append(alone.signalling()['in_band_a'])
        decoder.finish()
        packets = [bytes(packet) for part in libdvbt2.packets_of(decoder) for packet in part]
        self.assertEqual(len(said), frames)
        for number, one in enumerate(said):
            self.assertEqual(one['plp_l1_change_counter'], counter[number + 1])
            self.assertEqual((one['frames'][0]['current_plp_start'], one['current_plp_num_blocks']), places[number + 1])
        sent = stream.units[:stream.at // stream.unit_bits]
        self.assertEqual(packets, [bytes([0x47]) + unit.data for unit in sent])

    def test_plps_that_l1_adds(self):
        multiplex = Multiplex(SUPER_FRAME, **SMALL)
        services = {plp: Service(Plp(plp, FORMATS[plp % 3])) for plp in (1, 2, 30)}
        generic, frames = Plp(8, FORMATS[0], 'GSE', high_efficiency=False), []
        for plps in ((1,), (1, 30), (2, 30), (2, 1)):
            broadcast(multiplex, [services[plp] for plp in plps], SUPER_FRAME, lambda *_: 2)
        for number in range(2):
            bits, whole = t2.generic_frame(generic.fmt.k, 'GSE', bytes([number]) * 90, 8)
            multiplex.add([generic], [[bits]])
            frames.append(whole)
        with tempfile.TemporaryDirectory() as folder:
            recording = pathlib.Path(folder, 'air.cf32')
            on_the_air(multiplex.samples()).tofile(recording)
            program = [os.path.join(os.environ['LDPC_PROGRAMS'], 'ldpc-dvbt2'), recording, '--sample-rate', str(RATE), '--plp', 'all', '-q']
            result = subprocess.run([*program, '-o', 'air.ts', '--frames', 'air.bbf', '--json', 'air.json'], cwd=folder, capture_output=True,
                                    text=True, timeout=300)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, '', ''))
            files = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
        streams = json.loads(files['air.json'])['streams']
        self.assertEqual([stream['plp'] for stream in streams], [1, 30, 2, 8])
        self.assertEqual(files['air.plp8.bbf'], b''.join(frames))
        for plp, service in services.items():
            data = files[f'air.plp{plp}.ts']
            packets = [data[at:at + t2.TS_PACKET] for at in range(0, len(data), t2.TS_PACKET)]
            missing = [number for number, packet in enumerate(service.sent) if packet not in packets]
            self.assertEqual(len(packets) + len(missing), len(service.sent))
            self.assertLessEqual(len(missing), 1)  # a packet that ends only after the absence of the PLP
        self.assertEqual(len(files), 6)

    def test_several_rf_channels_are_refused(self):
        multiplex = Multiplex(SUPER_FRAME, n_rf=2, **SMALL)
        frames = [t2.generic_frame(FORMATS[0].k, 'GSE', bytes(50))[0]] * 3
        for _ in range(4):
            multiplex.add([Plp(5, FORMATS[0])], [frames])
        samples = on_the_air(multiplex.samples())
        why = 'PLP 5 is spread over 2 RF channels (time-frequency slicing), which is not supported'
        receiver = libdvbt2.receiver(RATE, 'cf32')
        self.assertEqual(list(libdvbt2.cells_of(receiver, samples)), [])
        self.assertEqual(receiver.status()['message'], why)
        self.assertEqual([rf['frequency'] for rf in receiver.l1_post()['rf']], [546000000, 554000000])
        with tempfile.TemporaryDirectory() as folder:
            recording, ts = (pathlib.Path(folder, name) for name in ('air.cf32', 'air.ts'))
            samples.tofile(recording)
            for plp in ([], ['--plp', 'all']):
                program = [os.path.join(os.environ['LDPC_PROGRAMS'], 'ldpc-dvbt2'), recording, '--sample-rate', str(RATE), '-o', ts, '-q']
                result = subprocess.run(program + plp, capture_output=True, text=True, timeout=300)
                self.assertEqual((result.returncode, result.stdout, result.stderr), (1, '', f'ldpc-dvbt2: {why}\n'))
                self.assertEqual(os.listdir(folder), ['air.cf32'])


if __name__ == '__main__':
    unittest.main()
