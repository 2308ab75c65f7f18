/* Copies of blocks of A and B in the order in which the tile reads them. */

/* A strip of B, `width` <= COLUMNS wide: its rows one after another; what is missing of the width is 0. */
NEVER_INLINE void NAME(pack_strip)(address to, address b, step b_k, step b_n, int k, int width) {
  if (width == COLUMNS && b_n == SIZE) {
    for (; k > 0; k--, b += (address)b_k, to += COLUMNS * sizeof(T)) {
      NAME(store)(to, NAME(load)(b));
      NAME(store)(to + 16, NAME(load)(b + 16));
    }
    return;
  }
  if (width == COLUMNS && b_k == SIZE) { /* columns lie along memory: turn squares of LANES x LANES */
    for (; k >= LANES; k -= LANES, b += 16, to += LANES * COLUMNS * sizeof(T)) {
      NAME(turn)(b, b_n, to, COLUMNS * sizeof(T));
      NAME(turn)(at(b, LANES, b_n), b_n, to + 16, COLUMNS * sizeof(T));
    }
  }
  for (; k > 0; k--, b += (address)b_k, to += COLUMNS * sizeof(T)) {
    for (int q = 0; q < width; q++) NAME(put)(to + q * sizeof(T), NAME(get)(at(b, q, b_n)));
    for (int q = width; q < COLUMNS; q++) NAME(put)(to + q * sizeof(T), 0);
  }
}

/* Two full strips whose rows lie along memory: together they are the lines of the cache, each of which is read once. */
NEVER_INLINE void NAME(pack_two_strips)(address to, step strip_size, address b, step b_k, int k) {
  for (; k > 0; k--, b += (address)b_k, to += COLUMNS * sizeof(T)) {
    V first = NAME(load)(b), second = NAME(load)(b + 16), third = NAME(load)(b + 32), fourth = NAME(load)(b + 48);
    NAME(store)(to, first);
    NAME(store)(to + 16, second);
    NAME(store)(to + (address)strip_size, third);
    NAME(store)(to + (address)strip_size + 16, fourth);
  }
}

/* `rows` rows of A, each along k, `to_step` bytes apart. */
NEVER_INLINE void NAME(pack_rows)(address to, step to_step, address a, step a_m, step a_k, int k, int rows) {
  if (a_k == SIZE) {
    for (int r = 0; r < rows; r++) {
      address from = at(a, r, a_m), row = at(to, r, to_step);
      int p = 0;
      for (; p + LANES <= k; p += LANES, from += 16, row += 16) NAME(store)(row, NAME(load)(from));
      for (; p < k; p++, from += sizeof(T), row += sizeof(T)) NAME(put)(row, NAME(get)(from));
    }
    return;
  }
  int r = 0;
  if (a_m == SIZE)
    for (; r + LANES <= rows; r += LANES) {
      address from = at(a, r, a_m), row = at(to, r, to_step);
      int p = 0;
      for (; p + LANES <= k; p += LANES, row += 16) NAME(turn)(at(from, p, a_k), a_k, row, to_step);
      for (; p < k; p++, row += sizeof(T))
        for (int q = 0; q < LANES; q++) NAME(put)(at(row, q, to_step), NAME(get)(at(from, p, a_k) + q * sizeof(T)));
    }
  for (; r < rows; r++) {
    address from = at(a, r, a_m), row = at(to, r, to_step);
    for (int p = 0; p < k; p++) NAME(put)(row + p * sizeof(T), NAME(get)(at(from, p, a_k)));
  }
}
