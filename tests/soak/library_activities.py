# SPDX-License-Identifier: BSD-3-Clause
"""Soak activities of the library. Each activity returns the number of its codewords."""
import libldpc
import numpy as np

CODE = "wimax:576:1/2"
COUNT = 200  # codewords per batch
GPU, OPENCL = (libldpc.backends().get(backend, "not in this build") == "" for backend in ("cuda", "opencl"))
PLACES = "CPU and GPU" if GPU else "CPU"

code = libldpc.code(CODE)
opencl_decoder = libldpc.decoder(code, backend="opencl", max_batch=COUNT) if OPENCL else None  # created once: compilation takes seconds
message, llrs = libldpc.noisy_frames(code, ebn0=4.0, count=COUNT, seed=1)


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def check(result):
    bits, info = result[:2]
    expect(info["decoded"].all() and info["converged"].sum() > COUNT // 2, "codewords failed")
    np.testing.assert_array_equal(bits[info["converged"]], message[info["converged"]])
    return len(bits)


def queue(decoder):
    """Submits the maximum number of batches, twice."""
    submitted, count = 0, 0
    while submitted < 2 * decoder.depth:
        while submitted < 2 * decoder.depth and decoder.submit(llrs):
            submitted += 1
        count += check(decoder.collect())
    while (result := decoder.collect()) is not None:
        count += check(result)
    return count


def decoders():
    """Creates, modifies and destroys decoders on the CPU, and on a GPU if available."""
    count = 0
    for options in ({"threads": 1}, {"threads": 4}, {"arithmetic": "float"}, *([{"backend": "cuda"}] if GPU else [])):
        decoder = libldpc.decoder(code, algorithm="offset", max_batch=COUNT, **options)
        for iterations, offset in ((20, 1.0), (30, 2.0)):
            decoder.max_iterations, decoder.offset = iterations, offset
            decoder.early_stop = iterations == 20
            count += check(decoder.decode(llrs)) + check(decoder.decode(llrs, posteriors=True))
        count += queue(decoder)
    return count


def codes():
    """Uses codes of all kinds with encoders and decoders."""
    for name in ("wifi:648:5/6", "nr:bg2:8:256", "dvbs2:16200:3/4", "ccsds:ar4ja:1024:4/5", "bds:b1c:88"):
        made = libldpc.code(name)
        decoder = libldpc.decoder(made)
        sent = np.random.default_rng(1).integers(0, 2, (2, made.k * made.symbol_bits), np.uint8)
        got, info = decoder.decode(np.where(made.encode(sent), -20, 20).astype(np.int8))
        expect(info["converged"].all() and np.array_equal(got, sent), name)
    return 10


def opencl():
    return check(opencl_decoder.decode(llrs)) + queue(opencl_decoder)


ACTIVITIES = {f"decoders of the library ({PLACES})": decoders, "codes of all kinds": codes, **({"OpenCL": opencl} if OPENCL else {})}
