#pragma once
/// Certificates as Coq theorems: a file that states the claim about the system and proves it, for `coqc` alone.

#include <string>

#include <rattleback/proof/check/data.hpp>

namespace rattleback {

/// The kernel (coq_kernel.v), the system as the certificate states it, the claim, its proof, and `Print Assumptions`. `model` is what the
/// file calls the system. Throws Error[no-coq-form] for kinds of claims and formulas that have none, with the reason.
std::string coq_file(const Data& certificate, const std::string& model);

/// The same without the kernel, which is required as the compiled file `kernel`.
std::string coq_theorems(const Data& certificate, const std::string& model);

/// The kernel by itself.
std::string coq_kernel();

}  // namespace rattleback
