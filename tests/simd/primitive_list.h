/* SPDX-License-Identifier: BSD-3-Clause */
/* Each primitive of lib/cpu/simd/simd.h and its meaning in plain C. Included where these are defined:
 *
 *   LANES(name, type, primitive, domain, meaning)
 *       `primitive`: a register made of registers a .. e and the number k. `meaning`: a lane of the result,
 * made of those lanes. `domain`: changes lanes so that the primitive is defined for them. FLOATS(name,
 * primitive, domain, meaning)     likewise with floats, made of vecf registers MASK(name, type, primitive,
 * meaning)         a number whose bit i is the meaning for lane i BYTES(name, statement, bytes, domain,
 * meaning) `statement`: stores `bytes` bytes to out. `meaning`: its byte i.
 *
 * PERMUTED is v_permute_u8 or, where that does not exist, the same from the bytes in memory.
 *
 * in[r] are the bytes of register r and the ones that follow it in memory, SIZE is REGISTER_BYTES.
 */

/* ---- bits and places of bytes */

BYTES(v_zero, v_storeu(out, v_zero()), SIZE, , 0)
BYTES(v_load, v_storeu(out, v_load(in[0])), SIZE, , in[0][i])
BYTES(v_loadu, v_storeu(out, v_loadu(in[0] + 3)), SIZE, , in[0][i + 3])
BYTES(v_store, v_store(out, a), SIZE, , in[0][i])
BYTES(v_storeu, v_storeu(out + 1, a), SIZE + 1, , i ? in[0][i - 1] : out[0])
LANES(v_and, uint8_t, v_and(a, b), , a &b)
LANES(v_or, uint8_t, v_or(a, b), , a | b)
LANES(v_xor, uint8_t, v_xor(a, b), , a ^ b)
BYTES(v_table, v_storeu(out, v_table(in[1] + 5)), SIZE, , in[1][5 + i % 16])
LANES(v_look_u8, uint8_t, v_look_u8(v_table(in[1]), a), a = a & 1 ? a : a % 20, a < 16 ? in[1][a] : 0)
LANES(v_look_u16, uint16_t, v_look_u16(v_table(in[1]), a), a = a & 1 ? a : a % 20, a < 16 ? in[1][a] : 0)
LANES(v_shuffle_u8, uint8_t, v_shuffle_u8(b, a), a &= 0x8f, a < 16 ? in[1][lane / 16 * 16 + (size_t)a] : 0)
LANES(v_permute_u8, uint8_t, PERMUTED(b, a), a %= SIZE, in[1][a])
BYTES(v_load_xor, v_storeu(out, v_load_xor(in[0], k % SIZE)), SIZE, , in[0][i ^ k % SIZE])
BYTES(v_swap_blocks, v_storeu(out, v_swap_blocks(a, (int)(k % (SIZE / 16)))), SIZE, ,
      in[0][i ^ 16 * (k % (SIZE / 16))])

/* ---- integers */

LANES(v_set_s8, int8_t, v_set_s8((int8_t)k), , (int8_t)k)
LANES(v_set_u8, uint8_t, v_set_u8((uint8_t)k), , (uint8_t)k)
LANES(v_set_s16, int16_t, v_set_s16((int16_t)k), , (int16_t)k)
LANES(v_set_u32, uint32_t, v_set_u32(k), , k)
LANES(v_add_s8, int8_t, v_add_s8(a, b), , a + b)
LANES(v_add_s16, int16_t, v_add_s16(a, b), , a + b)
LANES(v_sub_s8, int8_t, v_sub_s8(a, b), , a - b)
LANES(v_sub_s16, int16_t, v_sub_s16(a, b), , a - b)
LANES(v_adds_s8, int8_t, v_adds_s8(a, b), , limited(a + b, INT8_MIN, INT8_MAX))
LANES(v_adds_u8, uint8_t, v_adds_u8(a, b), , limited(a + b, 0, UINT8_MAX))
LANES(v_adds_s16, int16_t, v_adds_s16(a, b), , limited(a + b, INT16_MIN, INT16_MAX))
LANES(v_adds_u16, uint16_t, v_adds_u16(a, b), , limited(a + b, 0, UINT16_MAX))
LANES(v_subs_s8, int8_t, v_subs_s8(a, b), , limited(a - b, INT8_MIN, INT8_MAX))
LANES(v_subs_u8, uint8_t, v_subs_u8(a, b), , limited(a - b, 0, UINT8_MAX))
LANES(v_subs_s16, int16_t, v_subs_s16(a, b), , limited(a - b, INT16_MIN, INT16_MAX))
LANES(v_subs_u16, uint16_t, v_subs_u16(a, b), , limited(a - b, 0, UINT16_MAX))
LANES(v_abs_s8, int8_t, v_abs_s8(a), , a < 0 ? -a : a)
LANES(v_abs_s16, int16_t, v_abs_s16(a), , a < 0 ? -a : a)
LANES(v_negate_by_s8, int8_t, v_negate_by_s8(a, b), , b < 0 ? -a : a)
LANES(v_negate_by_s16, int16_t, v_negate_by_s16(a, b), , b < 0 ? -a : a)
LANES(v_min_u8, uint8_t, v_min_u8(a, b), , a < b ? a : b)
LANES(v_min_u16, uint16_t, v_min_u16(a, b), , a < b ? a : b)
LANES(v_min_u32, uint32_t, v_min_u32(a, b), , a < b ? a : b)
LANES(v_max_u8, uint8_t, v_max_u8(a, b), , a > b ? a : b)
LANES(v_max_u16, uint16_t, v_max_u16(a, b), , a > b ? a : b)
LANES(v_max_u32, uint32_t, v_max_u32(a, b), , a > b ? a : b)
LANES(v_other_u8, uint8_t, v_other_u8(a, b, c), c = a < b ? a : b, a > b ? a : b)
LANES(v_other_u16, uint16_t, v_other_u16(a, b, c), c = a < b ? a : b, a > b ? a : b)
LANES(v_other_u32, uint32_t, v_other_u32(a, b, c), c = a < b ? a : b, a > b ? a : b)
LANES(v_half_u8, uint8_t, v_half_u8(a), , (a + 1) / 2)
LANES(v_half_u16, uint16_t, v_half_u16(a), , (a + 1) / 2)
LANES(v_half_if_u8, uint8_t, v_half_if_u8(b, a), b = b & 1 ? -1 : 0, b ? (a + 1) / 2 : 0)
LANES(v_half_if_u16, uint16_t, v_half_if_u16(b, a), b = b & 1 ? -1 : 0, b ? (a + 1) / 2 : 0)
LANES(v_times_u8, uint8_t, v_times_u8(a, (int)(k % 17)), , a *(k % 17) / 16)
LANES(v_times_u16, uint16_t, v_times_u16(a, (int)(k % 17)), a %= 4096, a *(k % 17) / 16)
LANES(v_if_less_u8, uint8_t, v_if_less_u8(a, b, c), , a < b ? c : 0)
LANES(v_if_less_u16, uint16_t, v_if_less_u16(a, b, c), , a < b ? c : 0)
LANES(v_choose_less_u8, uint8_t, v_choose_less_u8(a, b, c, d), , a < b ? c : d)
LANES(v_pick_u8, uint8_t, v_pick_u8(a, b, c, d), (b = limited(b, 0, UINT8_MAX - 128), a = b + near(a)),
      a == b ? d : c)
