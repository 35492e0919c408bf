# SPDX-License-Identifier: BSD-3-Clause
"""Error rates over threads and processes: rounds of numbered blocks, counted in order by rank 0.

A round is dealt out to the ranks by their speed, its records are gathered, and libldpc.simulation.add() counts them up to
the block that ends the point. So the counts are those of one process, whoever did the work. While rank 0 counts, the next
round is under way, so that no GPU waits, unless the point probably ends with what is being counted.
"""
import collections
import math
import queue
import threading
import time

import numpy as np

import libldpc

from . import results

ROUND_SECONDS = 0.5  # progress and time limits are looked at so often
MOST_BLOCKS = 1 << 18  # of one rank in one round
MOST_FAILURES = 1000  # frame numbers of a point that are kept
COUNTS = ("frames", "frame_errors", "bits", "bit_errors", "symbols", "symbol_errors", "undetected", "iterations",
          "channel_errors")


SAVED = (*COUNTS, "ebn0", "esn0", "histogram", "seconds")  # what a point of a file needs to go on


def point_number(snr, esn0):
    """Points of different Eb/N0 have noise of their own: 1/1000 dB apart is another number."""
    return round(snr * 1000) + 100_000 + (int(esn0) << 20)


class Failed(Exception):
    """A rank could not go on: all of them know."""


class Point:
    """Counts of one point; on rank 0 they are true, on others nobody looks at them."""

    def __init__(self, snr, goals):
        self.snr, self.goals = snr, goals
        self.counts = libldpc.simulation()
        self.histogram = np.zeros(0, dtype=np.int64)
        self.failures = []
        self.seconds = 0.0

    def resume(self, saved):
        """Go on from what a result file says."""
        if saved["frames"] % libldpc.SIM_BLOCK and saved["frames"] < self.goals["max_frames"]:
            raise ValueError(f"the point at {self.snr} dB ended inside a block after {saved['frames']} frames and cannot "
                             f"go on: only multiples of {libldpc.SIM_BLOCK} can")
        for name in COUNTS:
            setattr(self.counts, name, saved[name])
        self.histogram = np.array(saved["histogram"], dtype=np.int64)
        self.failures = list(saved.get("failures", []))
        self.seconds = float(saved["seconds"])

    @property
    def complete(self):
        counts, errors = self.counts, self.goals["max_frame_errors"]
        return counts.frames >= self.goals["max_frames"] or bool(errors) and counts.frame_errors >= errors

    @property
    def beyond(self):
        """Whether it has, from before a resume, blocks that a run with these goals would not have counted."""
        goal, last = self.goals["max_frame_errors"], (self.counts.frames - 1) // libldpc.SIM_BLOCK * libldpc.SIM_BLOCK
        return self.counts.frames > self.goals["max_frames"] or 0 < goal <= len(self.failures) and self.failures[goal - 1] < last

    @property
    def share(self):
        """How much of the point is done, 0 .. 1."""
        done = self.counts.frames / max(1, self.goals["max_frames"])
        if self.goals["max_frame_errors"]:
            done = max(done, self.counts.frame_errors / self.goals["max_frame_errors"])
        return min(1.0, done)

    def add(self, code, blocks):
        first = self.counts.frames
        counted = blocks[:self.counts.add(code, blocks, self.goals["max_frames"], self.goals["max_frame_errors"])]
        room = MOST_FAILURES - len(self.failures)
        for block in np.flatnonzero(counted["failed"])[:room].tolist():
            mask = int(counted["failed"][block])
            self.failures += [first + block * libldpc.SIM_BLOCK + i for i in range(libldpc.SIM_BLOCK) if mask >> i & 1]
        del self.failures[MOST_FAILURES:]
        more = libldpc.iterations_histogram(counted)
        short, long = sorted((self.histogram, more), key=len)
        long[:len(short)] += short
        self.histogram = long

    def record(self, code, run):
        """The point as a result file has it."""
        symbol_rate = code.rate * results.SYMBOL_BITS[run["modulation"]]
        other = results.db(symbol_rate)
        esn0 = self.snr if run["esn0"] else self.snr + other
        point = {"ebn0": round(esn0 - other, 9), "esn0": round(esn0, 9)}
        point |= {name: getattr(self.counts, name) for name in COUNTS}
        results.rates(point)
        point["average_iterations"] = self.counts.average_iterations
        point["seconds"] = round(self.seconds, 3)
        point["coded_mbps"] = self.counts.frames * code.n * code.symbol_bits / self.seconds / 1e6 if self.seconds else 0.0
        point["complete"] = self.complete
        point["histogram"] = self.histogram.tolist()
        point["failures"] = self.failures
        return point


