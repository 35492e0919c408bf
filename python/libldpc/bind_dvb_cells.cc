/* SPDX-License-Identifier: BSD-3-Clause */
/* Binds libldpc.demapper and libldpc.cell_deinterleaver, which convert cells of DVB-T2, DVB-S2 and S2X to
 * LLRs. */
#include "interruptible.h"
#include "py_demapper.h"

#include <algorithm>
#include <complex>

#include <pybind11/complex.h>
#include <pybind11/stl.h>

namespace
{

using cell_array = py::array_t<std::complex<float>, py::array::c_style | py::array::forcecast>;
using float_array = py::array_t<float, py::array::c_style | py::array::forcecast>;

cell_array cells_of(const py::object &object, const char *what)
{
    const py::array array = array_on_host(object);
    if (!array || array.dtype().kind() != 'c')
        throw py::type_error(std::string(what) + ": expected an array of complex cells" +
                             (array ? ", not " + describe(array) : ""));
    return cell_array::ensure(array);
}

const float *floats(const cell_array &cells)
{
    return reinterpret_cast<const float *>(cells.data());
}

/* ---- demapper */

/* Returns the constellation points as complex64, from an array or a file. */
cell_array points_of(const py::object &points)
{
    if (py::isinstance<py::str>(points) || py::hasattr(points, "__fspath__"))
        return cell_array::ensure(py::module_::import("libldpc.mapper").attr("read_points")(points));
    const cell_array array = cells_of(points, "points");
    const py::ssize_t count = array.size();
    if (array.ndim() != 1 || count < 2 || count > 256 || (count & (count - 1)))
        throw py::value_error("points: expected 2, 4, 8 .. 256 points, not " +
                              describe(array_on_host(points)));
    return array;
}

} // namespace

py_demapper::py_demapper(const py::object &code, const std::optional<std::string> &modulation, bool rotated,
                         bool exact, bool deinterleave, float llr_scale,
                         const std::optional<std::string> &kernel, const py::object &points)
{
    if (points.is_none() != modulation.has_value())
        throw py::value_error("demapper: expected either modulation or points");
    ldpc_demapper *made;
    ldpc_error error = {};
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    std::string code_name;
    cell_array given;
    if (modulation) {
        if (!py::isinstance<py::str>(code))
            throw py::type_error("code: expected the name of a DVB code");
        code_name = code.cast<std::string>();
        params.code = code_name.c_str();
        params.modulation = modulation->c_str();
        name = code_name + " " + *modulation;
    } else {
        const py_code own = to_code(code);
        given = points_of(points);
        params.points = reinterpret_cast<const float *>(given.data());
        while (py::ssize_t(1) << params.bits < given.size())
            params.bits++;
        params.n = uint32_t(own.n());
        name = std::string(ldpc_code_name(own.get())) + " " + std::to_string(given.size()) + " points";
    }
    params.rotated = rotated;
    params.exact = exact;
    params.deinterleave = deinterleave;
    params.llr_scale = llr_scale;
    params.kernel = kernel ? kernel->c_str() : nullptr;
    check(ldpc_demapper_create(&params, &made, &error), error);
    handle.reset(made, ldpc_demapper_destroy);
}

