#include <rattleback/proof/momenta/integral_ansatz.hpp>

#include <algorithm>
#include <unordered_set>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/evidence/factors.hpp>

namespace rattleback {
namespace {

constexpr std::size_t affordable = search_limits::integral_ansatz.count;

/// The functions of one coordinate that occur, beside 1 and the coordinate itself.
struct Occurring {
  bool circular = false, hyperbolic = false, exponential = false;
};

Occurring occurring(Symbol q, const Tape& tape) {
  Occurring found;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (!e.is(Kind::call) || !contains(e.args()[0], q)) continue;
    switch (e.function().kind()) {
      case Builtin::sin:
      case Builtin::cos:
      case Builtin::tan: found.circular = true; break;
      case Builtin::sinh:
      case Builtin::cosh:
      case Builtin::tanh: found.hyperbolic = true; break;
      case Builtin::exp: found.exponential = true; break;
      default: break;
    }
  }
  return found;
}

bool is_sine(Expr e) { return is_call_of(e, Builtin::sin) || is_call_of(e, Builtin::sinh); }

/// Products of at most two; sin² and sinh² follow from cos² and cosh².
std::vector<Expr> products(const std::vector<Expr>& simple) {
  std::vector<Expr> all;
  for (std::size_t i = 0; i < simple.size(); ++i) {
    for (std::size_t j = i; j < simple.size(); ++j) {
      if (i != j || !is_sine(simple[i])) all.push_back(simple[i] * simple[j]);
    }
  }
  return all;
}

std::vector<Expr> tensor(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  std::vector<Expr> all;
  for (const Expr x : a) {
    for (const Expr y : b) all.push_back(x * y);
  }
  return all;
}

class Ansatz {
 public:
  Ansatz(const System& system, const EquationsOfMotion& motion)
      : system_(system), motion_(motion), tape_(all_rates(motion)) {}

  /// In the order in which they are worth their work.
  std::vector<AnsatzBlock> blocks() {
    std::vector<Expr> z{Expr(1)};
    z.insert(z.end(), motion_.speeds.begin(), motion_.speeds.end());
    const std::vector<Expr> powers = products(z);
    const std::vector<Expr> simple = simple_functions(), twice = products(simple);
    if (twice.size() * powers.size() <= affordable) {
      add({twice, powers});
    } else {
      if (twice.size() * z.size() <= affordable) add({twice, z});
      if (simple.size() * powers.size() + list_.size() <= affordable) add({simple, powers});
    }
    const Vocabulary own = vocabulary();
    const AnsatzBlock words{products(own.functions), products(own.speeds)};
    if (own.speeds.size() > 1 &&
        words.functions.size() * words.powers.size() + list_.size() <= affordable + affordable / 3)
      add(words);
    const std::vector<Expr> deep = deep_coefficients();
    if (list_.empty() || deep.size() * powers.size() + list_.size() <= affordable + affordable / 3)
      add({deep, powers});
    return blocks_;
  }

  std::vector<Expr> result() {
    blocks();
    std::vector<std::pair<std::size_t, Expr>> by_size;
    for (const Expr e : list_) by_size.emplace_back(written_size(e), e);
    std::ranges::stable_sort(by_size, {}, [](const auto& sized) { return sized.first; });
    std::ranges::transform(by_size, list_.begin(), [](const auto& sized) { return sized.second; });
    return std::move(list_);
  }

 private:
  static std::vector<Expr> all_rates(const EquationsOfMotion& motion) {
    std::vector<Expr> all = motion.speed_rates;
    all.insert(all.end(), motion.configuration_rates.begin(), motion.configuration_rates.end());
    return all;
  }

  bool is_angle(const Piece& piece) const { return piece.carrier == Carrier::angle; }

