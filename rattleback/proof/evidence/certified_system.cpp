#include <rattleback/proof/evidence/certified_system.hpp>
#include <rattleback/proof/evidence/stated_system.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/signs/ball.hpp>
#include <rattleback/model/system/positions.hpp>

namespace rattleback {
namespace {

/// Beyond this a certificate is not worth its paper.
constexpr std::size_t longest = search_limits::certified_formulas.count;

Data symbol_data(Symbol s) {
  Data d;
  d["name"] = s.name();
  d["role"] = static_cast<int>(s.role());
  if (s.is_positive()) d["positive"] = true;
  if (!s.attributes().family.empty()) {
    d["family"] = s.attributes().family;
    d["entry"] = s.attributes().entry;
  }
  return d;
}

Data names(std::span<const Symbol> symbols) {
  Data::List list;
  for (const Symbol s : symbols) list.emplace_back(s.name());
  return list;
}

/// v = ψ(q, z), and ż where a motion is stated.
struct StatedMotion {
  std::vector<Symbol> speeds;
  std::vector<Expr> velocities, speed_rates;
};

std::vector<Expr> velocities_by(const Space& space, const SymbolMap& psi) {
  std::vector<Expr> all;
  for (const Symbol v : space.velocities()) all.push_back(psi.contains(v) ? psi.at(v) : Expr(v));
  return all;
}

std::vector<Expr> all_forces(const System& system) {
  std::vector<Expr> forces = system.forces;
  forces.resize(static_cast<std::size_t>(system.space.dimension()), Expr(0));
  return forces;
}

/// X_i f for every function f.
std::vector<Expr> images(const Space& space, int i) {
  std::vector<Expr> all;
  for (const Symbol q : space.functions()) {
    const auto found = space.leg(i).find(q);
    all.push_back(found == space.leg(i).end() ? Expr(0) : found->second);
  }
  return all;
}

std::vector<Expr> constraints_of(const System& system) {
  std::vector<Expr> all;
  for (const Constraint& c : system.constraints) all.push_back(c.expression);
  return all;
}

/// Every formula that is written down.
std::vector<Expr> formulas_of(const System& system, const StatedMotion& stated, std::span<const Expr> also) {
  const Space& space = system.space;
  std::vector<Expr> all(also.begin(), also.end());
  const auto add = [&](const std::vector<Expr>& more) { all.insert(all.end(), more.begin(), more.end()); };
  for (int i = 0; i < space.dimension(); ++i) {
    add(images(space, i));
    for (int j = 0; j < space.dimension(); ++j) {
      for (int k = 0; k < space.dimension(); ++k) {
        if (!space.c()(i, j, k).is_zero()) all.push_back(space.c()(i, j, k));
      }
    }
  }
  all.push_back(system.lagrangian);
  for (const auto& list : {stated.velocities, constraints_of(system), position_relations(system),
                           all_forces(system), stated.speed_rates})
    add(list);
  return all;
}

std::vector<Symbol> symbols_stated(const System& system, const StatedMotion& stated,
                                   std::span<const Expr> all) {
  std::vector<Symbol> symbols = symbols_of(all);
  const auto add = [&](std::span<const Symbol> more) {
    for (const Symbol s : more) {
      if (std::find(symbols.begin(), symbols.end(), s) == symbols.end()) symbols.push_back(s);
    }
  };
  add(system.space.functions());
  add(system.space.velocities());
  add(stated.speeds);
  return symbols;
}

/// What the model says: no claim about its motion.
Data without_motion(const System& system, std::span<const Symbol> symbols) {
  const Space& space = system.space;
  Data d;
  Data::List declared, frame, structure;
  for (const Symbol s : symbols) declared.push_back(symbol_data(s));
  for (int i = 0; i < space.dimension(); ++i) {
    frame.push_back(texts(images(space, i)));
    for (int j = 0; j < space.dimension(); ++j) {
      for (int k = 0; k < space.dimension(); ++k) {
        if (!space.c()(i, j, k).is_zero()) structure.push_back(Data::List{i, j, k, space.c()(i, j, k)});
      }
    }
  }
  d["symbols"] = declared;
  d["functions"] = names(space.functions());
  d["velocities"] = names(space.velocities());
  d["frame"] = frame;
  d["structure"] = structure;
  d["lagrangian"] = system.lagrangian;
  d["forces"] = texts(all_forces(system));
  d["constraints"] = texts(constraints_of(system));
  if (const std::vector<Expr> positions = position_relations(system); !positions.empty())
    d["positions"] = texts(positions);
  return d;
}

Data certified(const System& system, const StatedMotion& stated, std::span<const Expr> also) {
  const std::vector<Expr> all = formulas_of(system, stated, also);
  std::size_t size = 0;
  for (const Expr e : all) size += written_size(e);
  if (size > longest) return {};
  Data d = without_motion(system, symbols_stated(system, stated, all));
  d["speeds"] = names(stated.speeds);
  d["admissible"] = texts(stated.velocities);
  return d;
}

StatedMotion stated_by(const System& system, const EquationsOfMotion& motion) {
  return {motion.speeds, velocities_by(system.space, motion.velocities), motion.speed_rates};
}

}  // namespace

Data stated_system(const System& system) {
  std::vector<Symbol> symbols = symbols_stated(system, {}, formulas_of(system, {}, {}));
  for (const Parameter& p : system.parameters) {
    if (std::find(symbols.begin(), symbols.end(), p.symbol) == symbols.end()) symbols.push_back(p.symbol);
  }
  return without_motion(system, symbols);
}

Data circles_of(const Space& space) {
  Data::List names;
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::angle) continue;
      for (const Symbol q : piece.functions) names.emplace_back(q.name());
    }
  }
  return names;
}

