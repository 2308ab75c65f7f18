/* One to THIN rows times B: each number of B is used so seldom that it is read once, in memory's order, and not copied
 * first. The time is that of reading B. */
#define THIN 3
#define LINE (16384 / SIZE)
_Static_assert((THIN + 1) * LINE * sizeof(T) <= sizeof packed_b, "buffer");

/* sums[r, j] += factors of `deep` neighbouring k times as many rows of B, which lie along n. The sums stay in the first
 * cache. */
INLINE void NAME(along_n_step)(const int rows, const int deep, address a, step a_m, step a_k, address b, step b_k, int n,
                               address sums) {
  V factor[THIN][8];
  address row[8];
  int j = 0;
  UNROLL for (int q = 0; q < deep; q++) {
    row[q] = at(b, q, b_k);
    UNROLL for (int r = 0; r < rows; r++) factor[r][q] = SPLAT_LOAD(at(at(a, r, a_m), q, a_k));
  }
  for (; j + LANES <= n; j += LANES) {
    V sum[THIN];
    UNROLL for (int r = 0; r < rows; r++) sum[r] = NAME(load)(at(sums, r * LINE + j, SIZE));
    UNROLL for (int q = 0; q < deep; q++) {
      V number = NAME(load)(at(row[q], j, SIZE));
      UNROLL for (int r = 0; r < rows; r++) sum[r] = MULTIPLY_ADD(factor[r][q], number, sum[r]);
    }
    UNROLL for (int r = 0; r < rows; r++) NAME(store)(at(sums, r * LINE + j, SIZE), sum[r]);
  }
  for (; j < n; j++)
    UNROLL for (int r = 0; r < rows; r++) {
      T sum = NAME(get)(at(sums, r * LINE + j, SIZE));
      UNROLL for (int q = 0; q < deep; q++) sum += factor[r][q][0] * NAME(get)(at(row[q], j, SIZE));
      NAME(put)(at(sums, r * LINE + j, SIZE), sum);
    }
}

INLINE void NAME(along_n_rows)(const int rows, address a, address b, address c, int k, int n, step a_m, step a_k, step b_k,
                               step c_m, step c_n) {
  const address sums = (address)packed_b;
  for (int first_n = 0, wide; first_n < n; first_n += wide) {
    wide = at_most(n - first_n, LINE);
    for (int first_k = 0, deep; first_k < k; first_k += deep) {
      deep = at_most(k - first_k, BLOCK_K);
      for (int r = 0; r < rows; r++)
        for (int j = 0; j < wide; j += LANES) NAME(store)(at(sums, r * LINE + j, SIZE), (V){0});
      address left = at(a, first_k, a_k), right = at(at(b, first_k, b_k), first_n, SIZE);
      int p = 0;
      for (; deep - p >= 4; p += 4)
        NAME(along_n_step)(rows, 4, at(left, p, a_k), a_m, a_k, at(right, p, b_k), b_k, wide, sums);
      for (; p < deep; p++)
        NAME(along_n_step)(rows, 1, at(left, p, a_k), a_m, a_k, at(right, p, b_k), b_k, wide, sums);
      for (int r = 0; r < rows; r++) {
        address place = at(at(c, r, c_m), first_n, c_n);
        for (int j = 0; j < wide; j++, place += (address)c_n) {
          T sum = NAME(get)(at(sums, r * LINE + j, SIZE));
          NAME(put)(place, first_k ? NAME(get)(place) + sum : sum);
        }
      }
    }
  }
}

INLINE T NAME(total)(V sum) {
  T total = 0;
  UNROLL for (int q = 0; q < LANES; q++) total += sum[q];
  return total;
}

/* Dot products of `rows` rows of A with `columns` columns of B, both along k. `parts` sums for each product keep the
 * multiply-add busy where there is only one column. */
