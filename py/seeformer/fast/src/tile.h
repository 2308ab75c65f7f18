/* The register tile: ROWS x COLUMNS sums that stay in registers while k runs.
 *
 * x64 has 15 registers for wasm. With the chip's multiply-add, 6 rows of 2 sums and 2 registers of B and 1 of A fill them;
 * without it each product needs a register before it is added, and a sixth row would send sums to memory: half the speed.
 * Every number that is loaded is used 2 (A) or ROWS (B) times, and 10 or 12 independent sums hide the latency.
 * A's rows are read along k, one pointer each; B's rows hold COLUMNS neighbours, `b_step` bytes apart. */
#undef ROWS
#ifdef RELAXED
#define ROWS 6
#else
#define ROWS 5
#endif
#define COLUMNS (2 * LANES)
/* These cost nothing themselves. Without the first, clang loads the numbers of all rows first, more than there are
 * registers; without the second it makes all pointers from one, and every load waits for an addition. */
#define IN_REGISTER(x) __asm__ volatile("" : "+r"(x) : : "memory")
#define POINTER(x) __asm__ volatile("" : "+r"(x))
#define UNROLL _Pragma("clang loop unroll(full)")

INLINE void NAME(tile_rows)(const int rows, address a, step a_step, address b, step b_step, int k, address c, step c_step,
                            int add) {
  V sum[ROWS][2];
  const char *row[ROWS], *strip = (const char *)b; /* pointers, not addresses: what is added to them is part of the load */
  UNROLL for (int r = 0; r < rows; r++) {
    sum[r][0] = sum[r][1] = (V){0};
    row[r] = (const char *)at(a, r, a_step);
  }
#define ONE_K(p)                                                                                      \
  {                                                                                                   \
    V left = *(NAME(loose_register) *)strip, right = *(NAME(loose_register) *)(strip + 16);           \
    strip += b_step;                                                                                  \
    POINTER(strip);                                                                                   \
    UNROLL for (int r = 0; r < rows; r++) {                                                           \
      V number = SPLAT_LOAD(row[r] + (p) * sizeof(T));                                                \
      sum[r][0] = MULTIPLY_ADD(number, left, sum[r][0]);                                              \
      sum[r][1] = MULTIPLY_ADD(number, right, sum[r][1]);                                             \
      IN_REGISTER(sum[r][0]);                                                                         \
      IN_REGISTER(sum[r][1]);                                                                         \
    }                                                                                                 \
  }
#define NEXT(by)                                \
  UNROLL for (int r = 0; r < rows; r++) {       \
    row[r] += (by) * sizeof(T);                 \
    POINTER(row[r]);                            \
  }
  /* Tall tiles move their pointers once in 8: 5 to 10% faster than once in 4. */
  if (rows >= 4)
    for (; k >= 8; k -= 8) {
      ONE_K(0) ONE_K(1) ONE_K(2) ONE_K(3) ONE_K(4) ONE_K(5) ONE_K(6) ONE_K(7) NEXT(8)
    }
  for (; k >= 4; k -= 4) {
    ONE_K(0) ONE_K(1) ONE_K(2) ONE_K(3) NEXT(4)
  }
  for (; k > 0; k--) {
    ONE_K(0) NEXT(1)
  }
#undef NEXT
#undef ONE_K
  UNROLL for (int r = 0; r < rows; r++) {
    address place = at(c, r, c_step);
    if (add) {
      sum[r][0] += NAME(load)(place);
      sum[r][1] += NAME(load)(place + 16);
    }
    NAME(store)(place, sum[r][0]);
    NAME(store)(place + 16, sum[r][1]);
  }
}

/* A function for each height, so that each is compiled with its sums in registers. */
#define TILE(rows)                                                                                                  \
  NEVER_INLINE void NAME(tile_##rows)(address a, step a_step, address b, step b_step, int k, address c, step c_step, \
                                      int add) {                                                                    \
    NAME(tile_rows)(rows, a, a_step, b, b_step, k, c, c_step, add);                                                 \
  }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5)
#if ROWS == 6
TILE(6)
#endif
#undef TILE

INLINE void NAME(tile)(int rows, address a, step a_step, address b, step b_step, int k, address c, step c_step, int add) {
  switch (rows) {
    case 1: NAME(tile_1)(a, a_step, b, b_step, k, c, c_step, add); break;
    case 2: NAME(tile_2)(a, a_step, b, b_step, k, c, c_step, add); break;
    case 3: NAME(tile_3)(a, a_step, b, b_step, k, c, c_step, add); break;
    case 4: NAME(tile_4)(a, a_step, b, b_step, k, c, c_step, add); break;
#if ROWS == 6
    case 6: NAME(tile_6)(a, a_step, b, b_step, k, c, c_step, add); break;
#endif
    default: NAME(tile_5)(a, a_step, b, b_step, k, c, c_step, add);
  }
}
