#include <rattleback/proof/certificate.hpp>

#include <algorithm>

#include <rattleback/algebra/display_order.hpp>

namespace rattleback {
namespace {

/// Beyond this a certificate is not worth its paper.
constexpr std::size_t longest = 20'000;

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

Data texts(std::span<const Expr> es) {
  Data::List list;
  for (const Expr e : es) list.emplace_back(e);
  return list;
}

Data names(std::span<const Symbol> symbols) {
  Data::List list;
  for (const Symbol s : symbols) list.emplace_back(s.name());
  return list;
}

}  // namespace

Data certified_system(const System& system, const EquationsOfMotion& motion, std::span<const Expr> also) {
  const Space& space = system.space;
  std::vector<Expr> velocities, all(also.begin(), also.end());
  for (const Symbol v : space.velocities())
    velocities.push_back(motion.velocities.contains(v) ? motion.velocities.at(v) : Expr(v));
  std::vector<Expr> constraints;
  for (const Constraint& c : system.constraints) constraints.push_back(c.expression);

  Data d;
  Data::List frame, structure;
  for (int i = 0; i < space.dimension(); ++i) {
    std::vector<Expr> images;
    for (const Symbol q : space.functions()) {
      const auto found = space.leg(i).find(q);
      images.push_back(found == space.leg(i).end() ? Expr(0) : found->second);
    }
    frame.push_back(texts(images));
    all.insert(all.end(), images.begin(), images.end());
    for (int j = 0; j < space.dimension(); ++j) {
      for (int k = 0; k < space.dimension(); ++k) {
        if (space.c()(i, j, k).is_zero()) continue;
        all.push_back(space.c()(i, j, k));
        structure.push_back(Data::List{i, j, k, space.c()(i, j, k)});
      }
    }
  }
  std::vector<Expr> forces = system.forces;
  forces.resize(static_cast<std::size_t>(space.dimension()), Expr(0));
  all.push_back(system.lagrangian);
  for (const auto& list : {velocities, constraints, forces, motion.configuration_rates, motion.speed_rates})
    all.insert(all.end(), list.begin(), list.end());
  std::size_t size = 0;
  for (const Expr e : all) size += written_size(e);
  if (size > longest) return {};

  std::vector<Symbol> symbols = symbols_of(all);
  const auto add = [&](std::span<const Symbol> more) {
    for (const Symbol s : more) {
      if (std::find(symbols.begin(), symbols.end(), s) == symbols.end()) symbols.push_back(s);
    }
  };
  add(space.functions());
  add(space.velocities());
  add(motion.speeds);
  Data::List declared;
  for (const Symbol s : symbols) declared.push_back(symbol_data(s));
  d["symbols"] = declared;
  d["functions"] = names(space.functions());
  d["velocities"] = names(space.velocities());
  d["frame"] = frame;
  d["structure"] = structure;
  d["lagrangian"] = system.lagrangian;
  d["forces"] = texts(forces);
  d["constraints"] = texts(constraints);
  d["speeds"] = names(motion.speeds);
  d["admissible"] = texts(velocities);
  d["speed_rates"] = texts(motion.speed_rates);
  return d;
}

namespace {

Data certificate(const System& system, const EquationsOfMotion& motion, const char* kind, const char* key,
                 Expr e) {
  Data d = certified_system(system, motion, std::span(&e, 1));
  if (d.is_null()) return d;
  d["certificate"] = kind;
  d[key] = e;
  return d;
}

/// The same for several formulas.
Data certificate(const System& system, const EquationsOfMotion& motion, const char* kind, const char* key,
                 const std::vector<Expr>& es) {
  Data d = certified_system(system, motion, es);
  if (d.is_null()) return d;
  d["certificate"] = kind;
  d[key] = texts(es);
  return d;
}

}  // namespace

Data conservation_certificate(const System& system, const EquationsOfMotion& motion, Expr function) {
  return certificate(system, motion, "conserved", "function", function);
}

Data conservation_certificate(const System& system, const EquationsOfMotion& motion,
                              const std::vector<Expr>& constants) {
  return certificate(system, motion, "conserved", "constants", constants);
}

Data measure_certificate(const System& system, const EquationsOfMotion& motion, Expr density) {
  return certificate(system, motion, "invariant-measure", "density", density);
}

Data hamiltonian_certificate(const System& system, const EquationsOfMotion& motion, const char* kind,
                             const HamiltonianClaim& claim) {
  std::vector<Expr> all{claim.f};
  for (const auto* list : {&claim.theta, &claim.momenta, &claim.rates})
    all.insert(all.end(), list->begin(), list->end());
  for (const Matrix& S : claim.twist) all.insert(all.end(), S.entries().begin(), S.entries().end());
  Data d = certified_system(system, motion, all);
  if (d.is_null()) return d;
  d["certificate"] = kind;
  d["multiplier"] = claim.f;
  d["form"] = texts(claim.theta);
  if (!claim.momenta.empty()) {
    d["momenta"] = texts(claim.momenta);
    d["rates"] = texts(claim.rates);
  }
  if (claim.twist.empty()) return d;
  Data::List twist;
  for (const Matrix& S : claim.twist) {
    Data::List entries;
    for (int i = 0; i < S.rows(); ++i) {
      for (int j = i + 1; j < S.rows(); ++j) {
        if (!S(i, j).is_zero()) entries.push_back(Data::List{i, j, S(i, j)});
      }
    }
    twist.emplace_back(entries);
  }
  d["twist"] = twist;
  return d;
}

Data lie_poisson_certificate(const System& system, const EquationsOfMotion& motion,
                             const std::vector<Expr>& momenta, const std::vector<Expr>& rates,
                             const StructureCoefficients& S) {
  std::vector<Expr> all = momenta;
  all.insert(all.end(), rates.begin(), rates.end());
  Data::List brackets;
  for (int a = 0; a < S.dimension(); ++a) {
    for (int b = 0; b < S.dimension(); ++b) {
      for (int c = 0; c < S.dimension(); ++c) {
        if (S(a, b, c).is_zero()) continue;
        all.push_back(S(a, b, c));
        brackets.push_back(Data::List{a, b, c, S(a, b, c)});
      }
    }
  }
  Data d = certified_system(system, motion, all);
  if (d.is_null()) return d;
  d["certificate"] = "suslov-hamiltonization";
  d["momenta"] = texts(momenta);
  d["rates"] = texts(rates);
  d["brackets"] = brackets;
  return d;
}

Data lagrangian_certificate(const System& system, const EquationsOfMotion& motion, Expr lagrangian) {
  return certificate(system, motion, "inverse-problem", "unconstrained", lagrangian);
}

Data variational_certificate(const System& system, const EquationsOfMotion& motion,
                             const std::vector<Expr>& mu) {
  return certificate(system, motion, "conditionally-variational", "multipliers", mu);
}

}  // namespace rattleback
