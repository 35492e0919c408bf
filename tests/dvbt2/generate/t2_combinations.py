# SPDX-License-Identifier: GPL-3.0-or-later
"""A covering set of modes. Every valid pair of values of two parameters occurs in one of the modes.

The set is constant. 16K extended PP1 is excluded, because gr-dtv misplaces one of its continual pilots.
"""
import functools
import itertools
import random

from t2_standard import ALLOWED, DEFAULTS, DXY, FFT, GI, KEXT, NP2, derive

COMBINATIONS = 160
CANDIDATES = 40      # random candidates compared for each combination
FRAME_MS = 12, 30    # wanted length of a frame
FEWEST_SYMBOLS = 7   # data symbols of a frame
FACTORS = {
    'fft': list(FFT), 'gi': list(GI), 'pp': list(DXY), 'ext': [0, 1], 'miso': [0, 1], 'lite': [0, 1],
    'qam': ['QPSK', '16QAM', '64QAM', '256QAM'], 'rate': ['1/2', '3/5', '2/3', '3/4', '4/5', '5/6', '1/3', '2/5'],
    'fec': ['normal', 'short'], 'rot': [0, 1], 'l1': ['BPSK', 'QPSK', '16QAM', '64QAM'], 'tr': [0, 1],
    'version': ['1.1.1', '1.2.1', '1.3.1'], 'l1scr': [0, 1], 'inband': [0, 1], 'hem': [0, 1], 'ti': [-1, 0, 3],
}


def lite_fits(c):
    """Returns True if T2-Lite allows the parameters (EN 302 755, annex I)."""
    get = c.get
    forbidden = (get('fft') in ('1K', '32K'), get('fec') == 'normal', get('rate') in ('4/5', '5/6'), get('pp') == 8,
                 get('version', '1.3.1') != '1.3.1', get('qam') == '256QAM' and get('rot') == 1,
                 get('qam') == '256QAM' and get('rate') in ('2/3', '3/4'))
    return not any(forbidden)


def ofdm_fits(c):
    """Returns True if FFT size, guard interval, pilot pattern and carriers are compatible."""
    for mode, fft, gi in itertools.product((c['miso'],) if 'miso' in c else (0, 1), (c['fft'],) if 'fft' in c else FFT,
                                           (c['gi'],) if 'gi' in c else GI):
        patterns = ALLOWED['MISO' if mode else 'SISO'][fft].get(gi, ())
        for pp in patterns:
            if c.get('pp', pp) != pp or (c.get('ext') and (fft not in KEXT or (fft == '16K' and pp == 1))):
                continue
            if c.get('lite') and (fft in ('1K', '32K') or pp == 8):
                continue
            return True
    return False


def fits(c):
    newest = c.get('version', '1.3.1') == '1.3.1'
    if (c.get('l1scr') or c.get('inband')) and not newest:
        return False
    if c.get('rate') in ('1/3', '2/5') and (c.get('lite') == 0 or not lite_fits(c)):
        return False
    if c.get('lite') and not lite_fits(c):
        return False
    return ofdm_fits(c) and not (c.get('rate') in ('1/3', '2/5') and not ofdm_fits({**c, 'lite': 1}))


def pairs(c):
    names = [name for name in FACTORS if name in c]
    return {(a, c[a], b, c[b]) for a, b in itertools.combinations(names, 2)}


def all_pairs():
    """Returns every pair of values that occurs in a valid combination."""
    found = set()
    for a, b in itertools.combinations(FACTORS, 2):
        for x, y in itertools.product(FACTORS[a], FACTORS[b]):
            if fits({a: x, b: y}):
                found.add((a, x, b, y))
    return found


def choose(rng, items):
    return items[int(rng.random() * len(items))]


def shuffled(rng, items):
    return [item for _, item in sorted((rng.random(), item) for item in items)]


def fill(rng, seed_pair):
    """Returns a random valid combination that contains the pair, or None."""
    a, x, b, y = seed_pair
    c = {a: x, b: y}
    for name in shuffled(rng, [name for name in FACTORS if name not in c]):
        values = [value for value in FACTORS[name] if fits({**c, name: value})]
        if not values:
            return None
        c[name] = choose(rng, values)
    return c


def best_of(rng, missing, everything):
    wanted = sorted(missing, key=str) or everything
    candidates = [fill(rng, choose(rng, wanted)) for _ in range(CANDIDATES if missing else 1)]
    candidates = [c for c in candidates if c]
    return max(candidates, key=lambda c: len(pairs(c) & missing), default=None)


def transmitter_fails(c):
    """Returns True if gr-dtv cannot send the mode, because reserved tones are on pilots of the frame-closing symbol."""
    return c['tr'] and c['miso'] and c['fft'] == '32K' and c['pp'] == 2


def with_symbols(rng, c):
    p = {**DEFAULTS, **c}
    if transmitter_fails(p):
        p['tr'] = 0
    symbol_ms = FFT[p['fft']] * (1 + GI[p['gi']][0] / GI[p['gi']][1]) * 7 / 64e3
    wanted = FRAME_MS[0] + rng.random() * (FRAME_MS[1] - FRAME_MS[0])
    p['ndata'] = max(FEWEST_SYMBOLS, round(wanted / symbol_ms))
    if p['fft'] == '32K':  # an even number of symbols
        p['ndata'] += (p['ndata'] + NP2['32K']) % 2
    while p['ti'] == 3 and derive(p)['nblocks'] < 3:
        p['ndata'] += 2
    return p


@functools.lru_cache
def combinations(count=COMBINATIONS):
    rng = random.Random(20261122)
    everything = sorted(all_pairs(), key=str)
    missing, chosen = set(everything), []
    while missing or len(chosen) < count:
        c = best_of(rng, missing, everything)
        if c is None:
            continue
        missing -= pairs(c)
        chosen.append(with_symbols(rng, c))
    return chosen


def name_of(p):
    """Describes a combination in one line."""
    words = [p['fft'] + (' ext' if p['ext'] else ''), 'MISO' if p['miso'] else 'SISO', 'Lite' if p['lite'] else 'base',
             p['gi'], 'PP%d' % p['pp'], p['qam'] + (' rotated' if p['rot'] else ''), p['rate'], p['fec'], 'L1 ' + p['l1'],
             'TI %d' % p['ti'], p['version']]
    words += [word for key, word in (('tr', 'tone reservation'), ('l1scr', 'L1 scrambled'), ('inband', 'in-band B')) if p[key]]
    return ', '.join(words + ['HEM' if p['hem'] else 'NM', '%d data symbols' % p['ndata']])
