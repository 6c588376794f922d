#pragma once
/// Equations of a chain of links as a recursion over i = 1..n, where the links repeat: the articulated-body algorithm, written out.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/view/vectors/repeated_links.hpp>

namespace rattleback {

struct ChainRecursion {
  /// Turns about one axis; turns and shifts; turns about every axis.
  enum class Kind : std::uint8_t { revolute, mixed, spherical };
  Kind kind = Kind::revolute;
  int first = 1, last = 1;  ///< i
  std::string angle;        ///< "q": of the joint's coordinate q_i; "Omega" of a spherical joint
  std::string coordinates;  ///< "q_1, q_2, ... = a, b, ...", where the coordinates are not called q1, q2, …
  Matrix gravity;           ///< acceleration of free fall
  std::vector<LinkQuantity> links;
};

/// Chains without constraints whose links repeat: all alike, or with some of their own at the root, or in turn; coordinates and parameters may
/// carry the index. At least four joints with one freedom (universal, cylindrical and planar joints count as several, one after the other), or
/// three spherical ones. Nothing for others.
std::optional<ChainRecursion> chain_recursion(const System& system);

std::string as_text(const System& system, const ChainRecursion& chain);
std::string as_latex(const System& system, const ChainRecursion& chain);

}  // namespace rattleback
