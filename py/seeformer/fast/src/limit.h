/* What the chip can do at most: the tile's sums without its loads. As many independent chains of multiply-adds on
 * registers as the tile has sums, `rounds` (a multiple of 4) times; the result is returned so that nothing is left out. */
#define CHAINS 12
#define ONE_ROUND                                    \
  UNROLL for (int i = 0; i < CHAINS; i++) {          \
    sum[i] = MULTIPLY_ADD(sum[i], factor, addend);   \
    IN_REGISTER(sum[i]);                             \
  }
#define EXPORTED(name) __attribute__((export_name(#name))) double name(int rounds, double start)
#define LIMIT(name) EXPORTED(name)

LIMIT(NAME(limit)) {
  V sum[CHAINS], factor = (V){0} + (T)start, addend = factor + factor;
  UNROLL for (int i = 0; i < CHAINS; i++) sum[i] = factor * (T)(i + 1);
  for (; rounds > 0; rounds -= 4) {
    ONE_ROUND ONE_ROUND ONE_ROUND ONE_ROUND
  }
  UNROLL for (int i = 1; i < CHAINS; i++) sum[0] += sum[i];
  return sum[0][0];
}
#undef LIMIT
#undef EXPORTED
#undef ONE_ROUND
#undef CHAINS
