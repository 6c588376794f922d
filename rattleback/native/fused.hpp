#pragma once
/// Contraction of products and sums to fused multiply-add instructions.

#include <rattleback/native/code.hpp>

namespace rattleback {

/// The same outputs, with a product that one sum alone uses made by that sum: a b + c, a b − c, c − a b, rounded once on processors
/// that can. A difference of two products stays as it is, so that a b − c d is zero where the products are equal. Fusing fused
/// code changes nothing.
Code fused(Code code);

}  // namespace rattleback
