/* SPDX-License-Identifier: BSD-3-Clause */
/* libldpc.code: codes, matrices, encoding. */
#include "code_changes.h"

#include <algorithm>
#include <array>

#include <pybind11/stl.h>

static py_code from_name(const std::string &name)
{
    if (name.find('\0') != std::string::npos)
        throw py::value_error("code: the name contains a null character");
    return made(
        [name](ldpc_code **code, ldpc_error *error) { return ldpc_code_create(name.c_str(), code, error); });
}

/* The suffix of the path determines the format. */
static py_code from_path(const std::string &path)
{
    const size_t dot = path.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : path.substr(dot + 1);
    if (ending != "alist" && ending != "qc" && ending != "nbalist")
        throw py::value_error("code: expected a path with suffix .alist, .qc or .nbalist, or a name such as "
                              "\"alist:" +
                              path + "\"");
    return from_name(ending + ":" + path);
}

using create_from_text = ldpc_status (*)(const char *, size_t, ldpc_code **, ldpc_error *);

static py_code from_text(create_from_text create, const std::string &text)
{
    return made([create, text](ldpc_code **code, ldpc_error *error) {
        return create(text.data(), text.size(), code, error);
    });
}

static py_code from_edges(int64_t m, int64_t n, const py::object &checks, const py::object &variables)
{
    index_array c = indices_of(checks, "checks"), v = indices_of(variables, "variables");
    if (c.size() != v.size())
        throw py::value_error("checks and variables: expected arrays of the same length, not " +
                              std::to_string(c.size()) + " and " + std::to_string(v.size()));
    const uint32_t rows = count_of(m, "m"), columns = count_of(n, "n");
    return made([=, check_of = c.data(), variable_of = v.data(),
                 edges = size_t(c.size())](ldpc_code **code, ldpc_error *error) {
        (void)c, (void)v; /* kept */
        return ldpc_code_create_edges(rows, columns, check_of, variable_of, edges, code, error);
    });
}

static void warn_if_transposed(const py_code &code)
{
    const uint32_t rows = ldpc_code_checks(code.get()), columns = ldpc_code_columns(code.get());
    const std::string text = "code: the parity-check matrix has " + std::to_string(rows) + " rows and " +
                             std::to_string(columns) + " columns (k = " + std::to_string(code.k()) +
                             "): is it transposed?";
    if ((code.k() == 0 || rows > columns) && PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 2) != 0)
        throw py::error_already_set();
}

/* Creates a code from a dense or sparse matrix of zeros and ones. */
static py_code from_matrix(const py::object &matrix)
{
    const py::module_ numpy = py::module_::import("numpy");
    py::object positions, values;
    std::pair<int64_t, int64_t> shape;
    if (py::hasattr(matrix, "tocsr")) { /* scipy.sparse: tocsr() adds up duplicate entries */
        const py::object sparse = matrix.attr("tocsr")().attr("tocoo")();
        values = numpy.attr("asarray")(sparse.attr("data"));
        const py::object present = values.attr("astype")("bool");
        positions = py::make_tuple(sparse.attr("row")[present], sparse.attr("col")[present]);
        shape = sparse.attr("shape").cast<std::pair<int64_t, int64_t>>();
    } else {
        const py::array dense = array_on_host(matrix);
        if (!dense || dense.ndim() != 2 ||
            std::string("biuf").find(dense.dtype().kind()) == std::string::npos)
            throw py::type_error(
                "code: expected a name such as \"dvbt2:64800:1/2\", a path, a libldpc.code or a "
                "matrix of zeros and ones with two axes, not " +
                (dense && dense.ndim() > 0 ? describe(dense)
                                           : py::repr(py::type::of(matrix)).cast<std::string>()));
        values = dense;
        positions = dense.attr("nonzero")();
        shape = {dense.shape(0), dense.shape(1)};
    }
    if (!numpy.attr("isin")(values, py::make_tuple(0, 1)).attr("all")().cast<bool>())
        throw py::value_error("code: expected a matrix of zeros and ones, but it has other values");
    py_code code = from_edges(shape.first, shape.second, positions[py::int_(0)], positions[py::int_(1)]);
    warn_if_transposed(code);
    return code;
}

