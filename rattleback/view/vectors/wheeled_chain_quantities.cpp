#include <rattleback/view/vectors/wheeled_chain_quantities.hpp>

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

class QuantityWriter {
 public:
  QuantityWriter(const System& system, const WheelAxles& geometry, WheeledChain& chain)
      : system_(system), geometry_(geometry), chain_(chain) {}

  void write() {
    chain_.first = first_number();
    std::vector<std::string> headings;
    for (const WheeledLink& link : chain_.links) headings.push_back(text(link.heading));
    chain_.headings = listed_by_index("theta", chain_.first, headings);
    using Member = Expr WheeledLink::*;
    const std::pair<const char*, Member> columns[] = {
        {"b", &WheeledLink::b},        {"d", &WheeledLink::d},           {"m", &WheeledLink::mass},
        {"h", &WheeledLink::moment},   {"K", &WheeledLink::inertia},     {"F", &WheeledLink::force},
        {"tau", &WheeledLink::torque}, {"u", &WheeledLink::joint_torque}};
    for (const auto& [name, member] : columns) {
      const bool of_joints =
          member == &WheeledLink::b || member == &WheeledLink::d || member == &WheeledLink::joint_torque;
      std::vector<std::string> values, alone;
      bool vanishes = true;
      for (std::size_t k = of_joints ? 1 : 0; k < count(); ++k) {
        const Expr value = chain_.links[k].*member;
        vanishes = vanishes && value.is_zero();
        values.push_back(IndexedFormulas(chain_.first + static_cast<int>(k), own_names(k))(value));
        alone.push_back(text(short_form(value)));
      }
      if (vanishes && member != &WheeledLink::mass && member != &WheeledLink::inertia) continue;
      const int first = chain_.first + (of_joints ? 1 : 0);
      LinkQuantity quantity{name, grouped_by_index(name, values, first, 2, alone)};
      if (quantity.values.empty())
        for (std::size_t k = 0; k < values.size(); ++k)
          quantity.values.emplace_back(fmt::format("{}_{}", name, first + static_cast<int>(k)), alone[k]);
      chain_.quantities.push_back(std::move(quantity));
    }
    choose_letters();
    write_wheels();
  }

 private:
  std::size_t count() const { return geometry_.axles.size(); }

  /// The angle of link k, or between it and the one before.
  std::optional<int> own_angle(std::size_t k) const {
    for (std::size_t j = 0; j < count(); ++j) {
      const std::vector<Expr> parts = shares(geometry_, j);
      const auto different = std::ranges::count_if(parts, [](Expr e) { return !e.is_zero(); });
      const bool between = k > 0 && different == 2 && !parts[k].is_zero() && !parts[k - 1].is_zero();
      if (between || (different == 1 && !parts[k].is_zero())) return geometry_.angles[j];
    }
    return std::nullopt;
  }

  /// q_i and q_i' where that angle carries the number of the link.
  SymbolMap own_names(std::size_t k) const {
    SymbolMap names;
    const auto leg = own_angle(k);
    if (!leg) return names;
    const Symbol q = *system_.space.coordinate(*leg);
    const auto parts = numbered_name(q.name());
    if (!parts || parts->number != chain_.first + static_cast<int>(k)) return names;
    put_name(names, q, parts->base + "_i");
    put_name(names, system_.space.velocities()[static_cast<std::size_t>(*leg)], parts->base + "_i'");
    for (const WheelOfLink& wheel : chain_.wheels)
      if (const auto own = numbered_name(wheel.angle.name());
          own && wheel.link == k && own->number == chain_.first + static_cast<int>(k))
        put_name(names, wheel.velocity.symbol(), own->base + "_i'");
    return names;
  }