Data texts(std::span<const Expr> es) {
  Data::List list;
  for (const Expr e : es) list.emplace_back(e);
  return list;
}

Data certified_system(const System& system, const EquationsOfMotion& motion, std::span<const Expr> also) {
  const StatedMotion stated = stated_by(system, motion);
  Data d = certified(system, stated, also);
  if (!d.is_null()) d["speed_rates"] = texts(stated.speed_rates);
  return d;
}

Data certified_constraints(const System& system, const std::vector<Symbol>& speeds, const SymbolMap& psi,
                           std::span<const Expr> also) {
  return certified(system, {speeds, velocities_by(system.space, psi), {}}, also);
}

Data state_where_it_differs_from_zero(const System& system, const EquationsOfMotion& motion, Expr e) {
  constexpr std::uint64_t draws = search_limits::state_of_a_refutation.count;
  constexpr long bits = 256;
  if (!system.functions.empty()) return {};            // abstract ones have no value
  if (!position_relations(system).empty()) return {};  // some coordinates are irrational there
  const StatedMotion stated = stated_by(system, motion);
  const std::vector<Symbol> symbols =
      symbols_stated(system, stated, formulas_of(system, stated, std::span(&e, 1)));
  for (std::uint64_t seed = 1; seed <= draws; ++seed) {
    const BallPoint point(seed);
    const auto value = evaluate_until_nonzero(e, point, bits);
    if (!value || value->contains_zero()) continue;
    Data state;
    for (const Symbol s : symbols) {
      if (Expr(s) != pi()) state[s.name()] = Data(point.value(s));
    }
    return state;
  }
  return {};
}

Data rows_of_texts(const Matrix& m, std::vector<Expr>& noted) {
  Data::List rows;
  for (int i = 0; i < m.rows(); ++i) {
    const Matrix row = m.row(i);
    rows.emplace_back(std::vector<Expr>(row.entries().begin(), row.entries().end()));
    noted.insert(noted.end(), row.entries().begin(), row.entries().end());
  }
  return rows;
}

std::vector<Expr> velocities_along(const System& system, const EquationsOfMotion& motion) {
  std::vector<Expr> all;
  for (const Symbol v : system.space.velocities()) all.push_back(substitute(Expr(v), motion.velocities));
  return all;
}

}  // namespace rattleback
