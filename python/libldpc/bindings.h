/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of the Python module: C handles as RAII types, statuses as exceptions, checked numpy
 * arguments. */
#ifndef LIBLDPC_BINDINGS_H
#define LIBLDPC_BINDINGS_H

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "ldpc/ldpc.h"

namespace py = pybind11;

/* NumPy 2 has moved the item size within its descriptors, and pybind11 before 2.12 reads it from the old
 * place, where there is a 0. So the bindings ask Python, in item_bytes(), and these names do not compile
 * here. Most constructors of pybind11's arrays use them too: arrays are made by new_array() and array_of().
 */
#pragma GCC poison itemsize nbytes

/* A code as Python sees it; the C handle is reference counted and never changes. */
struct py_code {
    explicit py_code(ldpc_code *owned) : handle(owned, ldpc_code_destroy) {}
    ldpc_code *get() const
    {
        return handle.get();
    }
    /* LLRs of a codeword, bits of a message: a symbol of a code over GF(q) has log2 q of them. */
    size_t n() const
    {
        return size_t(ldpc_code_n(get())) * ldpc_code_symbol_bits(get());
    }
    size_t k() const
    {
        return size_t(ldpc_code_k(get())) * ldpc_code_symbol_bits(get());
    }
    /* Costs of a codeword's symbols. */
    size_t costs() const
    {
        return size_t(ldpc_code_n(get())) * ldpc_code_order(get());
    }
    std::shared_ptr<ldpc_code> handle;
};

/* Raise the exception that fits a status: ValueError for arguments, OSError for files, MemoryError,
 * RuntimeError. */
[[noreturn]] void raise_status(ldpc_status status, const std::string &sentence);

inline void check(ldpc_status status, const ldpc_error &error)
{
    if (status != LDPC_OK)
        raise_status(status, error.message);
}

/* ValueError where the code has no messages. */
void check_messages(const py_code &code);

/* A code from its name, the path of a file, its parity-check matrix, or the code itself. */
py_code to_code(const py::object &code);

/* A count from Python: ValueError, not a list of C++ signatures, when it is negative or far too large. */
uint32_t count_of(int64_t value, const char *what);

/* Whether `value` is the first of two names; ValueError if it is neither. */
bool is_first(const char *what, const std::string &value, const char *first, const char *second);

/* Codewords in an array: one of shape (length,) or several of shape (codewords, length). */
struct batch_shape {
    size_t codewords;
    bool single; /* came as (length,): results have no first axis either */
    std::vector<py::ssize_t>
    with(size_t length) const; /* the shape of a result with `length` items per codeword */
};

/* ValueError with the expected shape, and type and shape of what was given, unless `array`, made of it, has that shape. */
batch_shape shape_of(const py::array &array, size_t length, const char *what, const char *length_name,
                     const py::object &given);

/* An array of numpy, without a copy where there is one: PyTorch's and others' on the CPU too (DLPack). TypeError for a masked
 * one. */
py::array array_on_host(const py::object &object, int flags = 0);

/* Bits, one per byte, as a contiguous uint8 array. Integers of any width and bool are taken: TypeError for
 * another type, ValueError for a value that is neither 0 nor 1. Packed bits are bytes of any value. */
py::array bits_of(const py::object &object, const char *what, bool packed = false);

/* A contiguous array of items of one byte, integers or bool; TypeError that says what was expected. */
py::array bytes_of(const py::object &object, const char *what, const char *expected);

/* Integers of any width as a contiguous array of 8 bits each; ValueError for one outside of least .. most. */
py::array narrowed(const py::array &integers, int least, int most, const char *what);

/* Bytes of an item, of an array or a dtype. */
size_t item_bytes(const py::object &array);

/* An array in C order of this type and shape, its content undefined or a copy of `data`. */
py::array new_array(const py::dtype &type, const std::vector<py::ssize_t> &shape);
template <class Item>
py::array_t<Item> new_array(const std::vector<py::ssize_t> &shape, const Item *data = nullptr)
{
    return py::array_t<Item>(shape, data);
}

/* An array in C order on `memory`, which lives as long as `owner`. */
py::array array_of(const py::dtype &type, const std::vector<py::ssize_t> &shape, void *memory,
                   const py::object &owner);

/* "float64 of shape (3, 5)" */
std::string describe(const py::array &array);

/* The dtype of an array of C structures. (PYBIND11_NUMPY_DTYPE writes to a C++ stream while the module loads,
 * which crashes where the compiler has put its own C++ library into the module.) */
struct record_field {
    const char *name, *format;
    size_t offset;
};
py::dtype record_dtype(std::initializer_list<record_field> fields, size_t size);

void bind_code(py::module_ &module);
void bind_decoder(py::module_ &module);
void bind_dvb_cells(py::module_ &module);
void bind_dvb_fec(py::module_ &module);
void bind_simulation(py::module_ &module);

#endif
