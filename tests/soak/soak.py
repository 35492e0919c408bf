# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs all activities for hours, on a GPU if available. Every output is checked. Memory, file descriptors and threads must not grow.
Each round adds a line to the record.

    scripts/soak HOURS [RECORD]      until the rounds of RECORD (build/soak.jsonl) add up to HOURS
    scripts/soak judge [RECORD]

The same command resumes a run after Ctrl-C. Exit status: 1 if something grew, 2 if no process had enough rounds, 130 after Ctrl-C.
"""
import collections
import gc
import json
import os
import pathlib
import sys
import time

WARM_UP = 0.2  # share of a process's rounds to fill caches and pools
LEAST_ROUNDS = 60  # rounds needed after the warm-up, about two minutes
MOST_GROWTH = 2 << 20  # bytes of resident memory from the first to the last third of the other rounds
MOST_SHARE = 0.01  # or relative growth
GREW, NOT_JUDGED = 1, 2  # exit statuses
INTERRUPTED = 130  # exit status after Ctrl-C, as in shells


# ---------------------------------------------------------------------------------------------------- judging


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def after_warm_up(rounds):
    return rounds[int(len(rounds) * WARM_UP) + 1:]


def judge_process(rounds):
    """Returns messages about growth of memory, descriptors and threads after the warm-up."""
    third = len(rounds) // 3
    first, last = rounds[:third], rounds[-third:]
    before, after = (mean(r["resident"] for r in part) for part in (first, last))
    problems = []
    if after - before > max(MOST_GROWTH, MOST_SHARE * before):
        problems.append(f"memory grew from {before / 2**20:.1f} to {after / 2**20:.1f} MiB")
    for what in ("descriptors", "threads"):
        before, after = (min(r[what] for r in part) for part in (first, last))
        if after > before:
            problems.append(f"{what}: {before} at the beginning, {after} at the end")
    return problems


def read(record):
    """Returns the rounds of a record. Ignores an incomplete line."""
    rounds = []
    for line in record.read_text().splitlines() if record.exists() else []:
        try:
            rounds.append(json.loads(line))
        except ValueError:
            pass
    return rounds


def judge(record):
    """Prints the figures and all problems. Returns the exit status."""
    rounds = read(record)
    problems, judged = [], 0
    for process in sorted({r["process"] for r in rounds}):
        own = after_warm_up([r for r in rounds if r["process"] == process])
        if len(own) < LEAST_ROUNDS:
            print(f"process {process}: too few rounds to judge ({len(own)} after the warm-up, {LEAST_ROUNDS} needed)")
            continue
        judged += len(own)
        problems += [f"process {process}: {problem}" for problem in judge_process(own)]
    if rounds:
        print(f"{len(rounds)} rounds in {sum(r['seconds'] for r in rounds) / 3600:.2f} hours, "
              f"{len({r['process'] for r in rounds})} processes, {sum(r['codewords'] for r in rounds)} codewords; resident memory "
              f"{min(r['resident'] for r in rounds) / 2**20:.1f} .. {max(r['resident'] for r in rounds) / 2**20:.1f} MiB, "
              f"descriptors {min(r['descriptors'] for r in rounds)} .. {max(r['descriptors'] for r in rounds)}, "
              f"threads {min(r['threads'] for r in rounds)} .. {max(r['threads'] for r in rounds)}")
        ran = collections.Counter(name for r in rounds for name in r.get("activities", ()))
        print("; ".join(f"{name}: {count} rounds" for name, count in ran.items()) or "the record does not name its activities")
    if not judged:
        print("nothing was judged: too few rounds" if rounds else "no rounds")
        return NOT_JUDGED
    print("\n".join(problems) or f"nothing grew in {judged} judged rounds")
    return GREW if problems else 0


# -------------------------------------------------------------------------------------------------- measuring


def resident_bytes():
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def facts():
    return {"resident": resident_bytes(), "descriptors": len(os.listdir("/proc/self/fd")),
            "threads": len(os.listdir("/proc/self/task"))}


def activities():
    """Returns the activities by name. Only flowgraphs need GNU Radio. The evaluation does not need it."""
    import library_activities
    try:
        import flowgraph_activities
    except ModuleNotFoundError as missing:
        print(f"no flowgraphs: {missing}")
        return library_activities.ACTIVITIES
    return flowgraph_activities.ACTIVITIES | library_activities.ACTIVITIES


def soak(hours, record):
    chosen = activities()
    rounds = read(record)
    process = 1 + max((r["process"] for r in rounds), default=0)
    count, done = len(rounds), sum(r["seconds"] for r in rounds)
    del rounds  # a list that grows with the rounds would count as growth
    record.parent.mkdir(parents=True, exist_ok=True)
    with open(record, "a") as file:
        while done < hours * 3600:
            started = time.monotonic()
            first = count % len(chosen)  # rotate the first activity
            names = [*chosen][first:] + [*chosen][:first]
            codewords = sum(chosen[name]() for name in names)
            gc.collect()  # flowgraphs and their hierarchical blocks refer to each other
            seconds = time.monotonic() - started
            line = {"process": process, "seconds": round(seconds, 3), "codewords": codewords, "activities": names, **facts()}
            print(json.dumps(line), file=file, flush=True)
            count += 1
            done += seconds


def main(arguments):
    if not 1 <= len(arguments) <= 2:
        sys.exit("usage: scripts/soak HOURS|judge [RECORD]")
    record = pathlib.Path(arguments[1] if len(arguments) > 1 else "build/soak.jsonl")
    interrupted = False
    try:
        if arguments[0] != "judge":
            soak(float(arguments[0]), record)
    except KeyboardInterrupt:
        interrupted = True
    status = judge(record)
    return INTERRUPTED if interrupted else status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
