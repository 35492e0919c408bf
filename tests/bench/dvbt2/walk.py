# SPDX-License-Identifier: GPL-3.0-or-later
"""For many conditions in parallel, finds two neighbouring C/N between which the codeword error rate crosses the target."""
import concurrent.futures
import dataclasses
import math

from .codewords import Count, measure_point
from .processes import pool

STEPS = (.5, .25), (.05, .1), (0, .05)  # dB upwards, by the least rate that was measured
FINE = .05                              # dB between the last two points
MOST_AT_ONCE = 6                        # concurrent measurements of one condition
SURE = 10                               # target rate times codewords after which a tenth of the rate is clearly below it
WIDEST = 12.0                           # dB from the first point; ends the search at an error floor above the target rate


@dataclasses.dataclass
class Goal:
    rate: float       # target codeword error rate
    errors: int       # codeword errors that complete a point
    codewords: int    # codewords that complete a point
    unit: int         # codewords per measurement


class Walk:
    def __init__(self, first, goal):
        self.goal, self.first, self.cn = goal, round(first, 2), round(first, 2)
        self.points = {}   # C/N: Count
        self.done = False
        self.one_point = False  # stay at the first point

    def finished(self, cn):
        count, goal = self.points.get(cn, Count()), self.goal
        enough = count.wrong >= goal.errors or count.codewords >= goal.codewords
        return enough or (count.codewords >= SURE / goal.rate and count.rate <= goal.rate / 10)

    def add(self, cn, count):
        if self.done:  # later results must not reopen a point
            return
        self.points.setdefault(cn, Count())
        self.points[cn] += count
        if cn == self.cn and self.finished(cn):
            self._go_on()

    def nearest(self):
        """Returns the highest C/N with too many errors, and the lowest C/N with few errors. A value is None if no measurement has shown
        it yet."""
        above = [cn for cn, count in self.points.items() if self.finished(cn) and count.rate > self.goal.rate]
        below = [cn for cn, count in self.points.items() if self.finished(cn) and count.rate <= self.goal.rate]
        return max(above, default=None), min(below, default=None)

    def _go_on(self):
        if self.one_point:
            self.done = True
            return
        above, below = self.nearest()
        if above is None:
            following = below - .1
        elif below is None:
            rate = self.points[above].rate
            following = above + next(step for least, step in STEPS if rate >= least)
        elif below - above > 1.5 * FINE:
            following = above + FINE * round((below - above) / FINE / 2)
        else:
            self.done = True
            return
        self.cn = round(following, 2)
        self.done = abs(self.cn - self.first) > WIDEST

    def threshold(self):
        """Returns the C/N of the target rate, or NaN if unknown. The interpolation is logarithmic."""
        a, b = self.nearest()
        if a is None or b is None:
            return math.nan
        low, high = self.points[a], self.points[b]
        return a + (b - a) * math.log(low.smoothed / self.goal.rate) / math.log(low.smoothed / high.smoothed)

    def unit(self):
        """Returns the number of codewords of the next measurement."""
        return self.goal.unit if self.cn in self.points else min(self.goal.unit, max(self.goal.unit // 8, 2 * self.goal.errors))

    def wanted_units(self, running):
        """Returns the number of measurements that are still needed."""
        if self.done:
            return 0
        if self.cn not in self.points:
            return 1 - running
        count = self.points[self.cn]
        rate = max(count.smoothed, self.goal.rate / 2)
        missing = min((self.goal.errors - count.wrong) / rate, self.goal.codewords - count.codewords)
        return min(MOST_AT_ONCE, math.ceil(missing / self.goal.unit)) - running


class Measurements:
    """Runs several Walks in parallel."""

    def __init__(self, settings, what=measure_point):
        self.settings, self.what = settings, what
        self.walks, self.conditions = {}, {}
        self.running = {}  # future: (name, C/N)
        self.seed = 0

    def add(self, name, condition, first, goal):
        self.walks[name], self.conditions[name] = Walk(first, goal), condition

    def _start(self, workers):
        """Starts measurements on all idle processes. Prefers the walk that has the fewest running measurements."""
        while len(self.running) < self.settings.jobs:
            at_work = [name for name, _ in self.running.values()]
            open_walks = [name for name, walk in self.walks.items() if walk.wanted_units(
                sum((n, cn) == (name, walk.cn) for n, cn in self.running.values())) > 0]
            if not open_walks:
                return
            name = min(open_walks, key=at_work.count)
            walk = self.walks[name]
            self.seed += 1
            future = workers.submit(self.what, self.conditions[name], walk.cn, self.seed, walk.unit())
            self.running[future] = name, walk.cn

    def run(self):
        """Measures until every walk has ended, or until the time limit."""
        with pool(self.settings.jobs) as workers:
            while True:
                if self.settings.left > 0:
                    self._start(workers)
                if not self.running:
                    return
                done, _ = concurrent.futures.wait(self.running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    self._take(future)

    def _take(self, future):
        name, cn = self.running.pop(future)
        walk = self.walks[name]
        before = walk.cn
        walk.add(cn, future.result())
        if walk.cn != before or walk.done:
            count = walk.points[cn]
            self.settings.say(f"{name}: {cn:.2f} dB: {count.wrong} of {count.codewords} wrong"
                              + (f"; threshold {walk.threshold():.3f} dB" if walk.done else ""))
