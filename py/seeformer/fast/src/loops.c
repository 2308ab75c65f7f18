/* NumPy's inner loops for matrix products, for Pyodide, which has no BLAS, and for exp, tanh and maximum, which have no SIMD
 * there. Read on in this order:
 *   doors.h    what NumPy calls            product.h  which way a product goes
 *   blocks.h   blocks for the caches       tile.h     the sums in registers       pack.h, turn.h  copies in the tile's order
 *   thin.h     one to three rows           memory.h, type.h  addresses and the two number types
 *   chunk.h    number by number            exp.h, tanh.h, maximum.h
 *   limit.h    what the chip can do at most
 * The interpreter has one thread and these loops call nobody, so one static buffer serves all products. */
#include "memory.h"

#define BUFFER_BYTES (1 << 19)
static char packed_b[BUFFER_BYTES + 64] __attribute__((aligned(64)));
static char packed_a[12544] __attribute__((aligned(64)));

/* NumPy's own loops, kept for the way back. Here, so that a Python module that is imported anew still finds them. */
static void *own_loops[16];
__attribute__((export_name("own_loops_place"))) void **own_loops_place(void) { return own_loops; }

#include "one_type.h"
#define DOUBLE
#include "one_type.h"
