/* The register tile: ROWS x COLUMNS sums that stay in registers while k runs.
 *
 * 6 rows of 2 registers are 12 sums, with 2 registers of B and 1 of A: 15, what x64 has left for wasm. Every number
 * that is loaded is used 2 (A) or 6 (B) times, and 12 independent sums hide the latency of the multiply-add.
 * A's rows are read along k, one pointer each; B's rows hold COLUMNS neighbours, `b_step` bytes apart. */
#define ROWS 6
#define COLUMNS (2 * LANES)
/* Costs nothing itself. Without it clang loads the numbers of all rows first, more than there are registers, and the
 * tile takes twice as long. */
#define IN_REGISTER(x) __asm__ volatile("" : "+r"(x) : : "memory")
#define UNROLL _Pragma("clang loop unroll(full)")

INLINE void NAME(tile_rows)(const int rows, address a, step a_step, address b, step b_step, int k, address c, step c_step,
                            int add) {
  V sum[ROWS][2];
  address row[ROWS];
  UNROLL for (int r = 0; r < rows; r++) {
    sum[r][0] = sum[r][1] = (V){0};
    row[r] = at(a, r, a_step);
  }
#define ONE_K(p)                                                     \
  {                                                                  \
    V left = NAME(load)(b), right = NAME(load)(b + 16);              \
    b += (address)b_step;                                            \
    UNROLL for (int r = 0; r < rows; r++) {                          \
      V number = SPLAT_LOAD(row[r] + (p) * sizeof(T));               \
      sum[r][0] = MULTIPLY_ADD(number, left, sum[r][0]);             \
      sum[r][1] = MULTIPLY_ADD(number, right, sum[r][1]);            \
      IN_REGISTER(sum[r][0]);                                        \
      IN_REGISTER(sum[r][1]);                                        \
    }                                                                \
  }
  for (; k >= 4; k -= 4) {
    ONE_K(0) ONE_K(1) ONE_K(2) ONE_K(3)
    UNROLL for (int r = 0; r < rows; r++) row[r] += 4 * sizeof(T);
  }
  for (; k > 0; k--) {
    ONE_K(0)
    UNROLL for (int r = 0; r < rows; r++) row[r] += sizeof(T);
  }
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
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6)
#undef TILE

INLINE void NAME(tile)(int rows, address a, step a_step, address b, step b_step, int k, address c, step c_step, int add) {
  switch (rows) {
    case 1: NAME(tile_1)(a, a_step, b, b_step, k, c, c_step, add); break;
    case 2: NAME(tile_2)(a, a_step, b, b_step, k, c, c_step, add); break;
    case 3: NAME(tile_3)(a, a_step, b, b_step, k, c, c_step, add); break;
    case 4: NAME(tile_4)(a, a_step, b, b_step, k, c, c_step, add); break;
    case 5: NAME(tile_5)(a, a_step, b, b_step, k, c, c_step, add); break;
    default: NAME(tile_6)(a, a_step, b, b_step, k, c, c_step, add);
  }
}
