/* maximum(a, b): a where a >= b or a is NaN, else b: so NaN wins, and of 0 and -0 the first. */
INLINE V NAME(larger)(V a, V b) {
#ifdef DOUBLE
  return wasm_f64x2_pmax(a, b); /* b where a < b, else a: all but NaN in b */
#else
  return wasm_f32x4_pmax(a, b);
#endif
}
INLINE V NAME(first_if_nan)(V a, V otherwise) {
  return (V)wasm_v128_bitselect((v128_t)a, (v128_t)otherwise, (v128_t)(a != a));
}
INLINE T NAME(larger_one)(T a, T b) { return a >= b || a != a ? a : b; }

/* The largest of `n` neighbours and `start`. */
INLINE T NAME(largest)(T start, address b, int n) {
  V most[CHUNK], not_one = NAME(all)(0); /* all of its bits are set where there was a NaN */
  EACH_PART most[i] = NAME(all)(start);
  for (; n >= CHUNK * LANES; n -= CHUNK * LANES, b += CHUNK * 16) EACH_PART {
    V number = NAME(load)(b + 16 * i);
    not_one = (V)((v128_t)not_one | (v128_t)(number != number));
    most[i] = NAME(larger)(most[i], number);
  }
  UNROLL for (int i = 1; i < CHUNK; i++) most[0] = NAME(larger)(most[0], most[i]);
  T largest = start;
  UNROLL for (int q = 0; q < LANES; q++) largest = NAME(larger_one)(largest, most[0][q]);
  for (; n > 0; n--, b += sizeof(T)) largest = NAME(larger_one)(largest, NAME(get)(b));
  return wasm_v128_any_true((v128_t)not_one) ? (T)__builtin_nan("") : largest;
}

DOOR(NAME(maximum)) {
  address a = (address)operands[0], b = (address)operands[1], c = (address)operands[2];
  const step a_step = steps[0], b_step = steps[1], c_step = steps[2];
  int left = sizes[0];
  if (a == c && a_step == 0 && c_step == 0 && b_step == SIZE) { /* maximum.reduce along memory */
    NAME(put)(c, NAME(largest)(NAME(get)(a), b, left));
    return;
  }
  if (c_step == SIZE && (a_step == SIZE || a_step == 0) && (b_step == SIZE || b_step == 0) && NAME(apart)(a, c) &&
      NAME(apart)(b, c) && left >= CHUNK * LANES) {
    V always_a = NAME(all)(NAME(get)(a)), always_b = NAME(all)(NAME(get)(b));
    if (a_step == SIZE && b_step == 0 && always_b[0] == always_b[0]) /* with a number, 0 for example */
      for (; left >= CHUNK * LANES; left -= CHUNK * LANES, a += CHUNK * 16, c += CHUNK * 16)
        EACH_PART NAME(store)(c + 16 * i, NAME(larger)(NAME(load)(a + 16 * i), always_b));
    else
      for (; left >= CHUNK * LANES; left -= CHUNK * LANES, c += CHUNK * 16) {
        V part[CHUNK];
        EACH_PART {
          V first = a_step ? NAME(load)(a + 16 * i) : always_a, second = b_step ? NAME(load)(b + 16 * i) : always_b;
          part[i] = NAME(first_if_nan)(second, NAME(larger)(first, second));
        }
        EACH_PART NAME(store)(c + 16 * i, part[i]);
        a = at(a, CHUNK * LANES, a_step), b = at(b, CHUNK * LANES, b_step);
      }
  }
  for (; left > 0; left--, a += (address)a_step, b += (address)b_step, c += (address)c_step)
    NAME(put)(c, NAME(larger_one)(NAME(get)(a), NAME(get)(b)));
}