py_code to_code(const py::object &code)
{
    if (py::isinstance<py_code>(code))
        return code.cast<py_code>();
    if (py::isinstance<py::str>(code))
        return from_name(code.cast<std::string>());
    if (py::hasattr(code, "__fspath__"))
        return from_path(py::module_::import("os").attr("fsdecode")(code).cast<std::string>());
    return from_matrix(code);
}

/* Converts a base matrix to a qc file (docs/formats.md), and parses it. */
static py_code from_base(const py::object &base, int64_t z, const py::object &punctured,
                         const py::object &shortened)
{
    const py::array given = array_on_host(base);
    if (!given || given.ndim() != 2 || (given.dtype().kind() != 'i' && given.dtype().kind() != 'u'))
        throw py::type_error("base: expected a matrix of integers with two axes" +
                             (given ? ", not " + describe(given) : ""));
    const auto shifts = py::array_t<int64_t, py::array::c_style | py::array::forcecast>::ensure(given);
    const uint32_t size = count_of(z, "z");
    if (size == 0)
        throw py::value_error("z 0: expected a lifting size of 1 or more");
    std::string text = std::to_string(shifts.shape(1)) + " " + std::to_string(shifts.shape(0)) + " " +
                       std::to_string(size) + "\n";
    for (py::ssize_t row = 0; row < shifts.shape(0); row++) {
        for (py::ssize_t column = 0; column < shifts.shape(1); column++) {
            const int64_t shift = shifts.at(row, column);
            if (shift < -1 || shift >= size)
                throw py::value_error("base: expected -1 (no circulant) or a shift of 0 .. " +
                                      std::to_string(int64_t(size) - 1) + ", not " + std::to_string(shift));
            text += std::to_string(shift) + " ";
        }
        text += "\n";
    }
    return code_with(py::cast(from_text(ldpc_code_create_qc, text)), punctured, shortened, py::none());
}

using write_text = ldpc_status (*)(const ldpc_code *, char *, size_t, size_t *);

static std::string to_text(write_text write, const py_code &code, const char *unsupported)
{
    size_t needed = 0;
    ldpc_status status = write(code.get(), nullptr, 0, &needed);
    if (status != LDPC_OK && status != LDPC_ERR_RANGE)
        raise_status(status, status == LDPC_ERR_UNSUPPORTED ? unsupported : "");
    std::string text(needed, '\0');
    status = write(code.get(), &text[0], needed, &needed);
    if (status != LDPC_OK)
        raise_status(status, "");
    text.resize(needed - 1); /* terminating null */
    return text;
}

static index_array copied(const uint32_t *values, size_t count)
{
    return new_array({py::ssize_t(count)}, values);
}

static index_array check_columns(const py_code &code, int64_t c)
{
    uint32_t degree = 0;
    const uint32_t *columns =
        c >= 0 && c < UINT32_MAX ? ldpc_code_check(code.get(), uint32_t(c), &degree) : nullptr;
    if (!columns)
        throw py::index_error("check: expected 0 .. " + std::to_string(ldpc_code_checks(code.get()) - 1) +
                              ", not " + std::to_string(c));
    return copied(columns, degree);
}

static py::tuple parity_matrix(const py_code &code)
{
    size_t edges = ldpc_code_edges(code.get());
    auto rows = new_array<uint32_t>({py::ssize_t(edges)}),
         columns = new_array<uint32_t>({py::ssize_t(edges)});
    uint32_t *row = rows.mutable_data(), *column = columns.mutable_data();
    for (uint32_t c = 0; c < ldpc_code_checks(code.get()); c++) {
        uint32_t degree = 0;
        const uint32_t *ones = ldpc_code_check(code.get(), c, &degree);
        for (uint32_t i = 0; i < degree; i++) {
            *row++ = c;
            *column++ = ones[i];
        }
    }
    return py::make_tuple(rows, columns);
}