INLINE void NAME(dots)(const int rows, const int columns, const int parts, address a, step a_m, address b, step b_n, int k,
                       address c, step c_m, step c_n, int add) {
  V sum[THIN][4][4];
  T total[THIN][4];
  int p = 0;
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < columns; j++)
      UNROLL for (int part = 0; part < parts; part++) sum[r][j][part] = (V){0};
  for (; k - p >= parts * LANES; p += parts * LANES)
    UNROLL for (int part = 0; part < parts; part++) {
      V number[THIN];
      UNROLL for (int r = 0; r < rows; r++) number[r] = NAME(load)(at(at(a, r, a_m), p + part * LANES, SIZE));
      UNROLL for (int j = 0; j < columns; j++) {
        V other = NAME(load)(at(at(b, j, b_n), p + part * LANES, SIZE));
        UNROLL for (int r = 0; r < rows; r++) sum[r][j][part] = MULTIPLY_ADD(number[r], other, sum[r][j][part]);
      }
    }
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < columns; j++) {
      UNROLL for (int part = 1; part < parts; part++) sum[r][j][0] += sum[r][j][part];
      total[r][j] = NAME(total)(sum[r][j][0]);
    }
  for (; p < k; p++)
    UNROLL for (int r = 0; r < rows; r++)
      UNROLL for (int j = 0; j < columns; j++)
        total[r][j] += NAME(get)(at(at(a, r, a_m), p, SIZE)) * NAME(get)(at(at(b, j, b_n), p, SIZE));
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < columns; j++) {
      address place = at(at(c, r, c_m), j, c_n);
      NAME(put)(place, add ? NAME(get)(place) + total[r][j] : total[r][j]);
    }
}

/* The columns of B lie along k, or are copied one by one so that they do; so are the rows of A. */
INLINE void NAME(along_k_rows)(const int rows, address a, address b, address c, int k, int n, step a_m, step a_k, step b_k,
                               step b_n, step c_m, step c_n) {
  const address row_copy = (address)packed_b, column_copy = at(row_copy, THIN * LINE, SIZE);
  for (int first_k = 0, deep; first_k < k; first_k += deep) {
    deep = at_most(k - first_k, LINE);
    address left = at(a, first_k, a_k), right = at(b, first_k, b_k);
    step left_step = a_m;
    int j = 0;
    if (a_k != SIZE) {
      NAME(pack_rows)(row_copy, LINE * SIZE, left, a_m, a_k, deep, rows);
      left = row_copy, left_step = LINE * SIZE;
    }
    if (b_k == SIZE)
      for (; n - j >= 4; j += 4)
        NAME(dots)(rows, 4, 1, left, left_step, at(right, j, b_n), b_n, deep, at(c, j, c_n), c_m, c_n, first_k);
    for (; j < n; j++) {
      address column = at(right, j, b_n);
      if (b_k != SIZE) {
        NAME(pack_rows)(column_copy, 0, column, 0, b_k, deep, 1);
        column = column_copy;
      }
      NAME(dots)(rows, 1, 4, left, left_step, column, 0, deep, at(c, j, c_n), c_m, c_n, first_k);
    }
  }
}

#define THIN_ROWS(rows)                                                                                              \
  NEVER_INLINE void NAME(along_n_##rows)(address a, address b, address c, int k, int n, step a_m, step a_k, step b_k, \
                                         step c_m, step c_n) {                                                       \
    NAME(along_n_rows)(rows, a, b, c, k, n, a_m, a_k, b_k, c_m, c_n);                                                \
  }                                                                                                                  \
  NEVER_INLINE void NAME(along_k_##rows)(address a, address b, address c, int k, int n, step a_m, step a_k, step b_k, \
                                         step b_n, step c_m, step c_n) {                                             \
    NAME(along_k_rows)(rows, a, b, c, k, n, a_m, a_k, b_k, b_n, c_m, c_n);                                           \
  }
THIN_ROWS(1) THIN_ROWS(2) THIN_ROWS(3)
#undef THIN_ROWS

INLINE void NAME(thin)(address a, address b, address c, int m, int k, int n, step a_m, step a_k, step b_k, step b_n,
                       step c_m, step c_n) {
  const int along_n = b_n == SIZE && n >= LANES;
  switch (m) {
    case 1:
      if (along_n) NAME(along_n_1)(a, b, c, k, n, a_m, a_k, b_k, c_m, c_n);
      else NAME(along_k_1)(a, b, c, k, n, a_m, a_k, b_k, b_n, c_m, c_n);
      break;
    case 2:
      if (along_n) NAME(along_n_2)(a, b, c, k, n, a_m, a_k, b_k, c_m, c_n);
      else NAME(along_k_2)(a, b, c, k, n, a_m, a_k, b_k, b_n, c_m, c_n);
      break;
    default:
      if (along_n) NAME(along_n_3)(a, b, c, k, n, a_m, a_k, b_k, c_m, c_n);
      else NAME(along_k_3)(a, b, c, k, n, a_m, a_k, b_k, b_n, c_m, c_n);
  }
}
