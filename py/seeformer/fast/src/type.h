/* The two number types. loops.c includes the algorithm once for each, with these names defined:
 *   T  a number        V  a register of LANES numbers        NAME(x)  x with the type's name before it */
#include <wasm_simd128.h>
#undef T
#undef V
#undef LANES
#undef NAME
#undef SPLAT_LOAD
#undef MULTIPLY_ADD
#ifdef DOUBLE
#define T double
#define V v2d
#define LANES 2
#define NAME(name) double_##name
#define SPLAT_LOAD(place) ((V)wasm_v128_load64_splat((const void *)(place)))
#else
#define T float
#define V v4f
#define LANES 4
#define NAME(name) float_##name
#define SPLAT_LOAD(place) ((V)wasm_v128_load32_splat((const void *)(place)))
#endif
#define SIZE ((step)sizeof(T))

/* One rounding where the engine has relaxed SIMD (the chip's FMA), else two. */
#if !defined(RELAXED)
#define MULTIPLY_ADD(x, y, sum) ((sum) + (x) * (y))
#elif defined(DOUBLE)
#define MULTIPLY_ADD(x, y, sum) __builtin_wasm_relaxed_madd_f64x2(x, y, sum)
#else
#define MULTIPLY_ADD(x, y, sum) __builtin_wasm_relaxed_madd_f32x4(x, y, sum)
#endif

#ifndef SEEFORMER_TYPE_H
#define SEEFORMER_TYPE_H
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef int32_t v4i __attribute__((vector_size(16)));
typedef int64_t v2l __attribute__((vector_size(16)));
#endif

typedef T NAME(loose) __attribute__((aligned(1)));
typedef V NAME(loose_register) __attribute__((aligned(1)));

INLINE T NAME(get)(address place) { return *(const NAME(loose) *)place; }
INLINE void NAME(put)(address place, T value) { *(NAME(loose) *)place = value; }
INLINE V NAME(load)(address place) { return *(const NAME(loose_register) *)place; }
INLINE void NAME(store)(address place, V value) { *(NAME(loose_register) *)place = value; }