static py::array_t<uint16_t> parity_values(const py_code &code)
{
    auto values = new_array<uint16_t>({py::ssize_t(ldpc_code_edges(code.get()))});
    uint16_t *out = values.mutable_data();
    for (uint32_t c = 0; c < ldpc_code_checks(code.get()); c++) {
        uint32_t degree = 0;
        ldpc_code_check(code.get(), c, &degree);
        const uint16_t *in = ldpc_code_check_values(code.get(), c);
        for (uint32_t i = 0; i < degree; i++)
            *out++ = in ? in[i] : 1;
    }
    return values;
}

static uint32_t girth(const py_code &code, int64_t limit)
{
    const uint32_t longest = count_of(limit, "limit");
    const auto length = std::make_shared<uint32_t>();
    interruptible([=](const stop_flag &) {
        *length = ldpc_code_girth(code.get(), longest);
        return LDPC_OK;
    });
    return *length;
}

/* Calls work(first, count) for consecutive groups of codewords. Keeps the arrays `kept` alive. */
template <class Work>
static ldpc_status in_pieces(const py_code &code, size_t codewords, const py::object &kept, Work work)
{
    constexpr size_t edges_at_once = 4000000; /* takes a few milliseconds */
    const size_t most = std::max<size_t>(1, edges_at_once / (ldpc_code_edges(code.get()) + code.n()));
    return interruptible(
        [=](const stop_flag &stop) {
            (void)kept;
            ldpc_status status = LDPC_OK;
            for (size_t first = 0; first < codewords && status == LDPC_OK && !stop; first += most)
                status = work(first, std::min(most, codewords - first));
            return status;
        },
        codewords <= most);
}

static py::array encode(const py_code &code, const py::object &messages)
{
    check_messages(code);
    py::array message = bits_of(messages, "messages");
    batch_shape shape = shape_of(message, code.k(), "messages", "k", messages);
    auto codeword = new_array<uint8_t>(shape.with(code.n()));
    const uint8_t *in = static_cast<const uint8_t *>(message.data());
    uint8_t *out = codeword.mutable_data();
    const ldpc_status status =
        in_pieces(code, shape.codewords, py::make_tuple(message, codeword), [=](size_t first, size_t count) {
            return ldpc_encode(code.get(), in + first * code.k(), count, out + first * code.n());
        });
    if (status != LDPC_OK)
        raise_status(status, status == LDPC_ERR_LIMIT ? "this code is too large for an encoder" : "");
    return codeword;
}

static py::object syndrome_weight(const py_code &code, const py::object &codewords)
{
    py::array columns = bits_of(codewords, "codewords");
    size_t length = size_t(ldpc_code_columns(code.get())) * ldpc_code_symbol_bits(code.get());
    batch_shape shape = shape_of(columns, length, "codewords", "columns", codewords);
    auto weights = new_array<uint32_t>({py::ssize_t(shape.codewords)});
    const uint8_t *in = static_cast<const uint8_t *>(columns.data());
    uint32_t *out = weights.mutable_data();
    in_pieces(code, shape.codewords, py::make_tuple(columns, weights), [=](size_t first, size_t count) {
        for (size_t i = first; i < first + count; i++)
            out[i] = ldpc_syndrome_weight(code.get(), in + i * length);
        return LDPC_OK;
    });
    if (shape.single)
        return py::int_(weights.at(0));
    return weights;
}

static std::array<size_t, 5> sizes_of(const py_code &code)
{
    return {code.n(), code.k(), ldpc_code_columns(code.get()), ldpc_code_edges(code.get()),
            ldpc_code_lifting_size(code.get())};
}

