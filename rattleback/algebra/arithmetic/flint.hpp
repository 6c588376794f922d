#pragma once
/// FLINT, Arb and Calcium, included in the one order in which their headers are valid C++.
///
/// Calcium 0.4 includes gmp.h inside extern "C", so gmp.h comes first.

#include <gmp.h>

#include <rattleback/algebra/arithmetic/flint_headers.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include <flint/fmpq.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>
#include RATTLEBACK_ARB_HEADER(arb.h)
#include RATTLEBACK_CALCIUM_HEADER(fmpz_mpoly_q.h)
#pragma GCC diagnostic pop

namespace rattleback {

/// FLINT caches memory per thread. Code that computes with FLINT calls this once per computation, so that a worker thread
/// returns its cache when it ends. The main thread keeps it: expressions live until the end of the process.
void return_flint_memory_at_thread_end();

}  // namespace rattleback