class Dealer:
    """How many blocks of the next round each rank takes.

    Blocks beyond the end of a point are made in vain, and how long it will be is known only from its errors. So a point
    starts with what keeps the cores or a GPU busy, which takes no longer than less would, and its rounds grow with it.
    """

    GROWTH = 3  # a round is at most so many times what the point has counted

    def __init__(self, size, fill):
        self.blocks = [fill] * size
        self.fill = fill

    def deal(self, point, dealt=0):
        """[(first block, frames)] for each rank, in order, after `dealt` frames that are not counted yet. All of them share
        what is left at the end."""
        left = point.goals["max_frames"] - point.counts.frames - dealt
        first = (point.counts.frames + dealt) // libldpc.SIM_BLOCK
        part = min(1.0, min(self.wanted(point), left / libldpc.SIM_BLOCK) / sum(self.blocks))
        shares = []
        for blocks in self.blocks:
            frames = min(left, max(self.fill, math.ceil(blocks * part)) * libldpc.SIM_BLOCK)
            shares.append((first, frames))
            first += -(-frames // libldpc.SIM_BLOCK)
            left -= frames
        return shares

    def deal_ahead(self, point, shares):
        """The round after `shares`, which are not counted yet; None where they may end the point."""
        counted, dealt = point.counts.frames, sum(frames for _, frames in shares)
        errors, goal = point.counts.frame_errors, point.goals["max_frame_errors"]
        if counted + dealt >= point.goals["max_frames"]:
            return None
        if goal and (not counted or errors + 2 * (errors + 1) * dealt / counted >= goal):
            return None
        return self.deal(point, dealt)

    def wanted(self, point):
        """Blocks that should bring the errors that are still missing."""
        errors, goal = point.counts.frame_errors, point.goals["max_frame_errors"]
        if not goal:
            return math.inf
        counted = point.counts.frames / libldpc.SIM_BLOCK
        return counted * min(self.GROWTH, 1.1 * (goal - errors) / max(errors, 1))

    def learn(self, shares, seconds):
        """Make the next round last about ROUND_SECONDS for everybody."""
        for rank, ((_, frames), time_taken) in enumerate(zip(shares, seconds)):
            blocks = -(-frames // libldpc.SIM_BLOCK)
            if blocks:
                fitting = int(blocks * ROUND_SECONDS / max(time_taken, 1e-6))
                self.blocks[rank] = max(self.fill, min(fitting, 4 * blocks, MOST_BLOCKS))


class Background:
    """`work` in a thread of its own."""

    def __init__(self, work):
        self.box, self.work = queue.SimpleQueue(), work
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            self.box.put((self.work(), None))
        except BaseException as error:  # goes to the caller
            self.box.put((None, error))

    def result(self, tick):
        """What `work` returns; `tick` is called ten times a second meanwhile, and Ctrl-C comes through at once."""
        try:
            result, error = self.wait(tick)
        except Exception:
            self.end()  # after Ctrl-C the process ends without it
            raise
        self.end()
        if error:
            raise error
        return result

    def end(self):
        """Wait for the thread, which must not outlive the interpreter."""
        self.thread.join()

    def wait(self, tick):
        while True:
            try:
                return self.box.get(timeout=0.1)
            except queue.Empty:
                tick()


# A round that has begun: the shares of all ranks, and the Background of this one's.
Round = collections.namedtuple("Round", ("shares", "mine"))


class Simulator:
    """One decoder on each rank, and the points it goes through."""

    def __init__(self, team, make_decoder, run, threads):
        self.team, self.run = team, run
        self.decoder = self.everywhere(make_decoder)
        self.code = self.decoder.code
        self.dealer = Dealer(team.size, max(threads, -(-self.decoder.good_batch // libldpc.SIM_BLOCK)))
        self.channel = {name: run[name] for name in ("modulation", "fading", "esn0", "zero_codeword")}

    def everywhere(self, work):
        """Do `work` on all ranks; if it fails on one, it fails on all."""
        try:
            mine, reason = work(), None
        except Exception as error:
            mine, reason = None, error
        told = self.team.broadcast(self.team.gather(reason and str(reason)))
        if reason and self.team.size == 1:
            raise reason
        for rank, sentence in enumerate(told):
            if sentence:
                raise Failed(f"rank {rank}: {sentence}")
        return mine

    def blocks(self, snr, first_block, frames):
        start = time.monotonic()
        records = libldpc.simulate_blocks(self.decoder, snr, first_block, frames, seed=self.run["seed"],
                                          point=point_number(snr, self.run["esn0"]), **self.channel)
        return records, time.monotonic() - start

    def begin(self, point, shares):
        """Start the round on all ranks; None if rank 0 gives no shares."""
        shares = self.team.broadcast(shares)
        if shares is None:
            return None
        first, frames = shares[self.team.rank]
        return Round(shares, Background(lambda: self.blocks(point.snr, first, frames) if frames else (None, 0.0)))

    def records_of(self, begun, tick):
        """[(records, seconds)] of all ranks, on rank 0."""
        return self.team.gather(self.everywhere(lambda: begun.mine.result(tick)))

    def count(self, point, counted, gathered):
        for records, _ in gathered:
            if records is not None:
                point.add(self.code, records)
        self.dealer.learn(counted.shares, [seconds for _, seconds in gathered])

    def point(self, point, limit=math.inf, tick=lambda point: None):
        """Bring a point to its end, or to the time limit (seconds)."""
        start, before, chief = time.monotonic(), point.seconds, self.team.rank == 0

        def out_of_time():
            return time.monotonic() - start >= limit

        def wait():
            tick(point)

        current = self.begin(point, self.dealer.deal(point) if chief and not point.complete and limit > 0 else None)
        while current:
            gathered = self.records_of(current, wait)
            following = self.begin(point, self.dealer.deal_ahead(point, current.shares) if chief and not out_of_time() else None)
            try:
                if chief:
                    self.count(point, current, gathered)
                    point.seconds = before + time.monotonic() - start
                    tick(point)
                over = self.team.broadcast(point.complete or point.seconds - before >= limit)
            except Exception:
                if following:
                    following.mine.end()
                raise
            if over and following:
                self.records_of(following, wait)  # made in vain
            elif not over and not following:
                following = self.begin(point, self.dealer.deal(point) if chief else None)
            current = None if over else following

    def failing_frames(self, point, most):
        """(frame numbers, messages, LLRs) of the first failures of a point."""
        frames = point.failures[:most]
        made = [libldpc.noisy_frames(self.code, point.snr, 1, seed=self.run["seed"], first_frame=frame,
                                     llr_scale=self.decoder.llr_scale, point=point_number(point.snr, self.run["esn0"]),
                                     dtype="float32" if self.decoder.arithmetic == "float" else "int8", **self.channel)
                for frame in frames]
        return frames, [message[0] for message, _ in made], [llrs[0] for _, llrs in made]
