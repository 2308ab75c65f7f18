/* exp(x) = 2^n exp(r), where n is the whole number next to x / ln 2, so that |r| <= ln 2 / 2, and exp(r) = 1 + r + r^2 q(r).
 * ln 2 is taken off in two parts (Cody & Waite 1980), q is the polynomial of least error (chebyfit of mpmath). */
#undef ROUND
#undef LOG2_E
#undef LN2_HIGH
#undef LN2_LOW
#undef EXP_MIN
#undef EXP_MAX
#define LOG2_E 0x1.71547652b82fep+0
#ifdef DOUBLE
#define ROUND 0x1.8p52 /* added to a number, it leaves its whole part in the lowest bits */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define EXP_MIN -746.0 /* from there on 0 */
#define EXP_MAX 710.0  /* from there on inf */
static const T NAME(q)[] = {0x1.af3ce42b12b24p-26, 0x1.2894f52583578p-22, 0x1.71de0be2b5e96p-19, 0x1.a019b621f9d08p-16,
                            0x1.a01a01a83ba17p-13, 0x1.6c16c1794e1dcp-10, 0x1.1111111110918p-7,  0x1.5555555553b6cp-5,
                            0x1.5555555555556p-3,  0x1.0000000000001p-1};
#else
#define ROUND 0x1.8p23f
#define LN2_HIGH 0x1.63p-1f
#define LN2_LOW -0x1.bd0106p-13f
#define EXP_MIN -104.0f
#define EXP_MAX 89.0f
static const T NAME(q)[] = {0x1.6d1606p-10f, 0x1.12106cp-7f, 0x1.555516p-5f, 0x1.5554d8p-3f, 0x1p-1f};
#endif

INLINE V NAME(all)(T value) {
#ifdef DOUBLE
  return wasm_f64x2_splat(value);
#else
  return wasm_f32x4_splat(value);
#endif
}
/* The smaller, the larger; of NaN and a limit NaN. */
INLINE V NAME(at_most_all)(V x, T limit) {
#ifdef DOUBLE
  return wasm_f64x2_pmin(x, NAME(all)(limit));
#else
  return wasm_f32x4_pmin(x, NAME(all)(limit));
#endif
}
INLINE V NAME(at_least_all)(V x, T limit) {
#ifdef DOUBLE
  return wasm_f64x2_pmax(x, NAME(all)(limit));
#else
  return wasm_f32x4_pmax(x, NAME(all)(limit));
#endif
}

/* 2^n for n = the lowest bits of each number's first word, with `bias` added already. */
INLINE V NAME(power)(v4i n) {
#ifdef DOUBLE
  return (V)((v2l)n << 52);
#else
  return (V)(n << 23);
#endif
}
#undef EXPONENT
#undef BIAS
#ifdef DOUBLE
#define BIAS 1023
#define EXPONENT(n) ((v4i)(n))
#else
#define BIAS 127
#define EXPONENT(n) ((v4i)(n) - 0x4b400000) /* the bits of ROUND */
#endif

/* sum[i] = the polynomial of `coefficients`, the highest first, at x[i]. */
#define POLYNOMIAL(sum, x, coefficients)                                                       \
  {                                                                                            \
    EACH_PART sum[i] = NAME(all)(coefficients[0]);                                             \
    UNROLL for (int at_ = 1; at_ < (int)(sizeof coefficients / sizeof(T)); at_++)                  \
      EACH_PART sum[i] = MULTIPLY_ADD(sum[i], x[i], NAME(all)(coefficients[at_]));               \
  }

INLINE void NAME(exp_of)(V *x) {
  V n[CHUNK], r[CHUNK], q[CHUNK];
  EACH_PART {
    V within = NAME(at_least_all)(NAME(at_most_all)(x[i], EXP_MAX), EXP_MIN);
    n[i] = MULTIPLY_ADD(within, NAME(all)(LOG2_E), NAME(all)(ROUND));
    V whole = n[i] - NAME(all)(ROUND);
    r[i] = MULTIPLY_ADD(whole, NAME(all)(-LN2_LOW), MULTIPLY_ADD(whole, NAME(all)(-LN2_HIGH), within));
  }
  POLYNOMIAL(q, r, NAME(q))
  EACH_PART { /* in two steps: 2^n itself may be too large or too small for a number */
    v4i exponent = EXPONENT(n[i]), half = exponent >> 1;
    V part = MULTIPLY_ADD(q[i], r[i] * r[i], r[i]) + 1;
    x[i] = part * NAME(power)(half + BIAS) * NAME(power)(exponent - half + BIAS);
  }
}

DOOR(NAME(exp)) { UNARY_LOOP(NAME(exp_of)) }
