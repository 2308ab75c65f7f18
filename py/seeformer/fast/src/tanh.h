/* tanh(x): near 0, x + x^3 p(x^2), an odd polynomial (of least error, by chebyfit of mpmath), for exp would lose digits
 * there; else 1 - 2 / (exp(2 |x|) + 1) with the sign of x. */
#undef NEAR_0
#undef TANH_MAX
#ifdef DOUBLE
#define NEAR_0 0.55
#define TANH_MAX 20.0 /* from there on 1 */
static const T NAME(p)[] = {-0x1.58997fbc0a007p-16, 0x1.649be72f9f5f5p-14, -0x1.ebf2b71973bcbp-13, 0x1.34c323b0eedp-11,
                            -0x1.7d978e3dbfaa2p-10, 0x1.d6d33516b4992p-9,  -0x1.226e32dc0bb5cp-7,  0x1.664f4876a3ed2p-6,
                            -0x1.ba1ba1b9fd8f9p-5,  0x1.1111111111028p-3,  -0x1.5555555555555p-2};
#else
#define NEAR_0 0.55f
#define TANH_MAX 10.0f
static const T NAME(p)[] = {-0x1.b09aep-8f, 0x1.5d0d7ep-6f, -0x1.b99e96p-5f, 0x1.110fe4p-3f, -0x1.555554p-2f};
#endif

INLINE void NAME(tanh_of)(V *x) {
  const v128_t sign = (v128_t)-NAME(all)(0);
  V size[CHUNK], square[CHUNK], p[CHUNK], e[CHUNK];
  EACH_PART {
    size[i] = NAME(at_most_all)((V)wasm_v128_andnot((v128_t)x[i], sign), TANH_MAX);
    square[i] = size[i] * size[i];
    e[i] = size[i] * 2;
  }
  POLYNOMIAL(p, square, NAME(p))
  NAME(exp_of)(e);
  EACH_PART {
    V near = MULTIPLY_ADD(p[i], square[i] * size[i], size[i]), far = 1 - 2 / (e[i] + 1);
    V both = (V)wasm_v128_bitselect((v128_t)near, (v128_t)far, (v128_t)(size[i] < NEAR_0));
    x[i] = (V)wasm_v128_bitselect((v128_t)x[i], (v128_t)both, sign);
  }
}

DOOR(NAME(tanh)) { UNARY_LOOP(NAME(tanh_of)) }
