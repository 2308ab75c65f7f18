/* The inner loops of NumPy's generalised ufuncs: `sizes` are the number of products, then the core sizes in the order
 * of the signature; `steps` are the strides from product to product, then the core strides, operand by operand. */
#define DOOR(name) EXPORTED(name)
#define EXPORTED(name) \
  __attribute__((export_name(#name))) void name(char **operands, const int32_t *sizes, const int32_t *steps, void *data)
#define EACH                                                                                     \
  address a = (address)operands[0], b = (address)operands[1], c = (address)operands[2];          \
  for (int left = sizes[0]; left > 0;                                                            \
       left--, a += (address)steps[0], b += (address)steps[1], c += (address)steps[2])
/* Stacks of very small matrices are common: asked once, not for each of them. */
#define EACH_PRODUCT(m, k, n, ...)                   \
  if (NAME(is_tiny)(m, k, n)) {                      \
    EACH NAME(tiny)(a, b, c, m, k, n, __VA_ARGS__);  \
  } else {                                           \
    EACH NAME(product)(a, b, c, m, k, n, __VA_ARGS__); \
  }

/* (m, k), (k, n) -> (m, n) */
DOOR(NAME(matmul)) {
  const int m = sizes[1], k = sizes[2], n = sizes[3];
  /* A stack that lies as one tall matrix, times one B: one product, so that B is prepared once. */
  if (sizes[0] > 1 && steps[1] == 0 && m > 0 && sizes[0] <= INT32_MAX / m &&
      (address)steps[0] == (address)m * (address)steps[3] && (address)steps[2] == (address)m * (address)steps[7]) {
    NAME(product)((address)operands[0], (address)operands[1], (address)operands[2], sizes[0] * m, k, n, steps[3], steps[4],
                  steps[5], steps[6], steps[7], steps[8]);
    return;
  }
  EACH_PRODUCT(m, k, n, steps[3], steps[4], steps[5], steps[6], steps[7], steps[8])
}

/* (m, k), (k) -> (m) */
DOOR(NAME(matvec)) {
  EACH_PRODUCT(sizes[1], sizes[2], 1, steps[3], steps[4], steps[5], 0, steps[6], 0)
}

/* (k), (k, n) -> (n) */
DOOR(NAME(vecmat)) {
  EACH_PRODUCT(1, sizes[1], sizes[2], 0, steps[3], steps[4], steps[5], 0, steps[6])
}

/* (k), (k) -> () */
DOOR(NAME(vecdot)) {
  if (sizes[1] >= 4 * LANES && steps[3] == SIZE && steps[4] == SIZE && sizes[1] <= LINE) {
    EACH NAME(dots)(1, 1, 4, a, 0, b, 0, sizes[1], c, 0, 0, 0);
    return;
  }
  EACH_PRODUCT(1, sizes[1], 1, 0, steps[3], steps[4], 0, 0, 0)
}
#undef EACH
#undef EACH_PRODUCT
