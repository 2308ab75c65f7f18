/* What reading memory comes to at most in wasm with one thread; the result is returned so that nothing is left out.
 * What multiply-adds come to is seeformer.fast's own loop, src/limit.h. */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define UNROLL _Pragma("clang loop unroll(full)")

/* Reads `bytes` (a multiple of 256) at `from`, once, in so many streams, 256 bytes a round. One stream alone comes to 40
 * GB/s out of any cache (a load and its address a clock); four of them to what the caches give. */
#define READ(name, STREAMS)                                                                            \
  double EXPORT(name)(const char *from, int bytes) {                                                   \
    enum { EACH = 16 / STREAMS };                                                                      \
    v128_t sum[8];                                                                                     \
    UNROLL for (int i = 0; i < 8; i++) sum[i] = wasm_i32x4_splat(0);                                   \
    for (int place = 0, part = bytes / STREAMS; place < part; place += 16 * EACH)                      \
      UNROLL for (int stream = 0; stream < STREAMS; stream++) UNROLL for (int i = 0; i < EACH; i++) {  \
        v128_t *one = &sum[(stream * EACH + i) % 8];                                                   \
        *one = wasm_v128_xor(*one, wasm_v128_load(from + stream * part + place + 16 * i));             \
      }                                                                                                \
    UNROLL for (int i = 1; i < 8; i++) sum[0] = wasm_v128_xor(sum[0], sum[i]);                         \
    return wasm_i32x4_extract_lane(sum[0], 0);                                                         \
  }
READ(read_1, 1)
READ(read_2, 2)
READ(read_4, 4)
