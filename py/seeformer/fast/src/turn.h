/* A square of LANES x LANES numbers, transposed on its way: rows `from_step` apart become columns. */
#ifdef DOUBLE
INLINE void NAME(turn)(address from, step from_step, address to, step to_step) {
  V x = NAME(load)(from), y = NAME(load)(at(from, 1, from_step));
  NAME(store)(to, __builtin_shufflevector(x, y, 0, 2));
  NAME(store)(at(to, 1, to_step), __builtin_shufflevector(x, y, 1, 3));
}
#else
INLINE void NAME(turn)(address from, step from_step, address to, step to_step) {
  V x = NAME(load)(from), y = NAME(load)(at(from, 1, from_step));
  V z = NAME(load)(at(from, 2, from_step)), w = NAME(load)(at(from, 3, from_step));
  V xy_low = __builtin_shufflevector(x, y, 0, 4, 1, 5), xy_high = __builtin_shufflevector(x, y, 2, 6, 3, 7);
  V zw_low = __builtin_shufflevector(z, w, 0, 4, 1, 5), zw_high = __builtin_shufflevector(z, w, 2, 6, 3, 7);
  NAME(store)(to, __builtin_shufflevector(xy_low, zw_low, 0, 1, 4, 5));
  NAME(store)(at(to, 1, to_step), __builtin_shufflevector(xy_low, zw_low, 2, 3, 6, 7));
  NAME(store)(at(to, 2, to_step), __builtin_shufflevector(xy_high, zw_high, 0, 1, 4, 5));
  NAME(store)(at(to, 3, to_step), __builtin_shufflevector(xy_high, zw_high, 2, 3, 6, 7));
}
#endif
