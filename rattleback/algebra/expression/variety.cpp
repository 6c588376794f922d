#include <rattleback/algebra/expression/variety.hpp>

#include <algorithm>

#include <rattleback/algebra/expression/charts.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

std::shared_ptr<const Variety>& innermost() {
  thread_local std::shared_ptr<const Variety> variety;
  return variety;
}

bool is_chart_symbol(Symbol s) { return s.role() == Role::plain && !s.attributes().family.empty(); }

/// Symbols within sin and cos.
std::vector<Symbol> symbols_in_angles(std::span<const Expr> es) {
  std::vector<Expr> arguments;
  const Tape tape(es);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (!e.is(Kind::call) || e.function().is_abstract()) continue;
    switch (e.function().kind()) {
      case Builtin::sin:
      case Builtin::cos:
      case Builtin::tan:
      case Builtin::cot:
      case Builtin::sec:
      case Builtin::csc: arguments.push_back(e.args()[0]); break;
      default: break;
    }
  }
  return symbols_of(arguments);
}

}  // namespace

const std::shared_ptr<const Variety>& Variety::current() { return innermost(); }

OnVariety::OnVariety(std::shared_ptr<const Variety> variety) : outer_(std::move(innermost())) {
  innermost() = std::move(variety);
}
OnVariety::~OnVariety() { innermost() = std::move(outer_); }

Variety::Variety(std::vector<Expr> relations) : relations_(std::move(relations)), key_(0x9E3779B97F4A7C15U) {
  const InAmbientSpace ambient;
  for (const Expr e : relations_) {
    equations_.push_back(on_free_symbols(e));
    key_ = mix(key_, e.hash());
  }
  const std::vector<Symbol> angles = symbols_in_angles(equations_);
  for (const Symbol s : symbols_of(equations_)) {
    if (s.role() == Role::coordinate || is_chart_symbol(s)) {
      unknowns_.push_back(s);
      const bool is_angle = std::ranges::find(angles, s) != angles.end();
      sorts_.push_back(is_chart_symbol(s) ? Sort::chart : is_angle ? Sort::angle : Sort::line);
    } else if (s.role() != Role::constant) {
      given_.push_back(s);
    }
  }
}

std::optional<std::size_t> Variety::index_of(Symbol unknown) const {
  const auto found = std::ranges::find(unknowns_, unknown);
  if (found == unknowns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - unknowns_.begin());
}

bool Variety::is_angle(Symbol s) const {
  const auto at = index_of(s);
  return at && sorts_[*at] == Sort::angle;
}

bool Variety::concerns(Symbol s) const {
  if (index_of(s)) return true;
  if (s.role() != Role::rotation && s.role() != Role::direction) return false;
  return std::ranges::any_of(unknowns_, [&](Symbol u) {
    return is_chart_symbol(u) && u.attributes().family == s.attributes().family;
  });
}

}  // namespace rattleback
