/* C = A B in blocks that stay in the caches: B in blocks of BLOCK_K x BLOCK_N, A in panels of ROWS rows.
 *
 * Each block of k adds its own sums, from 0, to C: rounding errors grow with the block, not with k. */
#define BLOCK_K 256
#define BLOCK_N (2048 / SIZE) /* with BLOCK_K half a megabyte: little more than a second cache, but A passes half as often */
#define PANEL_STEP ((BLOCK_K + 2 * LANES) * SIZE) /* not a power of 2: rows would meet in the same lines of the cache */
_Static_assert(BLOCK_K * BLOCK_N * sizeof(T) <= sizeof packed_b && ROWS * PANEL_STEP <= sizeof packed_a, "buffers");

/* One output tile whose numbers do not lie as the tile stores them, or which is not full. */
NEVER_INLINE void NAME(partial_tile)(int rows, int width, address a, step a_step, address b, step b_step, int k, address c,
                                     step c_m, step c_n, int add) {
  T full[ROWS * COLUMNS] __attribute__((aligned(16)));
  NAME(tile)(rows, a, a_step, b, b_step, k, (address)full, COLUMNS * SIZE, 0);
  for (int r = 0; r < rows; r++) {
    address place = at(c, r, c_m);
    for (int q = 0; q < width; q++, place += (address)c_n)
      NAME(put)(place, add ? NAME(get)(place) + full[r * COLUMNS + q] : full[r * COLUMNS + q]);
  }
}

/* Few rows of A, or a B that the first cache holds: its rows are read where they are. A cache puts lines that are a large
 * power of 2 apart into the same few places, so a B with such rows (a head between others, say) is better copied. */
INLINE int NAME(reads_in_place)(int m, int k, int n, step b_k, step b_n) {
  if (b_n != SIZE) return 0;
  if (m <= 2 * ROWS) return 1;
  return (b_k & 1023) != 0 && (int64_t)at_most(k, BLOCK_K) * at_most(n, BLOCK_N) * SIZE <= 20480;
}

NEVER_INLINE void NAME(blocks)(address a, address b, address c, int m, int k, int n, step a_m, step a_k, step b_k, step b_n,
                               step c_m, step c_n) {
  const int in_place = NAME(reads_in_place)(m, k, n, b_k, b_n);
  const address strips = (address)packed_b, panel = (address)packed_a;
  for (int first_n = 0, wide; first_n < n; first_n += wide) {
    wide = at_most(n - first_n, BLOCK_N);
    for (int first_k = 0, deep; first_k < k; first_k += deep) {
      deep = at_most(k - first_k, BLOCK_K);
      const int add = first_k > 0;
      const step strip_size = deep * COLUMNS * SIZE;
      const address block = at(at(b, first_k, b_k), first_n, b_n);
      for (int j = 0; j < wide; j += COLUMNS) {
        int width = at_most(wide - j, COLUMNS);
        if (!in_place && b_n == SIZE && wide - j >= 2 * COLUMNS) {
          NAME(pack_two_strips)(at(strips, j / COLUMNS, strip_size), strip_size, at(block, j, SIZE), b_k, deep);
          j += COLUMNS;
        } else if (!in_place || width < COLUMNS)
          NAME(pack_strip)(at(strips, j / COLUMNS, strip_size), at(block, j, b_n), b_k, b_n, deep, width);
      }
      for (int i = 0, rows; i < m; i += rows) {
        rows = at_most(m - i, ROWS);
        address rows_of_a = at(at(a, i, a_m), first_k, a_k);
        step row_step = a_m;
        if (a_k != SIZE || (wide >= 128 && (a_m & 2047) == 0)) {
          NAME(pack_rows)(panel, PANEL_STEP, rows_of_a, a_m, a_k, deep, rows);
          rows_of_a = panel, row_step = PANEL_STEP;
        }
        for (int j = 0; j < wide; j += COLUMNS) {
          int width = at_most(wide - j, COLUMNS), here = in_place && width == COLUMNS;
          address strip = here ? at(block, j, b_n) : at(strips, j / COLUMNS, strip_size);
          step strip_step = here ? b_k : COLUMNS * SIZE;
          address place = at(at(c, i, c_m), first_n + j, c_n);
          if (width == COLUMNS && c_n == SIZE)
            NAME(tile)(rows, rows_of_a, row_step, strip, strip_step, deep, place, c_m, add);
          else
            NAME(partial_tile)(rows, width, rows_of_a, row_step, strip, strip_step, deep, place, c_m, c_n, add);
        }
      }
    }
  }
}
