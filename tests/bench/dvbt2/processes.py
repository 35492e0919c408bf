# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs functions in other processes. The parent never imports GNU Radio, so it can fork."""
import concurrent.futures
import multiprocessing

CONTEXT = multiprocessing.get_context("fork")


def pool(jobs):
    return concurrent.futures.ProcessPoolExecutor(jobs, CONTEXT)


def in_child(function, *arguments):
    """Returns the result of a function in another process."""
    with pool(1) as one:
        return one.submit(function, *arguments).result()
