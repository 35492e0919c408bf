# SPDX-License-Identifier: GPL-3.0-or-later
"""Noisy codewords, and flowgraphs with one block under test."""
import atexit
import ctypes
import functools
import json
import os
import subprocess
import sys
import tempfile

import libldpc
import numpy as np
import pmt
from gnuradio import blocks, gr, ldpc

GPU_BACKEND = os.environ.get("GPU_BACKEND", "cuda")  # backend of GPU tests
NO_GPU = libldpc.backends().get(GPU_BACKEND, f"backend {GPU_BACKEND} is not in this build")  # "" if a GPU is available


def gpu_decoder(code, **options):
    return ldpc.ldpc_decoder_gpu_bb(code, backend=GPU_BACKEND, **options)


# Eight codes. Their lengths leave 0 to 7 bits in the last byte.
PACKED_CODES = [f"nr:bg2:10:{150 + bits}:{64 + bits}" for bits in range(8)]


def noisy_codewords(name, count, ebn0=4.0, seed=1):
    """Returns messages (count, k) and int8 LLRs (count, n)."""
    return libldpc.noisy_frames(libldpc.code(name), ebn0=ebn0, count=count, seed=seed)


def reference(name, llrs, **options):
    return libldpc.decoder(libldpc.code(name), **options).decode(llrs)


def byte_source(items, repeat=False, tags=()):
    items = np.ascontiguousarray(items).ravel()
    return blocks.vector_source_b(items.view(np.uint8).tolist(), repeat, 1, list(tags))


def run(block, items, tags=(), extra=(), sink=None):
    """Sends all items (bytes or float32) through a block. Returns the sink that has received the output."""
    graph = gr.top_block()
    items = np.concatenate([np.ascontiguousarray(items).ravel(), np.asarray(extra, items.dtype)])
    source = (blocks.vector_source_f(items.tolist(), False, 1, list(tags)) if items.dtype == np.float32
              else byte_source(items, False, tags))
    sink = sink or blocks.vector_sink_b()
    graph.connect(source, block, sink)
    graph.run()
    return sink


def output(sink):
    return np.array(sink.data(), np.uint8)


def rows(sink, width):
    """Returns one codeword per row. Raises ValueError if the last codeword is incomplete."""
    return output(sink).reshape(-1, width)


def tag(offset, key, value):
    made = gr.tag_t()
    made.offset, made.key, made.value = offset, pmt.intern(key), pmt.to_pmt(value)
    return made


def tags_of(sink, key):
    """Returns [(offset, value)] of the tags with this key."""
    return [(t.offset, pmt.to_python(t.value)) for t in sink.tags() if pmt.symbol_to_string(t.key) == key]


class OneByOne(gr.sync_block):
    """A live source: sends a codeword, then waits for the result."""

    def __init__(self, llrs, seen):
        super().__init__("one by one", None, [np.int8])
        self.llrs, self.seen, self.at, self.timed_out = llrs.ravel(), seen, 0, False
        self.n = llrs.shape[1]

    def work(self, input_items, output_items):
        if self.at and self.at % self.n == 0 and not self.seen.acquire(timeout=20):
            self.timed_out = True
            return -1
        count = min(len(output_items[0]), self.n - self.at % self.n, len(self.llrs) - self.at)
        if count == 0:
            return -1
        output_items[0][:count] = self.llrs[self.at:self.at + count]
        self.at += count
        return count


class Listener(gr.sync_block):
    """Counts items, keeps tags, and notifies the source after each `width` items."""

    def __init__(self, width, seen):
        super().__init__("listener", [np.uint8], None)
        self.width, self.seen, self.items, self.iterations = width, seen, 0, []

    def work(self, input_items, output_items):
        for t in self.get_tags_in_window(0, 0, len(input_items[0]), pmt.intern("ldpc_iterations")):
            self.iterations.append(pmt.to_python(t.value))
        before = self.items // self.width
        self.items += len(input_items[0])
        for _ in range(self.items // self.width - before):
            self.seen.release()
        return len(input_items[0])


# Forks for each program, because loading GNU Radio is slow. exit() would wait for threads of ControlPort, which a fork does not have.
PROGRAMS = """
import ctypes, gc, json, os, signal, sys, traceback
import numpy, pmt
from gnuradio import blocks, gr, ldpc
for request in sys.stdin:
    program, environment, *files = json.loads(request)
    child = os.fork()
    if child == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
os.environ.update(environment)
for descriptor, file in enumerate((os.devnull, *files)):
    os.dup2(os.open(file, os.O_RDWR), descriptor)
signal.alarm(300)  # seconds until a program that hangs is killed
status = 0
try:
    exec(program, {"__name__": "__main__"})
except BaseException:
    traceback.print_exc()
    status = 1
gc.collect()
sys.stdout.flush()
ctypes.CDLL(None).fflush(None)
os._exit(status)
"""


@functools.cache
def programs():
    """Returns the process that runs programs in this directory."""
    process = subprocess.Popen([sys.executable, "-B", "-c", PROGRAMS], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               cwd=os.path.dirname(os.path.abspath(__file__)))
    atexit.register(process.communicate)
    return process


def run_program(program, own_process=False, **environment):
    """Runs a Python program in this directory, with additional environment variables. Returns its exit code and output in the form of
    subprocess.run."""
    if own_process:
        return subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=False, timeout=300,
                              cwd=os.path.dirname(os.path.abspath(__file__)), env={**os.environ, **environment})
    with tempfile.NamedTemporaryFile("r") as output, tempfile.NamedTemporaryFile("r") as errors:
        process = programs()
        print(json.dumps([program, environment, output.name, errors.name]), file=process.stdin, flush=True)
        return subprocess.CompletedProcess(program, int(process.stdout.readline()), output.read(), errors.read())


def log_of(function):
    """Returns what a function writes to standard output and standard error."""
    with tempfile.TemporaryFile() as file:
        saved = [os.dup(descriptor) for descriptor in (1, 2)]
        for descriptor in (1, 2):
            os.dup2(file.fileno(), descriptor)
        try:
            function()
        finally:
            ctypes.CDLL(None).fflush(None)
            for descriptor, old in zip((1, 2), saved):
                os.dup2(old, descriptor)
                os.close(old)
        file.seek(0)
        return file.read().decode()
