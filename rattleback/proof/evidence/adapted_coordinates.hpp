#pragma once
/// Coordinates whose axes are the system's own: along its translations and across them, so that a search among functions of single
/// coordinates finds in rotated or sheared coordinates what it finds in others.

#include <optional>
#include <string>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

struct AdaptedCoordinates {
  System system;      ///< q = B y, and y has the names of q
  SymbolMap old;      ///< what each y is of the coordinates of the model
  std::string words;  ///< "X stands for 3*X/5 + 4*Y/5, Y for …"
};

/// The coordinates on lines, when the metric among them is constant and W, the constant fields that are symmetries, is neither nothing nor
/// everything: axes in W, then axes across W, each orthogonal to those before it.                             (N.20)
/// Nothing where the axes of the model are such axes already.
std::optional<AdaptedCoordinates> in_adapted_coordinates(const System& system);

/// The answer about that system as one about the model: its domain in the coordinates of the model, with a line on what the letters mean.
Answer in_own_coordinates(Answer a, const AdaptedCoordinates& adapted);

}  // namespace rattleback