LANES(v_pick_u16, uint16_t, v_pick_u16(a, b, c, d), (b = limited(b, 0, UINT16_MAX - 128), a = b + near(a)),
      a == b ? d : c)
LANES(v_pick_u32, uint32_t, v_pick_u32(a, b, c, d), (b = limited(b, 0, UINT32_MAX - 128), a = b + near(a)),
      a == b ? d : c)
LANES(v_reduce_u8, uint8_t, v_reduce_u8(a, b, c, d, e),
      (d = limited(c + d % 256 - 128, 0, UINT8_MAX), e = (uint8_t)k),
      limited(limited(a - b, 0, a) - (c <= d ? e : 0), 0, a))
LANES(v_reduce_u16, uint16_t, v_reduce_u16(a, b, c, d, e),
      (d = limited(c + d % 256 - 128, 0, UINT16_MAX), e = (uint16_t)k),
      limited(limited(a - b, 0, a) - (c <= d ? e : 0), 0, a))
LANES(v_high_nibble_u8, uint8_t, v_high_nibble_u8(a), , a / 16)
LANES(v_product_u64, uint64_t, v_product_u64(a, b), , (uint64_t)(uint32_t)a *(uint32_t)b)
LANES(v_high_u64, uint64_t, v_high_u64(a), , (uint64_t)a >> 32)

/* ---- one number of all lanes */

MASK(v_signs_s8, int8_t, v_signs_s8(a), a < 0)
MASK(v_signs_s16, int16_t, v_signs_s16(a), a < 0)
MASK(v_signs_s32, int32_t, v_signs_s32(a), a < 0)
MASK(v_nonzero_u8, uint8_t, v_nonzero_u8(a), a != 0)
BYTES(v_smallest_u8, *out = v_smallest_u8(a), 1, , smallest(in[0], SIZE))

/* ---- sums of 8-bit lanes */

LANES(w_narrow, int8_t, w_narrow(w_add(w_add(w_add(w_zero(), a), b), c)), ,
      limited(a + b + c, INT8_MIN, INT8_MAX))

/* ---- floats; whole numbers of eighths */

FLOATS(v_load_f32, v_load_f32((const float *)(const void *)in[0] + 1), , next)
FLOATS(v_set_f32, v_set_f32((float)(k % 1000)), , (float)(k % 1000))
FLOATS(v_add_f32, v_add_f32(a, b), , a + b)
FLOATS(v_sub_f32, v_sub_f32(a, b), , a - b)
FLOATS(v_mul_f32, v_mul_f32(a, b), , a *b)
FLOATS(v_div_f32, v_div_f32(a, b), b = b == 0 ? 1 : b, a / b)
FLOATS(v_min_f32, v_min_f32(a, b), , a < b ? a : b)
FLOATS(v_max_f32, v_max_f32(a, b), , a > b ? a : b)
FLOATS(v_round_f32, v_add_f32(v_round_f32(a), v_set_f32(0)), , nearbyintf(a) + 0.0f)
BYTES(v_store_s8_f32, v_store_s8_f32((int8_t *)out, v_load_f32((const float *)(const void *)in[0])), SIZE / 4,
      float_bytes(in[0], SIZE), (uint8_t)(int)nearbyintf(((const float *)(const void *)in[0])[i]))