/* Compares matrices, transmitted columns and message columns, but not names. */
static bool equal(const py_code &a, const py_code &b)
{
    const uint32_t *sent_a = ldpc_code_transmitted_columns(a.get()),
                   *sent_b = ldpc_code_transmitted_columns(b.get()),
                   *message_a = ldpc_code_message_columns(a.get());
    return a.get() == b.get() ||
           (sizes_of(a) == sizes_of(b) && std::equal(sent_a, sent_a + ldpc_code_n(a.get()), sent_b) &&
            std::equal(message_a, message_a + ldpc_code_k(a.get()), ldpc_code_message_columns(b.get())) &&
            to_text(ldpc_code_write_alist, a, "") == to_text(ldpc_code_write_alist, b, ""));
}

/* Returns the state for pickling: (kind, name or matrix text, changes). */
static py::tuple state_of(const py_code &code)
{
    const std::string name = ldpc_code_name(code.get()), family = name.substr(0, name.find_first_of(":,"));
    const bool own =
        family == "qc" || family == "alist" || family == "nbalist" || family == "edges" || family == "random";
    if (!own && name.find(',') == std::string::npos)
        return py::make_tuple("name", name, "");
    if (ldpc_code_order(code.get()) > 2)
        return py::make_tuple("nbalist", to_text(ldpc_code_write_alist, code, ""), "");
    size_t size;
    if (ldpc_code_write_qc(code.get(), nullptr, 0, &size) != LDPC_ERR_UNSUPPORTED)
        return py::make_tuple("qc", to_text(ldpc_code_write_qc, code, ""), "");
    return py::make_tuple("alist", to_text(ldpc_code_write_alist, code, ""), changes_of(code));
}

static py_code from_state(const py::tuple &state)
{
    const auto kind = state[0].cast<std::string>(), text = state[1].cast<std::string>();
    if (kind == "name")
        return from_name(text);
    return changed(from_text(kind == "qc"      ? ldpc_code_create_qc
                             : kind == "alist" ? ldpc_code_create_alist
                                               : ldpc_code_create_nbalist,
                             text),
                   state[2].cast<std::string>());
}

static std::string code_repr(const py_code &code)
{
    return std::string("<libldpc.code ") + ldpc_code_name(code.get()) +
           ": n=" + std::to_string(ldpc_code_n(code.get())) +
           ", k=" + std::to_string(ldpc_code_k(code.get())) +
           (ldpc_code_order(code.get()) > 2 ? ", GF(" + std::to_string(ldpc_code_order(code.get())) + ")>"
                                            : ">");
}

static py_code random_code(int64_t n, int64_t dv, int64_t dc, int64_t order, uint64_t seed)
{
    const uint32_t columns = count_of(n, "n"), variables = count_of(dv, "dv"), checks = count_of(dc, "dc"),
                   q = count_of(order, "order");
    return made([=](ldpc_code **code, ldpc_error *error) {
        return ldpc_code_create_random(columns, variables, checks, q, seed, code, error);
    });
}

static const char *code_doc = R"(An LDPC code. Immutable; any number of threads may share it.

code(name) creates a code from its canonical name, for example "dvbt2:64800:1/2", "wimax:2304:5/6", "wifi:1944:2/3",
"bds:b1c:200", "alist:FILE", "qc:FILE" or "nbalist:FILE". libldpc.codes() lists all names. An unknown name raises ValueError with
similar names; a file that cannot be read raises OSError.

code(path) reads a file, a pathlib.Path with suffix .alist, .qc or .nbalist.
code(H) accepts a parity-check matrix of zeros and ones: a numpy array, a list of rows or a scipy.sparse matrix.

punctured, shortened  columns of H, counted from 0, that are not transmitted; those of the second are known to be zero
message               columns of the message bits: None as the code has them, "first" the earliest ones that can carry
                      information, "last" the latest ones, as the encoders of GNU Radio's gr-fec, or k columns
