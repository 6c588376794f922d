#pragma once
/// The budget for writing one certificate: counted steps, not seconds, so that every machine writes the same certificates.

#include <functional>

#include <rattleback/proof/check/data.hpp>

namespace rattleback {

/// Runs f under the budget of a certificate; null when it is exhausted.
Data certificate_within_budget(const std::function<Data()>& certificate);

}  // namespace rattleback
