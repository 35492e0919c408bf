/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

/* Returns "a", "b" or "c" for error messages. */
static std::string choices(const std::vector<std::string> &names)
{
    std::string text;
    for (size_t i = 0; i < names.size(); i++)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + ("\"" + names[i] + "\"");
    return text;
}

void wrong(const std::string &option, const std::string &expected, const std::string &got)
{
    throw std::invalid_argument(option + " must be " + expected + ", not " + got);
}

bool is_first(const std::string &option, const std::string &value, const std::vector<std::string> &allowed)
{
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        wrong(option, choices(allowed), "\"" + value + "\"");
    return value == allowed.front();
}

static uint32_t not_negative(const std::string &option, int value, const std::string &expected)
{
    if (value < 0)
        wrong(option, expected, std::to_string(value));
    return value;
}

static uint32_t up_to_64(const std::string &option, int value)
{
    if (value < 0 || value > 64)
        wrong(option, "0 (automatic) .. 64", std::to_string(value));
    return value;
}

uint32_t iterations_of(int value)
{
    return not_negative("max_iterations", value, "0 .. 10000");
}

/* Returns the enumeration value of a name. Enumeration values are 0, 1 ... */
template <class Enum>
static Enum named(const std::string &option, const std::string &value,
                  ldpc_status (*parse)(const char *, Enum *), const char *(*name)(Enum))
{
    Enum result;
    if (parse(value.c_str(), &result) == LDPC_OK)
        return result;
    std::vector<std::string> names;
    for (int i = 0; parse(name(static_cast<Enum>(i)), &result) == LDPC_OK; i++)
        names.push_back(name(static_cast<Enum>(i)));
    wrong(option, choices(names), "\"" + value + "\"");
}

/* Returns the directory gr-ldpc in the user's cache directory (XDG base directory specification), or ""
 * without a home directory. */
static std::string user_cache()
{
    const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
    if (cache && cache[0] == '/')
        return std::string(cache) + "/gr-ldpc";
    return home && home[0] ? std::string(home) + "/.cache/gr-ldpc" : "";
}

/* Splits an algorithm such as "normalized:0.75" or "offset:1" into name and value. */
static void split_algorithm(decoder_options &options)
{
    ldpc_decoder_params params;
    ldpc_error err{};
    ldpc_decoder_params_init(&params);
    params.offset = options.offset;
    params.factor = options.factor;
    if (ldpc_decoder_params_set_algorithm(&params, options.algorithm.c_str(), &err) != LDPC_OK)
        throw std::invalid_argument(err.message);
    options.algorithm = ldpc_algorithm_name(params.algorithm);
    options.offset = params.offset;
    options.factor = params.factor;
}

decoder_options complete(decoder_options options)
{
    split_algorithm(options);
    if (options.cache_dir.empty())
        options.cache_dir = user_cache();
    return options;
}

uint32_t gpu_timeout_ms(double seconds)
{
    if (!(seconds >= 0 && seconds <= 86400))
        wrong("gpu_timeout", "0 (no limit) .. 86400 seconds", std::to_string(seconds));
    return static_cast<uint32_t>(std::ceil(1000 * seconds));
}

ldpc_decoder_params params_of(const decoder_options &options, const char *backend)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = named("algorithm", options.algorithm, ldpc_algorithm_parse, ldpc_algorithm_name);
    params.arithmetic = named("arithmetic", options.arithmetic, ldpc_arithmetic_parse, ldpc_arithmetic_name);
    params.schedule = named("schedule", options.schedule, ldpc_schedule_parse, ldpc_schedule_name);
    params.max_iterations = iterations_of(options.max_iterations);
    params.early_stop = options.early_stop;
    params.llr_scale = options.llr_scale;
    params.llr_limit = not_negative("llr_limit", options.llr_limit, "1 .. 127");
    params.offset = options.offset;
    params.factor = options.factor;
    params.packed = options.packed;
    params.kept = not_negative("kept", options.kept, "0 (automatic) or more");
    params.backend = backend;
    params.fallback = options.fallback;
    params.kernel = options.kernel == "auto" || options.kernel.empty() ? nullptr : options.kernel.c_str();
    params.threads = not_negative("threads", options.threads, "0 (one per core) or more");
    const uint32_t batch = not_negative("batch", options.batch, "0 (automatic) or more");
    const uint32_t streams = up_to_64("streams", options.streams);
    if (std::strcmp(backend, "cpu") == 0)
        return params;
    params.max_batch = batch;
    params.streams = streams;
    params.devices = options.devices.c_str();
    params.cache_dir = options.cache_dir.empty() ? nullptr : options.cache_dir.c_str();
    return params;
}

} // namespace ldpc
} // namespace gr