namespace
{

bool is_number(const py::object &object)
{
    return py::isinstance<py::float_>(object) || py::isinstance<py::int_>(object) ||
           (py::isinstance<py::array>(object)
                ? object.cast<py::array>().ndim() == 0
                : py::hasattr(object, "__float__") && !py::hasattr(object, "__len__"));
}

/* Returns the noise power of each cell. Returns an empty array if `noise` is a number. */
float_array noise_of_cells(const py::object &noise, const cell_array &cells)
{
    if (is_number(noise))
        return float_array();
    const py::array given = array_on_host(noise);
    const auto array = float_array::ensure(given);
    if (!array || array.ndim() != cells.ndim() ||
        !std::equal(array.shape(), array.shape() + array.ndim(), cells.shape()))
        throw py::value_error("noise: expected a number, or an array of the shape of cells" +
                              (given ? ", not " + describe(given) : std::string()));
    return array;
}

constexpr py::ssize_t QUICK_CELLS = 1000000; /* takes a few milliseconds */

py::object self_of(const py_demapper &demapper)
{
    return py::cast(&demapper, py::return_value_policy::reference);
}

ldpc_cells cells_with(size_t n_codewords, const float *iq, const float *cell_noise, float noise)
{
    ldpc_cells cells = {};
    cells.n_codewords = n_codewords;
    cells.iq = iq;
    cells.cell_noise = cell_noise;
    cells.noise = noise;
    return cells;
}

py::array demap(const py_demapper &demapper, const py::object &object, const py::object &noise)
{
    const cell_array in = cells_of(object, "cells");
    const batch_shape shape = shape_of(in, demapper.cells(), "cells", "cells per codeword", object);
    const float_array each = noise_of_cells(noise, in);
    const bool per_cell = each.size() > 0;
    const ldpc_cells cells = cells_with(shape.codewords, floats(in), per_cell ? each.data() : nullptr,
                                        per_cell ? 0.0f : noise.cast<float>());
    if (!per_cell && !(cells.noise > 0))
        throw py::value_error("noise: expected more than 0, not " + std::string(py::str(noise)));
    auto llr = new_array<int8_t>(shape.with(demapper.n()));
    int8_t *const out = llr.mutable_data();
    const py::object kept = py::make_tuple(self_of(demapper), in, each, llr);
    interruptible(
        [=, handle = &demapper](const stop_flag &) {
            (void)kept;
            std::lock_guard<std::mutex> lock(*handle->mutex);
            ldpc_demap(handle->get(), &cells, out);
            return LDPC_OK;
        },
        in.size() < QUICK_CELLS);
    return py::array(std::move(llr));
}

float measured_noise(const py_demapper &demapper, const py::object &object)
{
    const cell_array in = cells_of(object, "cells");
    const batch_shape shape = shape_of(in, demapper.cells(), "cells", "cells per codeword", object);
    const ldpc_cells cells = cells_with(shape.codewords, floats(in), nullptr, 0);
    float noise = 0;
    py::gil_scoped_release release;
    std::lock_guard<std::mutex> lock(*demapper.mutex);
    ldpc_demapper_noise(demapper.get(), &cells, &noise);
    return noise;
}

py::array deinterleave_bits(const py_demapper &demapper, const py::object &object)
{
    const py::array in = bytes_of(object, "llrs", "int8 LLRs, or bits in uint8 or bool, one per item");
    const batch_shape shape = shape_of(in, demapper.n(), "llrs", "n", object);
    py::array out = new_array(in.dtype(), shape.with(demapper.n()));
    auto *const to = static_cast<int8_t *>(out.mutable_data());
    const auto *from = static_cast<const int8_t *>(in.data());
    py::gil_scoped_release release;
    if (ldpc_bits_deinterleave(demapper.get(), shape.codewords, from, to) != LDPC_OK)
        throw std::invalid_argument("no deinterleaver for 128APSK, whose cells contain padding bits, and for "
                                    "DVB-C2: expected another code");
    return out;
}

cell_array points(const py_demapper &demapper)
{
    cell_array result =
        new_array<std::complex<float>>({py::ssize_t(1) << ldpc_demapper_bits(demapper.get())});
    std::copy_n(ldpc_demapper_points(demapper.get()), 2 * result.size(),
                reinterpret_cast<float *>(result.mutable_data()));
    return result;
}

py::array_t<uint16_t> order(const py_demapper &demapper)
{
    return new_array({py::ssize_t(demapper.n())}, ldpc_demapper_order(demapper.get()));
}

py::list demapper_kernels()
{
    py::list names;
    const char *name;
    for (size_t i = 0; (name = ldpc_demapper_kernel_list(i)); i++)
        names.append(name);
    return names;
}

void bind_demapper(py::module_ &module)
{
    py::class_<py_demapper> cls(module, "demapper", R"(Soft demapper of DVB-T2, DVB-S2, S2X and C2 cells.

code          "dvbt2:64800:2/3", "dvbs2:16200:3/4", "dvbs2x:64800:135/180" ...; with points: any code, as for libldpc.code()
modulation    T2 "qpsk", "16qam", "64qam", "256qam"; S2 and S2X "qpsk", "8psk", "8apsk", "16apsk", "32apsk",
              "64apsk", "128apsk", "256apsk" (not every code allows every one); C2 "16qam" ... "4096qam"; None with points
rotated       T2: rotated constellation with cyclic Q delay
exact         True: log-MAP, over all points; False: max-log, the nearest points only
deinterleave  True: LLRs in the order of the code; False: cell by cell (required for C2)
llr_scale     LLR steps per nat, 0.25 .. 64
kernel        one of demapper_kernels(); None = the fastest
points        instead of modulation: 2, 4, 8 .. 256 complex points, or the path of a file with one point per line, I and Q. The
              index of a point is its bits, MSB first. Points are scaled to mean power 1; cells carry codeword bits in order

The mean power of the constellation is 1. LLRs are ln(P(bit = 0) / P(bit = 1)), positive for bit 0, in steps of 1/llr_scale nat.
An argument of a wrong type raises TypeError, a wrong value or shape, or a modulation that the standard
does not define with this code, ValueError.

Standards: EN 302 755 (T2), 6.1.3 to 6.3; EN 302 307-1 and -2 (S2, S2X), 5.3.3 and 5.4; EN 302 769 (C2), 6.2.)");
    cls.def(py::init<const py::object &, const std::optional<std::string> &, bool, bool, bool, float,
                     const std::optional<std::string> &, const py::object &>(),
            py::arg("code"), py::arg("modulation") = py::none(), py::arg("rotated") = false,
            py::arg("exact") = false, py::arg("deinterleave") = true,
            py::arg("llr_scale") = LDPC_DEFAULT_LLR_SCALE, py::arg("kernel") = py::none(),
            py::arg("points") = py::none());
    cls.def_property_readonly("n", &py_demapper::n, "LLRs per codeword");
    cls.def_property_readonly("cells", &py_demapper::cells, "cells per codeword");
    cls.def_property_readonly(
        "bits", [](const py_demapper &d) { return ldpc_demapper_bits(d.get()); }, "bits per cell");
    cls.def_property_readonly(
        "kernel", [](const py_demapper &d) { return ldpc_demapper_kernel(d.get()); }, "the kernel in use");
    cls.def_property_readonly(
        "points", points,
        "complex64 array of the 2^bits transmitted points (rotated if `rotated`); the index is the "
        "cell's bits, MSB first");
    cls.def_property_readonly(
        "order", order,
        "uint16 array: position of each codeword bit; bit b of cell c has position c * bits + b");
    cls.def("__repr__", [](const py_demapper &d) {
        return "<libldpc.demapper " + d.name + ": " + std::to_string(d.cells()) +
               " cells, n=" + std::to_string(d.n()) + ">";
    });
    cls.def("demap", demap, py::arg("cells"), py::arg("noise"), R"(Demap cells to the LLRs of codewords.

cells  complex array (codewords, cells) or (cells,)
noise  noise power per cell, 10^(-MER / 10): a number, or an array of the shape of cells

Returns an int8 array (codewords, n) or (n,), positive for bit 0.)");
    cls.def("measure_noise", measured_noise, py::arg("cells"),
            R"(Estimate the noise power of cells from their distances to the constellation.

cells  complex array (codewords, cells) or (cells,)

Returns the mean noise power of all cells, as for demap().)");
    cls.def("deinterleave", deinterleave_bits, py::arg("llrs"),
            R"(Reorder LLRs or bits from cell order to the order of the code.

llrs  int8, uint8 or bool array (codewords, n) or (n,)

Returns an array of the same shape and type.)");
    module.def("demapper_kernels", demapper_kernels,
               "Demapping kernels that this machine can run, slowest first; all compute the same LLRs.");
}

/* ---- cell and time deinterleaver */

struct py_cell_deinterleaver {
    py_cell_deinterleaver(const std::string &code, const std::string &modulation, uint32_t ti_blocks)
    {
        ldpc_cell_deinterleaver *made;
        ldpc_error error = {};
        check(ldpc_cell_deinterleaver_create(code.c_str(), modulation.c_str(), ti_blocks, &made, &error),
              error);
        handle.reset(made, ldpc_cell_deinterleaver_destroy);
    }
    const ldpc_cell_deinterleaver *get() const
    {
        return handle.get();
    }
    size_t cells() const
    {
        return ldpc_cell_deinterleaver_cells(get());
    }
    std::shared_ptr<ldpc_cell_deinterleaver> handle;
};

std::vector<uint32_t> ti_block_sizes(const py_cell_deinterleaver &deint, uint32_t fec_blocks)
{
    std::vector<uint32_t> sizes(ldpc_ti_blocks(deint.get(), fec_blocks));
    for (uint32_t i = 0; i < sizes.size(); i++)
        sizes[i] = ldpc_ti_block_size(deint.get(), fec_blocks, i);
    return sizes;
}

py::array deinterleave_cells(const py_cell_deinterleaver &deint, const py::object &object)
{
    const cell_array in = cells_of(object, "cells");
    const size_t blocks = size_t(in.size()) / deint.cells();
    if (in.ndim() != 1 || blocks == 0 || size_t(in.size()) % deint.cells() || blocks > LDPC_T2_MAX_BLOCKS)
        throw py::value_error("cells: expected one interleaving frame, shape (b * " +
                              std::to_string(deint.cells()) + ",) with b = 1 .. 1023, not " +
                              describe(array_on_host(object)));
    cell_array out = new_array<std::complex<float>>({py::ssize_t(blocks), py::ssize_t(deint.cells())});
    const float *from = floats(in);
    float *to = reinterpret_cast<float *>(out.mutable_data());
    for (uint32_t size : ti_block_sizes(deint, uint32_t(blocks))) {
        if (size > 0)
            ldpc_cells_deinterleave(deint.get(), size, 0, size, 2, from, to);
        from += 2 * size * deint.cells();
        to += 2 * size * deint.cells();
    }
    return py::array(std::move(out));
}

void bind_cell_deinterleaver(py::module_ &module)
{
    py::class_<py_cell_deinterleaver> cls(module, "cell_deinterleaver",
                                          R"(Time and cell deinterleaver of a DVB-T2 PLP.

code        "dvbt2:64800:2/3" ...
modulation  "qpsk", "16qam", "64qam", "256qam"
ti_blocks   TI blocks per interleaving frame, 1 .. 255; 0 = no time interleaving

An argument of a wrong type raises TypeError, a wrong value or shape ValueError.

Standard: EN 302 755, 6.4 and 6.5.)");
    cls.def(py::init<const std::string &, const std::string &, uint32_t>(), py::arg("code"),
            py::arg("modulation"), py::arg("ti_blocks") = 1);
    cls.def_property_readonly("cells", &py_cell_deinterleaver::cells, "cells per FEC block");
    cls.def("ti_block_sizes", ti_block_sizes, py::arg("fec_blocks"),
            R"(Return the number of FEC blocks in each TI block, a list.

fec_blocks  FEC blocks per interleaving frame)");
    cls.def("deinterleave", deinterleave_cells, py::arg("cells"),
            R"(Deinterleave the received cells of one interleaving frame to FEC blocks.

cells  complex array (b * cells per FEC block,)

Returns a complex64 array (b, cells) in the order for demapper.demap.)");
}

} // namespace

void bind_dvb_cells(py::module_ &module)
{
    bind_demapper(module);
    bind_cell_deinterleaver(module);
}
