/* Loops over single numbers take CHUNK registers at a time: the sums of one hide the latency of the others. */
#define CHUNK 4

/* May a chunk be read whole before any of it is written? Not where the output lies a little ahead of the input, as in
 * ufunc.accumulate, where each number needs the one before. */
INLINE int NAME(apart)(address in, address out) { return in == out || out - in >= CHUNK * 16; }

/* All of `n` numbers through FUNCTION, which takes and gives CHUNK registers in place; fewer numbers go through a copy. */
#define UNARY_LOOP(FUNCTION)                                                              \
  address in = (address)operands[0], out = (address)operands[1];                          \
  const step in_step = steps[0], out_step = steps[1];                                     \
  const int whole = in_step == SIZE && out_step == SIZE && NAME(apart)(in, out);          \
  V part[CHUNK];                                                                          \
  for (int left = sizes[0], some; left > 0; left -= some) {                               \
    some = at_most(left, CHUNK * LANES);                                                  \
    if (whole && some == CHUNK * LANES) {                                                 \
      UNROLL for (int i = 0; i < CHUNK; i++) part[i] = NAME(load)(in + 16 * i);           \
      FUNCTION(part);                                                                     \
      UNROLL for (int i = 0; i < CHUNK; i++) NAME(store)(out + 16 * i, part[i]);          \
    } else {                                                                              \
      T copy[CHUNK * LANES] = {0};                                                        \
      for (int q = 0; q < some; q++) copy[q] = NAME(get)(at(in, q, in_step));             \
      UNROLL for (int i = 0; i < CHUNK; i++) part[i] = NAME(load)((address)copy + 16 * i); \
      FUNCTION(part);                                                                     \
      UNROLL for (int i = 0; i < CHUNK; i++) NAME(store)((address)copy + 16 * i, part[i]); \
      for (int q = 0; q < some; q++) NAME(put)(at(out, q, out_step), copy[q]);            \
    }                                                                                     \
    in = at(in, some, in_step), out = at(out, some, out_step);                            \
  }
#define EACH_PART UNROLL for (int i = 0; i < CHUNK; i++)
