/* What this chip can do at most in wasm with one thread: multiply-adds on registers, and reading of memory.
 * `rounds` of a loop; the result is returned so that nothing is left out. */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define UNROLL _Pragma("clang loop unroll(full)")
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));

#ifdef RELAXED
#define FLOAT(x, y, sum) __builtin_wasm_relaxed_madd_f32x4(x, y, sum)
#define DOUBLE(x, y, sum) __builtin_wasm_relaxed_madd_f64x2(x, y, sum)
#else
#define FLOAT(x, y, sum) ((sum) + (x) * (y))
#define DOUBLE(x, y, sum) ((sum) + (x) * (y))
#endif

/* Each sum waits for itself alone: CHAINS of them hide the latency. Multiplies and adds `CHAINS` registers a round. */
#define CHAIN(name, V, CHAINS, MULTIPLY_ADD)                                                  \
  double EXPORT(name)(int rounds, double start) {                                             \
    V sum[CHAINS], x = (V){0} + (__typeof__(sum[0][0]))(start), y = x + x;                    \
    UNROLL for (int i = 0; i < CHAINS; i++) sum[i] = x * (__typeof__(sum[0][0]))(i + 1);      \
    for (; rounds > 0; rounds -= 4) {                                                         \
      UNROLL for (int i = 0; i < CHAINS; i++) sum[i] = MULTIPLY_ADD(sum[i], x, y);            \
      UNROLL for (int i = 0; i < CHAINS; i++) sum[i] = MULTIPLY_ADD(sum[i], x, y);            \
      UNROLL for (int i = 0; i < CHAINS; i++) sum[i] = MULTIPLY_ADD(sum[i], x, y);            \
      UNROLL for (int i = 0; i < CHAINS; i++) sum[i] = MULTIPLY_ADD(sum[i], x, y);            \
    }                                                                                         \
    UNROLL for (int i = 1; i < CHAINS; i++) sum[0] += sum[i];                                 \
    return sum[0][0];                                                                         \
  }
CHAIN(float_8, v4f, 8, FLOAT)
CHAIN(float_10, v4f, 10, FLOAT)
CHAIN(float_12, v4f, 12, FLOAT)
CHAIN(double_8, v2d, 8, DOUBLE)
CHAIN(double_10, v2d, 10, DOUBLE)
CHAIN(double_12, v2d, 12, DOUBLE)

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
