/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_GR_STREAMING_COPY_H
#define LDPC_GR_STREAMING_COPY_H

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace gr::ldpc
{

/* Copies to a buffer that a GPU reads next. Non-temporal stores do not read cache lines first. */
inline void streaming_copy(void *to, const void *from, size_t bytes)
{
#ifdef __SSE2__
    constexpr size_t line = 64;
    auto *target = static_cast<char *>(to);
    auto *source = static_cast<const char *>(from);
    const size_t head = std::min(bytes, -reinterpret_cast<uintptr_t>(target) % sizeof(__m128i));
    std::memcpy(target, source, head);
    size_t at = head;
    for (; bytes - at >= line; at += line)
        for (size_t i = at; i < at + line; i += sizeof(__m128i))
            _mm_stream_si128(reinterpret_cast<__m128i *>(target + i),
                             _mm_loadu_si128(reinterpret_cast<const __m128i *>(source + i)));
    std::memcpy(target + at, source + at, bytes - at);
    _mm_sfence();
#else
    std::memcpy(to, from, bytes);
#endif
}

} // namespace gr::ldpc

#endif
