/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments that raise errors such as "max_iterations: expected int, not '20'". */
#ifndef LIBLDPC_CHECKED_H
#define LIBLDPC_CHECKED_H

#include <optional>
#include <string>

#include "bindings.h"

/* Returns the type's name. pybind11 3 may write "@argument type@return type@". */
inline std::string type_name_of(const std::string &text)
{
    const size_t middle = text.find('@', 1);
    const bool two = middle != std::string::npos && text.front() == '@' && text.back() == '@';
    return two ? text.substr(middle + 1, text.size() - middle - 2) : text;
}

/* A C++ value, or the Python object if its type is wrong. */
template <class Value> struct checked {
    checked() = default;
    explicit checked(const Value &right) : value(right) {}
    const Value &get(const char *name) const
    {
        if (!value)
            throw py::type_error(std::string(name) + ": expected " + expected + ", not " +
                                 py::repr(wrong).cast<std::string>());
        return *value;
    }
    std::optional<Value> value;
    py::object wrong;
    std::string expected;
};

namespace pybind11
{
namespace detail
{

template <class Value> struct type_caster<checked<Value>> {
    PYBIND11_TYPE_CASTER(checked<Value>, make_caster<Value>::name);

    bool load(handle object, bool)
    {
        static constexpr auto type_name = make_caster<Value>::name;
        make_caster<Value> caster;
        value.expected = type_name_of(type_name.text);
        if (caster.load(object, true))
            value.value = cast_op<Value>(caster);
        else
            value.wrong = reinterpret_borrow<pybind11::object>(object);
        return true;
    }
    static handle cast(const checked<Value> &source, return_value_policy policy, handle parent)
    {
        return make_caster<Value>::cast(*source.value, policy, parent);
    }
};

} // namespace detail
} // namespace pybind11

#endif