  /// Wheels that carry the number of their link have one line; others a line each.
  void write_wheels() {
    std::vector<std::string> bases;
    for (const WheelOfLink& wheel : chain_.wheels) {
      const auto parts = numbered_name(wheel.angle.name());
      if (parts && parts->number == chain_.first + static_cast<int>(wheel.link) &&
          std::ranges::find(bases, parts->base) == bases.end())
        bases.push_back(parts->base);
    }
    const auto letter = [&](const char* own) {
      const auto other = chain_.letters.find(own);
      return other == chain_.letters.end() ? std::string(own) : other->second;
    };
    const auto rate = [&](const WheelOfLink& wheel, const std::string& index) {
      return wheel.along * symbol(letter("v") + "_" + index) + wheel.turn * symbol(letter("w") + "_" + index);
    };
    std::vector<bool> written(chain_.wheels.size(), false);
    for (const std::string& base : bases) {
      std::vector<std::string> formulas;
      std::vector<std::size_t> own;
      for (std::size_t k = 0; k < count(); ++k)
        for (std::size_t i = 0; i < chain_.wheels.size(); ++i) {
          const WheelOfLink& wheel = chain_.wheels[i];
          const int number = chain_.first + static_cast<int>(k);
          if (wheel.link != k || wheel.angle.name() != base + std::to_string(number)) continue;
          own.push_back(i);
          formulas.push_back(IndexedFormulas(number, {})(rate(wheel, "i")));
        }
      if (own.size() != count() ||
          std::ranges::adjacent_find(formulas, std::not_equal_to{}) != formulas.end())
        continue;
      for (const std::size_t i : own) written[i] = true;
      chain_.wheel_lines.emplace_back(base + "_i'", formulas.front());
    }
    for (std::size_t i = 0; i < chain_.wheels.size(); ++i) {
      const WheelOfLink& wheel = chain_.wheels[i];
      if (!written[i])
        chain_.wheel_lines.emplace_back(
            wheel.angle.name() + "'",
            text(rate(wheel, std::to_string(chain_.first + static_cast<int>(wheel.link)))));
    }
  }

  /// Links are numbered as their angles are: t0 of the first one, or q2 of the second.
  int first_number() const {
    for (std::size_t k = 0; k < 2; ++k) {
      const auto leg = own_angle(k);
      const auto parts = leg ? numbered_name(system_.space.coordinate(*leg)->name()) : std::nullopt;
      if (parts && parts->number >= static_cast<int>(k)) return parts->number - static_cast<int>(k);
    }
    return 0;
  }

  /// "b_i = c_i" with the model's c_1, c_2, ... and the recursion's own c_i would be about two things.
  void choose_letters() {
    const std::vector<std::string> used{"phi", "T", "z", "c", "p", "N",   "v", "w", "b",
                                        "d",   "m", "h", "K", "F", "tau", "u", "n"};
    std::string values;
    for (const LinkQuantity& quantity : chain_.quantities)
      for (const auto& [left, right] : quantity.values)
        if (left != right) values += " " + right;
    for (const WheelOfLink& wheel : chain_.wheels)
      if (const auto parts = numbered_name(wheel.angle.name())) values += " " + parts->base + "_i";
    const auto occurs = [&](const std::string& letter) { return occurs_indexed(values, letter); };
    for (const std::string& letter : used) {
      const auto own = std::ranges::find(chain_.quantities, letter, &LinkQuantity::name);
      const bool same = own != chain_.quantities.end() &&
                        std::ranges::all_of(own->values, [](const auto& v) { return v.first == v.second; });
      if (same || !occurs(letter)) continue;
      std::string other = letter;
      other[0] = static_cast<char>(other[0] ^ ('a' ^ 'A'));
      while (occurs(other) || std::ranges::find(used, other) != used.end()) other += letter;
      chain_.letters.emplace(letter, other);
    }
  }

  const System& system_;
  const WheelAxles& geometry_;
  WheeledChain& chain_;
};

}  // namespace

void write_quantities(const System& system, const WheelAxles& geometry, WheeledChain& chain) {
  QuantityWriter(system, geometry, chain).write();
}

}  // namespace rattleback
