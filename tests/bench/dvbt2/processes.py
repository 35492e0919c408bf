# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in other processes. This one never imports GNU Radio, so that it may fork."""
import concurrent.futures
import multiprocessing

CONTEXT = multiprocessing.get_context("fork")


def pool(jobs):
    return concurrent.futures.ProcessPoolExecutor(jobs, CONTEXT)


def in_child(function, *arguments):
    """What a function returns that must not run in this process."""
    with pool(1) as one:
        return one.submit(function, *arguments).result()
