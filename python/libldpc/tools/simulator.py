# SPDX-License-Identifier: BSD-3-Clause
"""Simulates error rates with threads and processes.

A point is simulated in rounds of numbered blocks. Faster ranks get more blocks of a round. Rank 0 counts the blocks in order up to the
block that ends the point, so the counts do not depend on the number of processes. The next round starts before a round is counted,
unless the point will probably end in that round.
"""
import collections
import math
import queue
import threading
import time

import numpy as np

import libldpc

from . import results

ROUND_SECONDS = 0.5  # of progress updates and time-limit checks
MOST_BLOCKS = 1 << 18  # per rank and round
MOST_FAILURES = 1000  # frame numbers kept per point
COUNTS = ("frames", "frame_errors", "bits", "bit_errors", "symbols", "symbol_errors", "undetected", "iterations",
          "channel_errors")


SAVED = (*COUNTS, "histogram", "seconds")  # fields of a point to resume it


def point_number(snr, run):
    """Number of the point. It selects the random numbers of the point."""
    if run["channel"] != "awgn":
        return round(snr * 1_000_000) + (2 << 20)
    return round(snr * 1000) + 100_000 + (int(run["esn0"]) << 20)


def modulation_of(name, code):
    """Returns a demapper for "dvb:32apsk" or "points:FILE". Any other valid name is returned unchanged."""
    kind, _, rest = name.partition(":")
    if kind == "dvb":
        return libldpc.demapper(code.name, rest, deinterleave=not code.name.startswith("dvbc2:"))
    if kind == "points":
        return libldpc.demapper(code, points=rest)
    if name not in results.SYMBOL_BITS:
        raise ValueError(f"modulation \"{name}\": expected {', '.join(results.SYMBOL_BITS)}, dvb:NAME or points:FILE")
    return name


def symbol_bits_of(modulation):
    return modulation.bits if isinstance(modulation, libldpc.demapper) else results.SYMBOL_BITS[modulation]


class Failed(Exception):
    """Raised on all ranks if one rank has failed."""


