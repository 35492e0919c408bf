# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of DVB-T2 (EN 302 755) for the scripts of this folder, independent of lib/dvbt2.
"""
import math

FFT = {'1K': 1024, '2K': 2048, '4K': 4096, '8K': 8192, '16K': 16384, '32K': 32768}
NP2 = {'1K': 16, '2K': 8, '4K': 4, '8K': 2, '16K': 1, '32K': 1}  # P2 symbols per frame
KEXT = {'8K': 48, '16K': 144, '32K': 288}                        # carriers that extended mode adds on each side
C_P2 = {'SISO': dict(zip(FFT, (558, 1118, 2236, 4472, 8944, 22432))),
        'MISO': dict(zip(FFT, (546, 1098, 2198, 4398, 8814, 17612)))}
TR = dict(zip(FFT, (10, 18, 36, 72, 144, 288)))                  # reserved tones per symbol
GI = {'1/128': (1, 128), '1/32': (1, 32), '1/16': (1, 16), '19/256': (19, 256), '1/8': (1, 8), '19/128': (19, 128),
      '1/4': (1, 4)}
DXY = {1: (3, 4), 2: (6, 2), 3: (6, 4), 4: (12, 2), 5: (12, 4), 6: (24, 2), 7: (24, 4), 8: (6, 16)}
BITS = {'QPSK': 2, '16QAM': 4, '64QAM': 6, '256QAM': 8}
L1BITS = {'BPSK': 1, 'QPSK': 2, '16QAM': 4, '64QAM': 6}
RATES = ('1/2', '3/5', '2/3', '3/4', '4/5', '5/6', '1/3', '2/5')  # in the order of PLP_COD
KBCH = {'normal': {'1/2': 32208, '3/5': 38688, '2/3': 43040, '3/4': 48408, '4/5': 51648, '5/6': 53840},
        'short': {'1/3': 5232, '2/5': 6312, '1/2': 7032, '3/5': 9552, '2/3': 10632, '3/4': 11712, '4/5': 12432,
                  '5/6': 13152}}
TI_MAX = {'base': (1 << 19) + (1 << 15), 'lite': 1 << 18}         # maximum cells of a TI block

# Data cells for PP1 .. PP8: C_DATA normal symbol, N_FC frame-closing symbol, C_FC frame-closing symbol without thinning cells.
C_DATA = {('1K', 0): (764, 768, 798, 804, 818, 0, 0, 0),
          ('2K', 0): (1522, 1532, 1596, 1602, 1632, 0, 1646, 0),
          ('4K', 0): (3084, 3092, 3228, 3234, 3298, 0, 3328, 0),
          ('8K', 0): (6208, 6214, 6494, 6498, 6634, 0, 6698, 6698),
          ('8K', 1): (6296, 6298, 6584, 6588, 6728, 0, 6788, 6788),
          ('16K', 0): (12418, 12436, 12988, 13002, 13272, 13288, 13416, 13406),
          ('16K', 1): (12678, 12698, 13262, 13276, 13552, 13568, 13698, 13688),
          ('32K', 0): (0, 24886, 0, 26022, 0, 26592, 26836, 26812),
          ('32K', 1): (0, 25412, 0, 26572, 0, 27152, 27404, 27376)}
C_FC = {('1K', 0): (402, 654, 490, 707, 544, 0, 0, 0),
        ('2K', 0): (804, 1309, 980, 1415, 1088, 0, 1396, 0),
        ('4K', 0): (1609, 2619, 1961, 2831, 2177, 0, 2792, 0),
        ('8K', 0): (3218, 5238, 3922, 5662, 4354, 0, 5585, 0),
        ('8K', 1): (3264, 5312, 3978, 5742, 4416, 0, 5664, 0),
        ('16K', 0): (6437, 10476, 7845, 11324, 8709, 11801, 11170, 0),
        ('16K', 1): (6573, 10697, 8011, 11563, 8893, 12051, 11406, 0),
        ('32K', 0): (0, 20952, 0, 22649, 0, 23603, 0, 0),
        ('32K', 1): (0, 21395, 0, 23127, 0, 24102, 0, 0)}
N_FC = {('1K', 0): (568, 710, 710, 780, 780, 0, 0, 0),
        ('2K', 0): (1136, 1420, 1420, 1562, 1562, 0, 1632, 0),
        ('4K', 0): (2272, 2840, 2840, 3124, 3124, 0, 3266, 0),
        ('8K', 0): (4544, 5680, 5680, 6248, 6248, 0, 6532, 0),
        ('8K', 1): (4608, 5760, 5760, 6336, 6336, 0, 6624, 0),
        ('16K', 0): (9088, 11360, 11360, 12496, 12496, 13064, 13064, 0),
        ('16K', 1): (9280, 11600, 11600, 12760, 12760, 13340, 13340, 0),
        ('32K', 0): (0, 22720, 0, 24992, 0, 26128, 0, 0),
        ('32K', 1): (0, 23200, 0, 25520, 0, 26680, 0, 0)}

# Pilot patterns of SISO frames that have a frame-closing symbol. MISO frames have a frame-closing symbol with all patterns except PP8.
_PAIRS = {'1/16': (4, 5), '1/8': (2, 3), '1/4': (1,)}
FC_USE = {'32K': {'1/32': (6,), '1/16': (4,), '19/256': (4,), '1/8': (2,), '19/128': (2,)},
          '16K': dict(_PAIRS, **{'1/32': (6, 7), '19/256': (4, 5), '19/128': (2, 3)}),
          '8K': dict(_PAIRS, **{'1/32': (7,), '19/256': (4, 5), '19/128': (2, 3)}),
          '4K': dict(_PAIRS, **{'1/32': (7,)}),
          '2K': dict(_PAIRS, **{'1/32': (7,)}),
          '1K': _PAIRS}

# Pilot patterns for each FFT size and guard interval.
_SMALL = {'1/32': (4, 7), '1/16': (4, 5), '1/8': (2, 3), '1/4': (1,)}
_SMALL_MISO = {'1/32': (4, 5), '1/16': (3,), '1/8': (1,)}
_LARGE_MISO = {'1/128': (4, 5, 8), '1/32': (4, 5, 8), '1/16': (3, 8), '19/256': (3, 8), '1/8': (1, 8), '19/128': (1, 8)}
ALLOWED = {
    'SISO': {'1K': {'1/16': (4, 5), '1/8': (2, 3), '1/4': (1,)},
             '2K': _SMALL,
             '4K': _SMALL,
             '8K': {'1/128': (7,), '1/32': (4, 7), '1/16': (4, 5, 8), '19/256': (4, 5, 8), '1/8': (2, 3, 8),
                    '19/128': (2, 3, 8), '1/4': (1, 8)},
             '16K': {'1/128': (7,), '1/32': (4, 6, 7), '1/16': (2, 4, 5, 8), '19/256': (2, 4, 5, 8),
                     '1/8': (2, 3, 8), '19/128': (2, 3, 8), '1/4': (1, 8)},
             '32K': {'1/128': (7,), '1/32': (4, 6), '1/16': (2, 4, 8), '19/256': (2, 4, 8), '1/8': (2, 8),
                     '19/128': (2, 8)}},
    'MISO': {'1K': {'1/16': (3,), '1/8': (1,)},
             '2K': _SMALL_MISO,
             '4K': _SMALL_MISO,
             '8K': _LARGE_MISO,
             '16K': _LARGE_MISO,
             '32K': {'1/128': (4, 6, 8), '1/32': (4, 8), '1/16': (2, 8), '19/256': (2, 8)}}}


def closing_symbol(fft, guard, pp, miso):
    return pp != 8 if miso else pp in FC_USE[fft].get(guard, ())


def sample_rate(bandwidth):
    """Returns the samples per second. bandwidth: MHz, as text."""
    return 131e6 / 71 if bandwidth == '1.7' else float(bandwidth) * 8e6 / 7


# ---- presets

def _preset(fft, ext, qam, rate, gi, pp, ndata=0, **more):
    return dict(fft=fft, ext=ext, qam=qam, rate=rate, gi=gi, pp=pp, ndata=ndata, **more)


# Presets 1 .. 9 are the modes of DIGITALEUROPE's receiver requirements, with frames up to 250 ms. The frames of other presets are
# short.
PRESETS = {
    '1': _preset('8K', 1, 'QPSK', '1/2', '1/16', 4),
    '2': _preset('16K', 1, '16QAM', '2/3', '19/128', 3),
    '3': _preset('16K', 1, '64QAM', '2/3', '19/256', 2),
    '4': _preset('16K', 0, '256QAM', '3/5', '1/32', 4),
    '5': _preset('32K', 0, '256QAM', '3/5', '1/32', 4),
    '6': _preset('32K', 0, '256QAM', '3/5', '1/8', 2),
    '7': _preset('32K', 1, '256QAM', '2/3', '1/128', 7, 59, nblocks=202, ti=3),
    '8': _preset('32K', 1, '256QAM', '2/3', '1/16', 4),
    '9': _preset('32K', 1, '256QAM', '3/4', '1/32', 6),
    '1k': _preset('1K', 0, 'QPSK', '1/2', '1/8', 3, 100, fec='short'),
    '2k': _preset('2K', 0, '16QAM', '3/5', '1/8', 2, 60, fec='short', l1='QPSK'),
    '4k': _preset('4K', 0, '64QAM', '1/2', '1/32', 7, 40, fec='short', l1='16QAM'),
    '8k': _preset('8K', 1, '64QAM', '3/4', '19/256', 5, 20, fec='short', l1='64QAM', hem=0),
    'lite': _preset('8K', 0, '16QAM', '1/3', '1/8', 3, 30, fec='short', lite=1, version='1.3.1', l1scr=1),
    'miso': _preset('8K', 1, '64QAM', '2/3', '1/16', 3, 23, fec='short', miso=1),
    'papr': _preset('8K', 1, '256QAM', '4/5', '1/32', 7, 30, fec='short', tr=1, l1='64QAM'),
    'inband': _preset('4K', 0, '256QAM', '3/5', '1/16', 5, 50, fec='short', version='1.3.1', l1scr=1, inband=1),
}
DEFAULTS = dict(fft='8K', ext=0, qam='64QAM', rate='2/3', gi='1/16', pp=4, ndata=0, fec='normal', nblocks=0, ti=-1, rot=1,
                l1='16QAM', miso=0, lite=0, tr=0, version='1.1.1', l1scr=0, inband=0, hem=1, nt2=2, bw='8', bias=0)


# ---- derived numbers

def l1_cells(l1, n_p2, info=318):
    """Returns the number of cells of L1-pre and L1-post. L1-post has 318 bits with one PLP and without FEF."""
    k_sig = info + 32
    bits = k_sig + 168 + 9000 - 6 * (7032 - k_sig) // 5
    unit = L1BITS[l1] * (2 if n_p2 == 1 else n_p2)
    return 1840 + -(-bits // unit) * unit // L1BITS[l1]


def _check(p):
    if p['ext'] and p['fft'] not in KEXT:
        raise ValueError('extended carriers are only defined for 8K, 16K and 32K')
    if p['fec'] == 'normal' and p['lite']:
        raise ValueError('T2-Lite has short FEC frames only')
    if not C_DATA[p['fft'], p['ext']][p['pp'] - 1]:
        raise ValueError('pilot pattern PP%d is not defined for FFT size %s' % (p['pp'], p['fft']))


def _fewest_ti_blocks(n_blocks, cell, limit):
    ti = 1
    while -(-n_blocks // ti) * cell > limit:
        ti += 1
    return ti


def derive(p):
    """Returns all parameters, including lengths, cells and FEC blocks. Raises ValueError if parameters are incompatible."""
    _check(p)
    d = dict(p)
    fft, ext, pattern = p['fft'], p['ext'], p['pp'] - 1
    nfft, np2, fs = FFT[fft], NP2[fft], sample_rate(p['bw'])
    guard = nfft * GI[p['gi']][0] // GI[p['gi']][1]
    closing = closing_symbol(fft, p['gi'], p['pp'], p['miso'])
    if not p['ndata']:
        d['ndata'] = int((0.25 * fs - 2048) // (nfft + guard)) - np2
        if fft == '32K' and (d['ndata'] + np2) % 2:  # an even number of symbols
            d['ndata'] -= 1
    tones = TR[fft] if p['tr'] else 0
    c_p2 = C_P2['MISO' if p['miso'] else 'SISO'][fft]
    c_data = C_DATA[fft, ext][pattern] - tones
    c_fc = C_FC[fft, ext][pattern] - tones if closing else 0
    l1 = l1_cells(p['l1'], np2)
    cells = np2 * c_p2 + (d['ndata'] - closing) * c_data + c_fc
    cell = {'normal': 64800, 'short': 16200}[p['fec']] // BITS[p['qam']]
    room = cells - l1
    d['nblocks'] = p['nblocks'] or room // cell
    if d['nblocks'] * cell > room or not 0 < d['nblocks'] < 1024:
        raise ValueError('%d FEC blocks do not fit into a frame (maximum %d)' % (d['nblocks'], room // cell))
    if p['ti'] < 0:
        d['ti'] = _fewest_ti_blocks(d['nblocks'], cell, TI_MAX['lite' if p['lite'] else 'base'])
    kext = KEXT.get(fft, 0) if ext else 0
    kbch = KBCH[p['fec']][p['rate']]
    inband = 104 if p['inband'] else 0  # gr-dtv pads the 102 bits of type B
    d.update(nfft=nfft, guard=guard, np2=np2, l_f=np2 + d['ndata'], fc=bool(closing), kext=kext,
             cps=nfft // 1024 * 852 + 1 + 2 * kext, c_p2=c_p2, c_data=c_data, c_fc=c_fc, l1_cells=l1,
             frame_cells=cells, cell=cell, dummy_cells=room - d['nblocks'] * cell, kbch=kbch, fs=fs,
             frame_samples=2048 + (np2 + d['ndata']) * (nfft + guard),
             ts_bytes_per_frame=(d['nblocks'] * (kbch - 80) - inband) // 8)
    d['frame_ms'] = d['frame_samples'] / fs * 1e3
    d['ts_rate'] = d['ts_bytes_per_frame'] * 8 * (188 / 187 if p['hem'] else 1) * fs / d['frame_samples']
    d['data_cell_power'] = 25 / 27 / d['cps']  # of one data cell, as a fraction of the sample power
    return d


def pilot_amplitudes(fft, pp, miso):
    """Amplitudes of P2, scattered and continual pilots."""
    p2 = math.sqrt(37 if fft == '32K' and not miso else 31) / 5
    scattered = {1: 4 / 3, 2: 4 / 3, 3: 7 / 4, 4: 7 / 4}.get(pp, 7 / 3)
    continual = {'1K': 4 / 3, '2K': 4 / 3, '4K': 4 * math.sqrt(2) / 3}.get(fft, 8 / 3)
    return p2, scattered, continual
