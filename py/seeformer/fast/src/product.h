/* C = A B, [m, k] times [k, n], whatever the strides: chooses the way. */

/* So small that every preparation, and even a call, would cost more than the sums; or a sum of nothing, which is 0. */
INLINE int NAME(is_tiny)(int m, int k, int n) {
  return k <= 0 || ((int64_t)m * n <= 128 && (int64_t)m * n * k <= 128);
}

INLINE void NAME(tiny)(address a, address b, address c, int m, int k, int n, step a_m, step a_k, step b_k, step b_n, step c_m,
                       step c_n) {
  for (int i = 0; i < m; i++, a += (address)a_m, c += (address)c_m) {
    address column = b, place = c;
    for (int j = 0; j < n; j++, column += (address)b_n, place += (address)c_n) {
      address left = a, right = column;
      T sum = 0;
      for (int p = 0; p < k; p++, left += (address)a_k, right += (address)b_k) sum += NAME(get)(left) * NAME(get)(right);
      NAME(put)(place, sum);
    }
  }
}

NEVER_INLINE void NAME(product)(address a, address b, address c, int m, int k, int n, step a_m, step a_k, step b_k,
                                step b_n, step c_m, step c_n) {
  if (m <= 0 || n <= 0) return;
  if (NAME(is_tiny)(m, k, n)) {
    NAME(tiny)(a, b, c, m, k, n, a_m, a_k, b_k, b_n, c_m, c_n);
    return;
  }
  /* The same product with the roles of A and B changed, C' = B' A', where that makes rows of few columns, and where
   * C lies along its columns. */
  const int thin = m <= THIN || n <= THIN;
  /* Too short along k for registers, and not along the other side: nothing is to be won. */
  if (thin && k < 2 * LANES && (m <= n ? b_n != SIZE || n < LANES : a_m != SIZE || m < LANES)) {
    NAME(tiny)(a, b, c, m, k, n, a_m, a_k, b_k, b_n, c_m, c_n);
    return;
  }
  if (thin ? m > n : c_n != SIZE && c_m == SIZE) {
    if (thin) NAME(thin)(b, a, c, n, k, m, b_n, b_k, a_k, a_m, c_n, c_m);
    else NAME(blocks)(b, a, c, n, k, m, b_n, b_k, a_k, a_m, c_n, c_m);
    return;
  }
  if (thin) NAME(thin)(a, b, c, m, k, n, a_m, a_k, b_k, b_n, c_m, c_n);
  else NAME(blocks)(a, b, c, m, k, n, a_m, a_k, b_k, b_n, c_m, c_n);
}