class Point:
    """Counts of a point. Only rank 0 has these counts."""

    def __init__(self, snr, goals, symbol_bits=1):
        self.snr, self.goals, self.symbol_bits = snr, goals, symbol_bits
        self.counts = libldpc.simulation()
        self.histogram = np.zeros(0, dtype=np.int64)
        self.failures = []
        self.seconds = 0.0

    def resume(self, saved):
        """Continues from the counts in a result file."""
        if saved["frames"] % libldpc.SIM_BLOCK and saved["frames"] < self.goals["max_frames"]:
            raise ValueError(f"the point at {self.snr:g} cannot be resumed after {saved['frames']} frames: "
                             f"expected a multiple of {libldpc.SIM_BLOCK}")
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
        """Returns whether the counts loaded from an earlier run already exceed the goals of this run."""
        goal, last = self.goals["max_frame_errors"], (self.counts.frames - 1) // libldpc.SIM_BLOCK * libldpc.SIM_BLOCK
        return self.counts.frames > self.goals["max_frames"] or 0 < goal <= len(self.failures) and self.failures[goal - 1] < last

    @property
    def share(self):
        """Returns how much of the point has been simulated, 0 .. 1."""
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
        """Returns the point as a dictionary for result files."""
        if "channel" in run:
            point = {"probability": self.snr}
        else:
            other = results.db(code.rate * self.symbol_bits)
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
    """Divides the next round of blocks among the ranks.

    The first round has just enough blocks to occupy the cores or a GPU, because blocks after the end of the point are wasted. Later
    rounds grow with the counted frames.
    """

    GROWTH = 3  # maximum round relative to the counted frames

    def __init__(self, size, fill):
        self.blocks = [fill] * size
        self.fill = fill

    def deal(self, point, dealt=0):
        """Returns (first block, frames) for each rank. `dealt`: frames of earlier rounds whose results are not counted yet."""
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
        """Returns the next round. Returns None if the point may end before this round."""
        counted, dealt = point.counts.frames, sum(frames for _, frames in shares)
        errors, goal = point.counts.frame_errors, point.goals["max_frame_errors"]
        if counted + dealt >= point.goals["max_frames"]:
            return None
        if goal and (not counted or errors + 2 * (errors + 1) * dealt / counted >= goal):
            return None
        return self.deal(point, dealt)

    def wanted(self, point):
        """Estimates the number of blocks that contain the required number of errors."""
        errors, goal = point.counts.frame_errors, point.goals["max_frame_errors"]
        if not goal:
            return math.inf
        counted = point.counts.frames / libldpc.SIM_BLOCK
        return counted * min(self.GROWTH, 1.1 * (goal - errors) / max(errors, 1))

    def learn(self, shares, seconds):
        """Adapts the number of blocks, so that the next round takes about ROUND_SECONDS."""
        for rank, ((_, frames), time_taken) in enumerate(zip(shares, seconds)):
            blocks = -(-frames // libldpc.SIM_BLOCK)
            if blocks:
                fitting = int(blocks * ROUND_SECONDS / max(time_taken, 1e-6))
                self.blocks[rank] = max(self.fill, min(fitting, 4 * blocks, MOST_BLOCKS))


class Background:
    """Runs `work` in a thread."""

    def __init__(self, work):
        self.box, self.work = queue.SimpleQueue(), work
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            self.box.put((self.work(), None))
        except BaseException as error:  # re-raised in the caller
            self.box.put((None, error))

    def result(self, tick):
        """Returns the result of `work`. Calls `tick` ten times per second."""
        try:
            result, error = self.wait(tick)
        except Exception:
            self.end()  # after Ctrl-C the process exits without it
            raise
        self.end()
        if error:
            raise error
        return result

    def end(self):
        """Waits for the end of the thread. The thread must not outlive the interpreter."""
        self.thread.join()

    def wait(self, tick):
        while True:
            try:
                return self.box.get(timeout=0.1)
            except queue.Empty:
                tick()


# shares: (first block, frames) of each rank. mine: the thread that simulates the blocks of this rank.
Round = collections.namedtuple("Round", ("shares", "mine"))


class Simulator:
    """Simulates the points of a curve, one decoder per rank."""

    def __init__(self, team, make_decoder, run, threads):
        self.team, self.run = team, run
        self.decoder = self.everywhere(make_decoder)
        self.code = self.decoder.code
        self.dealer = Dealer(team.size, max(threads, -(-self.decoder.good_batch // libldpc.SIM_BLOCK)))
        self.channel = {name: run[name] for name in ("fading", "channel", "esn0", "zero_codeword")}
        self.channel["modulation"] = self.everywhere(lambda: modulation_of(run["modulation"], self.code))
        self.symbol_bits = symbol_bits_of(self.channel["modulation"])

    def everywhere(self, work):
        """Runs `work` on all ranks. If `work` fails on one rank, all ranks raise an exception."""
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
                                          point=point_number(snr, self.run), **self.channel)
        return records, time.monotonic() - start

    def begin(self, point, shares):
        """Starts a round on all ranks. Returns None if rank 0 passes None."""
        shares = self.team.broadcast(shares)
        if shares is None:
            return None
        first, frames = shares[self.team.rank]
        return Round(shares, Background(lambda: self.blocks(point.snr, first, frames) if frames else (None, 0.0)))

    def records_of(self, begun, tick):
        """Returns [(records, seconds)] of all ranks, on rank 0."""
        return self.team.gather(self.everywhere(lambda: begun.mine.result(tick)))

    def count(self, point, counted, gathered):
        for records, _ in gathered:
            if records is not None:
                point.add(self.code, records)
        self.dealer.learn(counted.shares, [seconds for _, seconds in gathered])

    def point(self, point, limit=math.inf, tick=lambda point: None):
        """Simulates a point to its end, or for `limit` seconds."""
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
                self.records_of(following, wait)  # discards it
            elif not over and not following:
                following = self.begin(point, self.dealer.deal(point) if chief else None)
            current = None if over else following

    def failing_frames(self, point, most):
        """Returns numbers, messages and LLRs of the first failed frames."""
        frames = point.failures[:most]
        made = [libldpc.noisy_frames(self.code, point.snr, 1, seed=self.run["seed"], first_frame=frame,
                                     llr_scale=self.decoder.llr_scale, point=point_number(point.snr, self.run),
                                     dtype="float32" if self.decoder.arithmetic == "float" else "int8", **self.channel)
                for frame in frames]
        return frames, [message[0] for message, _ in made], [llrs[0] for _, llrs in made]