Both raise ValueError for columns that cannot be, RuntimeError for codes over GF(q). A name may have the same after a comma:
"alist:FILE,message=last,punctured=0-31+40".

Codes can be pickled: standard ones by their name, others by their matrix.)";

static void bind_makers(py::class_<py_code> &cls)
{
    cls.def(py::init(&code_with), py::arg("code"), py::arg("punctured") = py::tuple(),
            py::arg("shortened") = py::tuple(), py::arg("message") = py::none());
    cls.def_static("from_base", from_base, py::arg("base"), py::arg("z"), py::arg("punctured") = py::tuple(),
                   py::arg("shortened") = py::tuple(),
                   R"(Create a quasi-cyclic code from its base matrix.

base                  integer matrix: the shift of each z x z circulant, 0 .. z - 1, or -1 for a zero block; row r of a
                      circulant with shift s has its one in column (r + s) mod z
z                     lifting size
punctured, shortened  columns of H that are not transmitted; shortened columns are known to be zero)");
    cls.def_static(
        "from_alist", [](const std::string &text) { return from_text(ldpc_code_create_alist, text); },
        py::arg("text"), "Create a code from the text of an alist file (MacKay's format, padded or not).");
    cls.def_static(
        "from_qc", [](const std::string &text) { return from_text(ldpc_code_create_qc, text); },
        py::arg("text"), "Create a code from the text of a base-matrix file: lifting size and shifts.");
    cls.def_static(
        "from_nbalist", [](const std::string &text) { return from_text(ldpc_code_create_nbalist, text); },
        py::arg("text"), "Create a code over GF(q) from the text of a q-ary alist file.");
    cls.def_static("random", random_code, py::arg("n"), py::arg("dv"), py::arg("dc"), py::arg("order") = 2,
                   py::arg("seed") = 1,
                   R"(Create a random regular code by progressive edge growth, which avoids short cycles.

n, dv, dc   number of columns, column degree, check degree
order       field order: 2, or 4, 8 .. 256 with random coefficients
seed        the same seed gives the same code)");
    cls.def_static("from_edges", from_edges, py::arg("m"), py::arg("n"), py::arg("checks"),
                   py::arg("variables"),
                   R"(Create a code from the positions of the ones of its parity-check matrix.

m, n                rows and columns of the matrix
checks, variables   integer arrays of equal length: 0-based row and column of each one; positions must be distinct

For a dense or sparse matrix H use code(H).)");
}

static void bind_facts(py::class_<py_code> &cls)
{
    auto number = [&cls](const char *name, uint32_t (*get)(const ldpc_code *), const char *doc) {
        cls.def_property_readonly(
            name, [get](const py_code &code) { return get(code.get()); }, doc);
    };
    number("n", ldpc_code_n, "transmitted symbols per codeword; a symbol has symbol_bits LLRs");
    number("k", ldpc_code_k, "information symbols per codeword");
    number("checks", ldpc_code_checks, "rows of the parity-check matrix");
    number("columns", ldpc_code_columns,
           "columns of the parity-check matrix, including those that are not transmitted");
    number("punctured", ldpc_code_punctured, "columns that are not transmitted");
    number("shortened", ldpc_code_shortened, "columns that are known to be zero and not transmitted");
    number("order", ldpc_code_order, "field order q, 2 for binary codes");
    number("symbol_bits", ldpc_code_symbol_bits,
           "bits per symbol, log2 of the field order; 1 for binary codes");
    number("polynomial", ldpc_code_polynomial,
           "primitive polynomial of the field, bit i for x**i; 0 for binary codes");
    number("lifting_size", ldpc_code_lifting_size, "lifting size z; 1 for a code without structure");
    cls.def_property_readonly(
        "edges", [](const py_code &code) { return ldpc_code_edges(code.get()); },
        "number of ones (nonzero elements) of the parity-check matrix");
    cls.def_property_readonly(
        "has_encoder", [](const py_code &code) { return ldpc_code_has_encoder(code.get()); },
        "False for a code that is too large for an encoder and can only be decoded; its k assumes linearly "
        "independent checks");
    cls.def_property_readonly(
        "rate", [](const py_code &code) { return double(code.k()) / double(code.n()); }, "k / n");
    cls.def_property_readonly(
        "name", [](const py_code &code) { return ldpc_code_name(code.get()); },
        "canonical name; \"alist\", \"qc\" or \"edges\" for user-defined codes");
    cls.def_property_readonly(
        "standard", [](const py_code &code) { return ldpc_code_standard(code.get()); },
        "standard and clause, \"\" for user-defined codes");
    cls.def_property_readonly(
        "transmitted_columns",
        [](const py_code &code) {
            return copied(ldpc_code_transmitted_columns(code.get()), ldpc_code_n(code.get()));
        },
        "uint32 array (n,): matrix column of each transmitted symbol; 2**32 - 1 is a constant zero");
    cls.def_property_readonly(
        "message_columns",
        [](const py_code &code) {
            return copied(ldpc_code_message_columns(code.get()), ldpc_code_k(code.get()));
        },
        "uint32 array (k,): matrix column of each message symbol");
}

