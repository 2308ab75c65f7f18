/* Addresses and steps.
 *
 * NumPy gives every stride in bytes, and it may be negative, zero or larger than the array. Addresses are computed
 * as unsigned numbers, which wrap around as wasm's 32-bit addresses do, so that no product of an index and a stride
 * is undefined, however large. Memory is only ever read and written through types that may lie anywhere. */
#ifndef SEEFORMER_MEMORY_H
#define SEEFORMER_MEMORY_H
#include <stdint.h>

typedef uintptr_t address;
typedef int32_t step; /* in bytes; NumPy's npy_intp in wasm32 */

#define INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE static __attribute__((noinline))

INLINE address at(address base, int index, step by) { return base + (address)index * (address)by; }
INLINE int at_most(int value, int limit) { return value < limit ? value : limit; }

#endif
