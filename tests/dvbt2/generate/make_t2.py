#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""DVB-T2 test signals.

  make_t2.py tx --preset 4k --frames 6 -o sig            sig.cf32, sig.ts, sig.json (GNU Radio with gr-dtv)
  make_t2.py chan sig.cf32 -o rx.cs16 --cn 20 ...        a channel and a receiver's front end (numpy)
  make_t2.py list                                        the presets

The first packet of sig.ts starts with the first frame. Bytes 4 to 7 of a packet hold its index. rx.cs16.json holds the sample
number of the first P1.
"""
import argparse
import sys

from t2_standard import DEFAULTS, GI, PRESETS, derive

HELP = {
    'fft': '1K .. 32K', 'ext': 'extended carriers 0/1', 'qam': 'QPSK 16QAM 64QAM 256QAM',
    'rate': '1/2 3/5 2/3 3/4 4/5 5/6, with --fec short 1/3 and 2/5 too', 'gi': ' '.join(GI), 'pp': 'pilot pattern 1 .. 8',
    'ndata': 'data symbols of a frame (0: as many as 250 ms allow)', 'fec': 'normal or short',
    'nblocks': 'FEC blocks of a frame (0: all that fit)', 'ti': 'TI blocks of a frame, 0: off, -1: as few as allowed',
    'rot': 'rotated constellation 0/1', 'l1': 'BPSK QPSK 16QAM 64QAM', 'miso': '0/1: writes _tx1 and _tx2',
    'lite': 'T2-Lite preamble 0/1', 'tr': 'tone reservation 0/1', 'version': '1.1.1 1.2.1 1.3.1',
    'l1scr': 'L1-post scrambling 0/1 (1.3.1)', 'inband': 'in-band type B 0/1 (1.3.1)',
    'hem': '1: high efficiency mode, 0: normal mode', 'nt2': 'frames of a super-frame', 'bw': '1.7 5 6 7 8 10 (MHz)',
    'bias': 'reserved bits set 0/1'}


def list_presets(_):
    for name, preset in PRESETS.items():
        d = derive({**DEFAULTS, **preset})
        print('%-6s %4s %s %-6s %s %-5s GI %-6s PP%d  %3d data symbols, %3d blocks, TI %d, %5.1f ms, %6.3f Mbit/s' % (
            name, d['fft'], 'ext' if d['ext'] else '   ', d['qam'], d['rate'], d['fec'], d['gi'], d['pp'], d['ndata'],
            d['nblocks'], d['ti'], d['frame_ms'], d['ts_rate'] / 1e6))


def transmit(a):
    import t2_transmit  # needs GNU Radio
    t2_transmit.transmit(a)


def channel(a):
    import t2_channel
    t2_channel.channel(a)


def add_transmitter(commands):
    t = commands.add_parser('tx', help='transmitter')
    t.set_defaults(run=transmit)
    t.add_argument('--preset', choices=PRESETS)
    t.add_argument('--frames', type=int, default=2)
    t.add_argument('--seed', type=int, default=1)
    t.add_argument('-o', required=True, metavar='NAME')
    for name, value in DEFAULTS.items():
        t.add_argument('--' + name, type=type(value), help='%s (default %s)' % (HELP[name], value))


def add_channel(commands):
    c = commands.add_parser('chan', help='channel')
    c.set_defaults(run=channel)
    c.add_argument('input')
    c.add_argument('-o', required=True, help='.cf32 .cs16 .cs8 .cu8')
    c.add_argument('--in2', help="the second transmitter's file (MISO)")
    c.add_argument('--json', help='parameters of the signal (default: beside it)')
    c.add_argument('--fs-in', type=float, help='input rate, Hz (default: from the parameters)')
    c.add_argument('--cps', type=int, default=27841, help='used carriers if there are no parameters')
    c.add_argument('--nfft', type=int, default=32768, help='FFT size if there are no parameters')
    c.add_argument('--rate', type=float, help='output rate, Hz')
    c.add_argument('--ppm', type=float, default=0, help="clock offset of the receiver, positive: faster than nominal")
    c.add_argument('--cfo', type=float, default=0, help='carrier offset, Hz: shifts the signal up')
    c.add_argument('--pn', help='phase noise --pn=dBc/Hz,corner Hz (scipy)')
    for name in ('--echo', '--echo2'):
        c.add_argument(name, action='append', metavar='PATH',
                       help='delay us,dB[,phase deg[,Doppler Hz[,rayleigh]]]; repeat; the direct path is one of them')
    c.add_argument('--cn', type=float, help='C/N per cell, dB')
    c.add_argument('--esn0', type=float, help='Es/N0 of the data cells, dB')
    c.add_argument('--level', type=float, help='rms level, dB of full scale (default: -12; -24 where L1 is in BPSK)')
    c.add_argument('--gain', action='append', default=[], help='ms:dB: gain from this time on; repeatable')
    c.add_argument('--ramp', action='store_true', help='ramps between the gain points instead of steps')
    c.add_argument('--lead', type=int, default=0, help='number of noise samples before the signal')
    c.add_argument('--lead-max', type=int, default=0, help='maximum of a random number of noise samples before the signal')
    c.add_argument('--seed', type=int, default=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    add_transmitter(commands)
    add_channel(commands)
    commands.add_parser('list', help='presets').set_defaults(run=list_presets)
    a = parser.parse_args()
    try:
        a.run(a)
    except ValueError as error:
        sys.exit('make_t2.py: %s' % error)


if __name__ == '__main__':
    main()