  /// 1, and what stands for each coordinate.
  std::vector<Expr> simple_functions() const {
    std::vector<Expr> f{Expr(1)};
    for (const Factor& factor : system_.space.factors()) {
      for (const Piece& piece : factor.pieces) {
        for (const Symbol q : piece.functions) {
          const Occurring found = occurring(q, tape_);
          if (!is_angle(piece)) f.emplace_back(q);
          if (is_angle(piece) || found.circular) {
            f.push_back(cos(Expr(q)));
            f.push_back(sin(Expr(q)));
          }
          if (found.hyperbolic) {
            f.push_back(cosh(Expr(q)));
            f.push_back(sinh(Expr(q)));
          }
          if (found.exponential) f.push_back(exp(Expr(q)));
        }
      }
    }
    return f;
  }

  /// 1 and the model's own definitions: functions of the configuration, and linear functions of the velocities.
  struct Vocabulary {
    std::vector<Expr> functions{Expr(1)}, speeds{Expr(1)};
  };
  Vocabulary vocabulary() const {
    Vocabulary own;
    const auto v = system_.space.velocities();
    const auto moves = [&](Expr e) {
      return std::any_of(v.begin(), v.end(), [&](Symbol s) { return contains(e, s); });
    };
    for (const Definition& d : system_.definitions) {
      const Expr* scalar = std::get_if<Expr>(&d.value);
      const auto* matrix = std::get_if<Matrix>(&d.value);
      std::vector<Expr> entries;
      if (scalar != nullptr) entries.push_back(*scalar);
      if (matrix != nullptr && matrix->entries().size() == 3)
        entries.assign(matrix->entries().begin(), matrix->entries().end());
      for (const Expr entry : entries) {
        const Expr e = on_frame(system_, entry);
        if (!moves(e)) {
          if (!is_constant(e) && own.functions.size() < 7) own.functions.push_back(e);
          continue;
        }
        const std::vector<Expr> slopes = gradient(e, v);
        if (std::none_of(slopes.begin(), slopes.end(), moves) && own.speeds.size() < 7)
          own.speeds.push_back(substitute(e, motion_.velocities));
      }
    }
    return own;
  }

  /// Up to degree two in each coordinate that matters, all of them together.
  std::vector<Expr> deep_coefficients() const {
    std::vector<Expr> all{Expr(1)}, entries{Expr(1)};
    for (const Symbol q :
         influential_functions(motion_.speed_rates, motion_.configuration, motion_.configuration_rates)) {
      if (all.size() * entries.size() > affordable) return {};
      if (q.role() != Role::coordinate) {
        entries.emplace_back(q);
        continue;
      }
      const Occurring found = occurring(q, tape_);
      std::vector<Expr> one{Expr(1)};
      if (found.circular) one = products({Expr(1), cos(Expr(q)), sin(Expr(q))});
      if (found.hyperbolic) one = products({Expr(1), cosh(Expr(q)), sinh(Expr(q))});
      if (!found.circular && !found.hyperbolic) one = products({Expr(1), Expr(q)});
      all = tensor(all, one);
    }
    return entries.size() > 1 ? tensor(all, products(entries)) : all;
  }

  void add(AnsatzBlock block) {
    for (const Expr f : tensor(block.functions, block.powers)) {
      if (!f.is(Kind::constant) && seen_.insert(f).second) list_.push_back(f);
    }
    blocks_.push_back(std::move(block));
  }

  const System& system_;
  const EquationsOfMotion& motion_;
  Tape tape_;
  std::vector<AnsatzBlock> blocks_;
  std::vector<Expr> list_;
  std::unordered_set<Expr> seen_;
};

/// Parameters keep one value for all points.
ModularPoint point_of(std::uint64_t seed, const ModularProgram& program, int choice) {
  const ModularPoint fixed(7919 + static_cast<std::uint64_t>(choice));
  ModularPoint point(seed * 1'000'003);
  const auto fix = [&](std::span<const Symbol> symbols) {
    for (const Symbol s : symbols) {
      if (s.role() == Role::parameter) point.set(s, fixed.value<ModP>(s));
    }
  };
  fix(program.symbols());
  if (const auto& variety = Variety::current()) fix(variety->given());
  return point;
}

}  // namespace

std::vector<Expr> integral_ansatz(const System& system, const EquationsOfMotion& motion) {
  return Ansatz(system, motion).result();
}

