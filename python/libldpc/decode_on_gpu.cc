/* SPDX-License-Identifier: BSD-3-Clause */
/* libldpc.decoder for arrays in GPU memory. */
#include <algorithm>

#include "device_arrays.h"
#include "py_decoder.h"

/* Packed. */
struct codeword_bytes {
    explicit codeword_bytes(const py_code &code)
        : llr(code.n()), message((code.k() + 7) / 8), codeword((code.n() + 7) / 8)
    {
    }
    size_t llr, message, codeword;
};

static ldpc_batch part_of(const ldpc_batch &batch, const codeword_bytes &bytes, size_t first, size_t count)
{
    ldpc_batch part = batch;
    part.n_codewords = count;
    part.llr = batch.llr ? batch.llr + first * bytes.llr : nullptr;
    part.llr_float = batch.llr_float ? batch.llr_float + first * bytes.llr : nullptr;
    part.message = batch.message ? batch.message + first * bytes.message : nullptr;
    part.codeword = batch.codeword ? batch.codeword + first * bytes.codeword : nullptr;
    part.posterior = batch.posterior ? batch.posterior + first * bytes.llr : nullptr;
    part.info = batch.info ? batch.info + first : nullptr;
    return part;
}

/* Submits batches of at most max_batch codewords to the stream. */
ldpc_status py_decoder::run_on_gpu(const ldpc_batch &batch, uintptr_t stream)
{
    return submitting(
        [=](const stop_flag &) {
            const codeword_bytes bytes(d_code);
            const size_t most = ldpc_decoder_max_batch(d_handle);
            ldpc_status status = LDPC_OK;
            size_t first = 0;
            do {
                const size_t count = std::min(most, batch.n_codewords - first);
                const ldpc_batch part = ::part_of(batch, bytes, first, count);
                status = ldpc_decode_device(d_handle, reinterpret_cast<void *>(stream), &part);
                first += count;
            } while (status == LDPC_OK && first < batch.n_codewords);
            return status;
        },
        true);
}

template <class Item> static Item *at(uintptr_t address)
{
    return reinterpret_cast<Item *>(address);
}

static size_t set_llrs(ldpc_batch &batch, const device_array &llrs, size_t n)
{
    const size_t axes = llrs.shape.size();
    if (axes < 1 || axes > 2 || llrs.size() == 0 || size_t(llrs.shape.back()) != n)
        throw py::value_error("llrs: expected shape (codewords, n) or (n,) with n = " + std::to_string(n) +
                              " and at least one codeword, not " + llrs.describe());
    if (llrs.is('i', 1))
        batch.llr = at<const int8_t>(llrs.address);
    else if (llrs.is('f', 4))
        batch.llr_float = at<const float>(llrs.address);
    else
        throw py::type_error(
            "llrs on a GPU: expected int8 (steps of 1/llr_scale nat) or float32 (nat), not " +
            llrs.describe());
    return axes == 1 ? 1 : size_t(llrs.shape[0]);
}

py::tuple py_decoder::decode_on_gpu(const py::object &llrs, const std::string &output, bool posteriors,
                                    const std::string &input, std::optional<uintptr_t> chosen)
{
    const bool message = is_first("output", output, "message", "codeword");
    if (message)
        check_messages(d_code);
    if (!is_first("input", input, "llrs", "costs"))
        throw py::value_error("input: expected LLRs, because symbol costs must be in host memory");
    const py::module_ memory = py::module_::import("libldpc.device_memory");
    const uintptr_t stream = chosen ? *chosen : memory.attr("stream_of")(llrs).cast<uintptr_t>();
    ldpc_batch batch = {};
    const device_array in = borrowed(llrs, "llrs", stream);
    batch.n_codewords = set_llrs(batch, in, d_code.n());
    const auto room = [&](size_t length, const char *type) {
        py::tuple shape = py::make_tuple(batch.n_codewords, length);
        if (in.shape.size() == 1)
            shape = py::make_tuple(length);
        return memory.attr("empty_beside")(llrs, shape, type, stream);
    };
    const auto address = [&](const py::object &array) { return borrowed(array, "result", stream).address; };
    const codeword_bytes bytes(d_code);
    static_assert(sizeof(ldpc_codeword_info) == 3 * sizeof(int32_t), "three columns of int32");
    const py::object bits = room(message ? bytes.message : bytes.codeword, "uint8"), info = room(3, "int32");
    (message ? batch.message : batch.codeword) = at<uint8_t>(address(bits));
    batch.info = at<ldpc_codeword_info>(address(info));
    if (!posteriors) {
        check(run_on_gpu(batch, stream));
        return py::make_tuple(bits, info);
    }
    const py::object posterior = room(d_code.n(), "int16");
    batch.posterior = at<int16_t>(address(posterior));
    check(run_on_gpu(batch, stream));
    return py::make_tuple(bits, info, posterior);
}

/* Returns the address of the bits: an integer, or an array that is large enough. */
static uint8_t *room_for_bits(const py::object &bits, size_t needed, uintptr_t stream)
{
    if (py::isinstance<py::int_>(bits))
        return at<uint8_t>(bits.cast<uintptr_t>());
    if (!is_on_gpu(bits))
        throw py::type_error(
            "bits: expected an address or an array on the GPU (__cuda_array_interface__ or DLPack)");
    const device_array out = borrowed(bits, "bits", stream);
    if (out.item != 1 || !out.writable || out.size() < needed)
        throw py::value_error("bits: expected a writable array of " + std::to_string(needed) +
                              " bytes, not " + out.describe());
    return at<uint8_t>(out.address);
}

void py_decoder::decode_device(const py::object &llrs, const py::object &bits, int64_t codewords,
                               const std::string &output, bool floats, uintptr_t stream)
{
    const bool message = is_first("output", output, "message", "codeword");
    if (message)
        check_messages(d_code);
    ldpc_batch batch = {};
    batch.n_codewords = count_of(codewords, "codewords");
    if (py::isinstance<py::int_>(llrs)) {
        const auto address = llrs.cast<uintptr_t>();
        if (floats)
            batch.llr_float = at<const float>(address);
        else
            batch.llr = at<const int8_t>(address);
    } else if (is_on_gpu(llrs)) {
        const size_t count = set_llrs(batch, borrowed(llrs, "llrs", stream), d_code.n());
        if (batch.n_codewords > count)
            throw py::value_error("codewords: " + std::to_string(batch.n_codewords) +
                                  ", but there are LLRs of " + std::to_string(count));
        batch.n_codewords = batch.n_codewords ? batch.n_codewords : count;
    } else {
        throw py::type_error(
            "llrs: expected an address or an array on the GPU (__cuda_array_interface__ or DLPack)");
    }
    const codeword_bytes bytes(d_code);
    const size_t needed = batch.n_codewords * (message ? bytes.message : bytes.codeword);
    (message ? batch.message : batch.codeword) = room_for_bits(bits, needed, stream);
    check(run_on_gpu(batch, stream));
}