void bind_code(py::module_ &module)
{
    py::class_<py_code> cls(module, "code", code_doc);
    bind_makers(cls);
    bind_facts(cls);
    cls.def("check", check_columns, py::arg("c"),
            "Columns of the ones of check c, ascending: uint32 array (degree,).");
    cls.def("parity_matrix", parity_matrix, R"(The parity-check matrix as coordinate arrays.

Returns (rows, columns), two uint32 arrays of length `edges`, ordered by row and column. For scipy:
scipy.sparse.coo_matrix((numpy.ones(code.edges), code.parity_matrix()), (code.checks, code.columns)).)");
    cls.def("parity_values", parity_values,
            "The field elements at the positions of parity_matrix(): uint16 array (edges,), all 1 for binary "
            "codes.");
    cls.def("girth", girth, py::arg("limit") = 8,
            "Length of the shortest cycle of the Tanner graph; 0 if it exceeds `limit` (4, 6, 8 "
            "...).");
    cls.def("encode", encode, py::arg("messages"), R"(Encode messages (systematic).

messages   array (codewords, k) or (k,) of zeros and ones, of any integer type or bool
Raises     ValueError for a code without encoder (has_encoder)
Returns    uint8 array (codewords, n) or (n,) of transmitted bits
Over GF(q) the arrays have k * symbol_bits and n * symbol_bits items, MSB of each symbol first.)");
    cls.def("syndrome_weight", syndrome_weight, py::arg("codewords"),
            R"(Number of unsatisfied checks of each codeword.

codewords  uint8 array (codewords, columns) or (columns,): all columns of the matrix, including those that are not transmitted
Returns    uint32 array (codewords,), or an int for a single codeword)");
    cls.def(
        "to_alist", [](const py_code &code) { return to_text(ldpc_code_write_alist, code, ""); },
        "The parity-check matrix as the text of an alist file (q-ary for a code over GF(q)).");
    cls.def(
        "to_qc",
        [](const py_code &code) {
            return to_text(ldpc_code_write_qc, code,
                           "this code has no base matrix; write it with to_alist()");
        },
        "The base matrix as text; RuntimeError for a code without a base matrix.");
    cls.def(py::pickle(&state_of, &from_state));
    cls.def("__eq__", equal, py::is_operator());
    cls.def("__hash__", [](const py_code &code) { return py::hash(py::tuple(py::cast(sizes_of(code)))); });
    cls.def("__repr__", code_repr);
    cls.def("__str__", [](const py_code &code) { return ldpc_code_name(code.get()); });
}