std::vector<AnsatzBlock> integral_ansatz_blocks(const System& system, const EquationsOfMotion& motion) {
  return Ansatz(system, motion).blocks();
}

namespace {

/// A coordinate may be written down without having a say. Entries of rotation matrices are not free to vary one by one.
bool matters(Symbol q, const std::vector<Expr>& rates) {
  return q.role() != Role::coordinate || std::any_of(rates.begin(), rates.end(), [q](Expr e) {
           return contains(e, q) && !vanishes_at_random_points(derivative(e, q));
         });
}

}  // namespace

std::vector<Symbol> influential_functions(std::vector<Expr> rates, std::span<const Symbol> configuration,
                                          std::span<const Expr> configuration_rates) {
  std::vector<Symbol> found;
  while (!rates.empty()) {
    const std::vector<Expr> written = std::exchange(rates, {});
    const std::vector<Symbol> occurring = symbols_of(written);
    for (std::size_t i = 0; i < configuration.size(); ++i) {
      const Symbol q = configuration[i];
      if (std::find(found.begin(), found.end(), q) != found.end() ||
          std::find(occurring.begin(), occurring.end(), q) == occurring.end() || !matters(q, written))
        continue;
      found.push_back(q);
      rates.push_back(configuration_rates[i]);
    }
  }
  return found;
}

std::optional<ModularMatrix> sampled_rates(const std::vector<Expr>& functions, const SymbolMap& motion,
                                           int points, int choice) {
  std::vector<Symbol> moving;
  std::vector<Expr> roots;
  for (const auto& [q, rate] : motion) {
    moving.push_back(q);
    roots.push_back(rate);
  }
  roots.insert(roots.end(), functions.begin(), functions.end());
  const ModularProgram program(roots);
  std::vector<std::vector<ModP>>
      rows;  // as they come: a large ansatz reaches its time limit before its last row
  constexpr std::uint64_t most_failures = search_limits::states_of_an_ansatz.count;
  for (std::uint64_t seed = 1; std::ssize(rows) < points && seed < 40U * static_cast<unsigned>(points);
       ++seed) {
    Budget::check();
    if (rows.empty() && seed > most_failures) break;
    const auto run = program.run(point_of(seed, program, choice));
    if (!run) continue;
    std::vector<ModP> direction(program.symbols().size());
    for (std::size_t k = 0; k < moving.size(); ++k) {
      if (const auto at = program.index_of(moving[k])) direction[*at] = run->value(k);
    }
    std::vector<ModP> rates = run->tangent(direction);
    rates.erase(rates.begin(), rates.begin() + std::ssize(moving));
    rows.push_back(std::move(rates));
  }
  if (std::ssize(rows) < points) return std::nullopt;
  ModularMatrix m(points, static_cast<int>(functions.size()));
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.columns(); ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return m;
}

std::optional<ModularMatrix> sampled_differentials(const std::vector<Expr>& functions,
                                                   const std::vector<SymbolMap>& directions, int choice) {
  std::vector<Expr> roots = functions;
  std::vector<std::vector<std::pair<Symbol, std::size_t>>> components;
  for (const SymbolMap& direction : directions) {
    components.emplace_back();
    for (const auto& [q, rate] : direction) {
      components.back().emplace_back(q, roots.size());
      roots.push_back(rate);
    }
  }
  const ModularProgram program(roots);
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    const auto run = program.run(point_of(seed, program, choice));
    if (!run) continue;
    ModularMatrix m(static_cast<int>(directions.size()), static_cast<int>(functions.size()));
    for (std::size_t k = 0; k < directions.size(); ++k) {
      std::vector<ModP> direction(program.symbols().size());
      for (const auto& [q, root] : components[k]) {
        if (const auto at = program.index_of(q)) direction[*at] = run->value(root);
      }
      const std::vector<ModP> slopes = run->tangent(direction);
      for (int j = 0; j < m.columns(); ++j) m(static_cast<int>(k), j) = slopes[static_cast<std::size_t>(j)];
    }
    return m;
  }
  return std::nullopt;
}

}  // namespace rattleback
