#pragma once
/// Units of measurement: dimensions in kilogram, metre, second, ampere and kelvin, and quantities such as "9.81 m/s^2".
///
/// Values are kept in these base units, exact: "30 cm" is 3/10, "90 deg" is pi/2. Angles have no dimension.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

struct PhysicalDimension {
  std::array<Rational, 5> powers;  ///< of kg, m, s, A, K
  bool operator==(const PhysicalDimension&) const = default;
  bool is_none() const;
};
PhysicalDimension operator*(const PhysicalDimension& a, const PhysicalDimension& b);
PhysicalDimension operator/(const PhysicalDimension& a, const PhysicalDimension& b);
PhysicalDimension power(const PhysicalDimension& a, const Rational& exponent);

/// "kg*m^2/s^2", or the name N, J, W or Pa; "1" for a number.
std::string text(const PhysicalDimension& dimension);

/// A unit by its name or as a product of powers, "N*m/rad": how many base units, and of which dimension. Nothing for other words.
struct Unit {
  Expr factor;
  PhysicalDimension dimension;
};
std::optional<Unit> unit_named(std::string_view text);

/// "2.5 kg" or "-3/2 m/s": the value in base units. Nothing for texts of another form.
std::optional<Unit> quantity_in(std::string_view text);

/// Does the model give a unit anywhere, besides degrees?
bool gives_units(const Toml& root);

/// The dimension of an expression in the variables of a model that gives units; nothing when it cannot be known.
std::optional<PhysicalDimension> dimension_of(const System& system, Expr e);
/// What a column of this quantity is measured in; empty where the model gives no units or nothing is known.
std::string unit_of(const System& system, Expr e);
/// The same of a coordinate, velocity, speed or parameter by its name.
std::string unit_of(const System& system, const std::string& name);

}  // namespace rattleback
