#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One decoder decodes PyTorch tensors on several streams, and batches in host memory, in random order.

Results of integer kernels must equal those of the CPU. Results of float kernels must equal those of the same batch on an idle GPU.
device_calls.c is the same test in C.

    PYTHONPATH=build/test_modules python3 tests/device/torch_streams.py [--kernel NAME] [--rounds N] [--seed N]

Exit status 77 without PyTorch or a GPU.
"""
import argparse
import random
import sys
import time

import numpy as np

import libldpc

try:
    import torch
except ImportError:
    torch = None

SKIPPED = 77
ACTIONS = 12  # per round
CASES = [  # kernel, code, arithmetic, Eb/N0, codewords of the largest batch
    ("any", "wifi:648:1/2", "i16", 2.0, 700),
    ("any", "wifi:648:1/2", "i8", 2.0, 700),
    ("float", "wifi:648:1/2", "float", 2.0, 700),
    ("chip", "nr:bg2:20:770:180", "i16", 1.0, 700),
    ("straight", "wifi:648:1/2", "i16", 2.0, 700),
    ("dvb", "dvbs2:64800:9/10", "i16", 4.0, 300),
    ("dvb", "dvbs2:64800:9/10", "i8", 4.0, 300),
]


def info_columns(info):
    return np.stack([info["iterations"], info["unsatisfied"], info["converged"] + 256 * info["decoded"]], -1).astype(np.int32)


class Trial:
    def __init__(self, kernel, name, arithmetic, ebn0, most):
        self.most, code = most, libldpc.code(name)
        settings = {"arithmetic": arithmetic, "max_iterations": 20, "max_batch": most, "packed": True}
        self.decoder = libldpc.decoder(code, backend="cuda", kernel=kernel, **settings)
        alone = libldpc.decoder(code, backend="cuda", kernel=kernel, **settings) if arithmetic == "float" else \
            libldpc.decoder(code, backend="cpu", **settings)
        self.llrs = [libldpc.noisy_frames(code, ebn0, count=most, first_frame=i * most)[1] for i in range(3)]
        self.expected = [alone.decode(llrs) for llrs in self.llrs]
        self.on_gpu = [torch.from_numpy(llrs).cuda() for llrs in self.llrs]
        self.expected_on_gpu = [(torch.from_numpy(bits).cuda(), torch.from_numpy(info_columns(info)).cuda()) for bits, info in self.expected]
        self.streams = [torch.cuda.default_stream()] + [torch.cuda.Stream() for _ in range(4)]
        torch.cuda.synchronize()
        self.pending, self.submitted = [], []
        self.compared = self.wrong = 0

    def note(self, right, what):
        self.compared += 1
        self.wrong += not right
        if not right and self.wrong <= 5:
            print("  wrong:", what, file=sys.stderr)

    def choose(self):
        return random.randrange(len(self.llrs)), random.randint(1, self.most)

    # ---- in the GPU's memory

    def on_current_stream(self):
        i, count = self.choose()
        with torch.cuda.stream(random.choice(self.streams)):
            bits, info = self.decoder.decode(self.on_gpu[i][:count] + 0)
        self.pending.append(("decode of a tensor", i, count, bits, info))

    def on_named_stream(self):
        """Memory for results must come from the pool of the named stream, because memory that was freed on the current stream may
        still be in use."""
        i, count = self.choose()
        stream = random.choice(self.streams)
        with torch.cuda.stream(random.choice(self.streams)):
            torch.full((count, self.expected[i][0].shape[1]), 0xaa, dtype=torch.uint8, device="cuda")  # freed at once
            bits, info = self.decoder.decode(self.on_gpu[i][:count], stream=stream.cuda_stream)
        self.pending.append(("decode with stream", i, count, bits, info))

    def in_place(self):
        i, count = self.choose()
        stream = random.choice(self.streams)
        with torch.cuda.stream(stream):
            bits = torch.full((count, self.expected[i][0].shape[1]), 0xaa, dtype=torch.uint8, device="cuda")
            self.decoder.decode_device(self.on_gpu[i][:count], bits, stream=stream.cuda_stream)
        self.pending.append(("decode_device", i, count, bits, None))

    def compare_tensors(self):
        torch.cuda.synchronize()
        for what, i, count, bits, info in self.pending:
            expected_bits, expected_info = self.expected_on_gpu[i]
            right = torch.equal(bits, expected_bits[:count])
            if info is not None:
                right = right and torch.equal(info[:, :2], expected_info[:count, :2]) and \
                    torch.equal(info[:, 2] & 0xffff, expected_info[:count, 2])
            self.note(right, what)
        self.pending.clear()

    # ---- in the host's memory

    def compare_arrays(self, what, i, count, result):
        bits, info = result
        self.note(np.array_equal(bits, self.expected[i][0][:count]) and np.array_equal(info, self.expected[i][1][:count]), what)

    def submit(self):
        i, count = self.choose()
        if self.decoder.submit(self.llrs[i][:count]):
            self.submitted.append((i, count))

    def collect(self):
        if self.submitted:
            i, count = self.submitted.pop(0)
            self.compare_arrays("submitted", i, count, self.decoder.collect())

    def decode(self):
        if not self.submitted:
            i, count = self.choose()
            self.compare_arrays("decode of an array", i, count, self.decoder.decode(self.llrs[i][:count]))

    def round(self):
        for _ in range(ACTIONS):
            random.choice((self.on_current_stream, self.on_named_stream, self.in_place, self.submit, self.collect, self.decode))()
        while self.submitted:
            self.collect()
        self.compare_tensors()


def main():
    parser = argparse.ArgumentParser(description="PyTorch's streams and batches of the host with one decoder")
    parser.add_argument("--kernel", help="this one only")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    if torch is None or not torch.cuda.is_available():
        print("no PyTorch, or no GPU for it")
        return SKIPPED
    random.seed(given.seed)
    print("--seed", given.seed)
    wrong = 0
    for case in CASES:
        if given.kernel in (None, case[0]):
            trial = Trial(*case)
            for _ in range(given.rounds):
                trial.round()
            print(f"{case[0]:8} {case[2]:5} {case[1]:20} {given.rounds} rounds, {trial.compared} batches compared, {trial.wrong} wrong", flush=True)
            wrong += trial.wrong
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
