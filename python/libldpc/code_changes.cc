/* SPDX-License-Identifier: BSD-3-Clause */
/* libldpc.code(H, punctured=, shortened=, message=). */
#include "code_changes.h"

index_array indices_of(const py::object &object, const char *what)
{
    py::array array = array_on_host(object);
    if (!array || array.ndim() != 1 || (array.dtype().kind() != 'i' && array.dtype().kind() != 'u'))
        throw py::type_error(std::string(what) + ": expected a one-dimensional array of integers" +
                             (array ? ", not " + describe(array) : ""));
    auto wide = py::array_t<int64_t, py::array::c_style | py::array::forcecast>::ensure(array);
    auto narrow = new_array<uint32_t>({wide.size()});
    for (py::ssize_t i = 0; i < wide.size(); i++) {
        if (wide.at(i) < 0 || wide.at(i) > UINT32_MAX)
            throw py::value_error(std::string(what) + ": " + std::to_string(wide.at(i)) + " at index " +
                                  std::to_string(i) + " is not a valid matrix index");
        narrow.mutable_at(i) = uint32_t(wide.at(i));
    }
    return narrow;
}

/* Returns columns for ldpc_code_create_changed(), such as "message=0+1+2", or "". */
static std::string change_of(const char *what, const std::vector<uint32_t> &columns)
{
    std::string change;
    for (uint32_t v : columns)
        change += (change.empty() ? std::string(what) + "=" : "+") + std::to_string(v);
    return change;
}

static std::string joined(std::initializer_list<std::string> changes)
{
    std::string all;
    for (const std::string &change : changes)
        all += (all.empty() || change.empty() ? "" : ",") + change;
    return all;
}

std::string changes_of(const py_code &code)
{
    const ldpc_code *c = code.get();
    const uint32_t n = ldpc_code_n(c), k = ldpc_code_k(c), *sent = ldpc_code_transmitted_columns(c),
                   *zero = ldpc_code_shortened_columns(c), *message = ldpc_code_message_columns(c);
    const std::vector<uint32_t> shortened(zero, zero + ldpc_code_shortened(c)), chosen(message, message + k);
    std::vector<bool> elsewhere(ldpc_code_columns(c)), known(ldpc_code_columns(c));
    for (uint32_t i = 0; i < n; i++)
        elsewhere[sent[i]] = true;
    for (uint32_t v : shortened)
        elsewhere[v] = known[v] = true;
    std::vector<uint32_t> punctured, first;
    for (uint32_t v = 0; v < ldpc_code_columns(c); v++) {
        if (!elsewhere[v])
            punctured.push_back(v);
        if (!known[v] && first.size() < k)
            first.push_back(v);
    }
    const bool by_number = chosen == first || !ldpc_code_has_encoder(c);
    return joined({change_of("punctured", punctured), change_of("shortened", shortened),
                   by_number ? "" : change_of("message", chosen)});
}

py_code changed(const py_code &code, const std::string &changes)
{
    if (changes.empty())
        return code;
    return made([=](ldpc_code **out, ldpc_error *error) {
        return ldpc_code_create_changed(code.get(), changes.c_str(), out, error);
    });
}

static std::vector<uint32_t> columns_of(const char *what, const py::object &columns)
{
    if (py::len(columns) == 0)
        return {};
    const index_array numbers = indices_of(columns, what);
    return {numbers.data(), numbers.data() + numbers.size()};
}

py_code code_with(const py::object &code, const py::object &punctured, const py::object &shortened,
                  const py::object &message)
{
    const std::string chosen = message.is_none() ? ""
                               : py::isinstance<py::str>(message)
                                   ? "message=" + message.cast<std::string>()
                                   : change_of("message", columns_of("message", message));
    return changed(to_code(code), joined({chosen, change_of("punctured", columns_of("punctured", punctured)),
                                          change_of("shortened", columns_of("shortened", shortened))}));
}
