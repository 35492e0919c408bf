/* SPDX-License-Identifier: BSD-3-Clause */
/* Common parts of the bindings: owners of C handles, exceptions, checked numpy arguments. */
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

/* NumPy 2 stores the item size of dtypes elsewhere, and pybind11 before 2.12 reads 0. Use item_bytes(),
 * new_array() and array_of(). */
#pragma GCC poison itemsize nbytes

/* The Python class code. Its handle is reference counted and immutable. */
struct py_code {
    explicit py_code(ldpc_code *owned) : handle(owned, ldpc_code_destroy) {}
    ldpc_code *get() const
    {
        return handle.get();
    }
    /* n: number of LLRs per codeword. k: number of bits per message. */
    size_t n() const
    {
        return size_t(ldpc_code_n(get())) * ldpc_code_symbol_bits(get());
    }
    size_t k() const
    {
        return size_t(ldpc_code_k(get())) * ldpc_code_symbol_bits(get());
    }
    /* Returns the number of symbol costs per codeword. */
    size_t costs() const
    {
        return size_t(ldpc_code_n(get())) * ldpc_code_order(get());
    }
    std::shared_ptr<ldpc_code> handle;
};

/* Raises ValueError for invalid arguments, OSError for files, MemoryError if out of memory, and RuntimeError
 * for all other errors. */
[[noreturn]] void raise_status(ldpc_status status, const std::string &sentence);

inline void check(ldpc_status status, const ldpc_error &error)
{
    if (status != LDPC_OK)
        raise_status(status, error.message);
}

/* Raises ValueError if the code has no message bits. */
void check_messages(const py_code &code);

/* Accepts a code, its name, a file, or a parity-check matrix. */
py_code to_code(const py::object &code);

/* Raises ValueError if the integer is negative or too large. */
uint32_t count_of(int64_t value, const char *what);

/* Returns whether `value` is `first`. Raises ValueError unless `value` is `first` or `second`. */
bool is_first(const char *what, const std::string &value, const char *first, const char *second);

/* (length,) or (codewords, length) */
struct batch_shape {
    size_t codewords;
    bool single; /* true for one codeword; the results then have no axis for codewords */
    std::vector<py::ssize_t>
    with(size_t length) const; /* Returns the shape of results with `length` items. */
};

/* Returns the shape of the batch. The ValueError for a wrong shape states type and shape of `given`. */
batch_shape shape_of(const py::array &array, size_t length, const char *what, const char *length_name,
                     const py::object &given);

/* Converts to a numpy array. Accepts DLPack on the CPU. Raises TypeError for masked arrays. */
py::array array_on_host(const py::object &object, int flags = 0);

/* Converts bits to a contiguous uint8 array. Raises TypeError for other types. Unpacked bits other than 0 and
 * 1 raise ValueError. */
py::array bits_of(const py::object &object, const char *what, bool packed = false);

/* Converts bool or one-byte integers to a contiguous array. Raises TypeError. */
py::array bytes_of(const py::object &object, const char *what, const char *expected);

/* Converts integers to a contiguous array of 8-bit integers. Raises ValueError for a value less than `least`
 * or greater than `most`. */
py::array narrowed(const py::array &integers, int least, int most, const char *what);

/* Returns the item size of an array or dtype, bytes. */
size_t item_bytes(const py::object &array);

/* In C order. */
py::array new_array(const py::dtype &type, const std::vector<py::ssize_t> &shape);
template <class Item>
py::array_t<Item> new_array(const std::vector<py::ssize_t> &shape, const Item *data = nullptr)
{
    return py::array_t<Item>(shape, data);
}

/* Returns an array over `memory`, which `owner` keeps alive. */
py::array array_of(const py::dtype &type, const std::vector<py::ssize_t> &shape, void *memory,
                   const py::object &owner);

/* Returns a description such as "float64 of shape (3, 5)". */
std::string describe(const py::array &array);

/* Returns the dtype of an array of C structs. PYBIND11_NUMPY_DTYPE crashes with static C++ libraries. */
struct record_field {
    const char *name, *format;
    size_t offset;
};
py::dtype record_dtype(std::initializer_list<record_field> fields, size_t size);

void bind_code(py::module_ &module);
void bind_decoder(py::module_ &module);
void bind_dvb_cells(py::module_ &module);
void bind_dvb_fec(py::module_ &module);
void bind_packets(py::module_ &module);
void bind_simulation(py::module_ &module);

#endif
