#include <rattleback/geometry/space.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {

struct Space::Data {
  std::vector<Factor> factors;
  std::vector<Symbol> functions, velocities, accelerations;
  std::vector<SymbolMap> frame;
  StructureCoefficients c;
  SymbolMap motion, total_motion;

  /// What follows from the frame and its velocities.
  void complete() {
    for (const Symbol v : velocities) {
      accelerations.push_back(
          Symbol::make(v.name() + "'", {.role = Role::acceleration, .order = v.attributes().order}));
    }
    for (const Symbol q : functions) {
      std::vector<Expr> terms{Expr(0)};
      for (std::size_t i = 0; i < frame.size(); ++i) {
        if (const auto found = frame[i].find(q); found != frame[i].end())
          terms.push_back(velocities[i] * found->second);
      }
      motion.emplace(q, sum(terms));
    }
    total_motion = motion;
    for (std::size_t i = 0; i < velocities.size(); ++i)
      total_motion.emplace(velocities[i], Expr(accelerations[i]));
  }
};

Space::Space(std::vector<Factor> factors) {
  Data data;
  int n = 0;
  for (const Factor& f : factors) n += f.dimension();
  data.c = StructureCoefficients(n);
  int first = 0;
  for (const Factor& f : factors) {
    const std::vector<Symbol> functions = f.functions();
    data.functions.insert(data.functions.end(), functions.begin(), functions.end());
    data.velocities.insert(data.velocities.end(), f.velocities.begin(), f.velocities.end());
    data.frame.insert(data.frame.end(), f.frame.begin(), f.frame.end());
    data.c.copy_block(first, f.c);
    first += f.dimension();
  }
  data.factors = std::move(factors);
  data.complete();
  data_ = std::make_shared<const Data>(std::move(data));
}

Space Space::chart(std::span<const Symbol> coordinates) {
  std::vector<Factor> lines;
  for (const Symbol q : coordinates) lines.push_back(line(q));
  return Space(std::move(lines));
}

int Space::dimension() const { return static_cast<int>(data_->velocities.size()); }
const std::vector<Factor>& Space::factors() const { return data_->factors; }
std::span<const Symbol> Space::functions() const { return data_->functions; }
std::span<const Symbol> Space::velocities() const { return data_->velocities; }
std::span<const Symbol> Space::accelerations() const { return data_->accelerations; }
const StructureCoefficients& Space::c() const { return data_->c; }
const SymbolMap& Space::leg(int i) const { return data_->frame[i]; }
const SymbolMap& Space::motion() const { return data_->motion; }

std::optional<Symbol> Space::coordinate(int i) const {
  const SymbolMap& leg = data_->frame[i];
  if (leg.size() != 1 || !leg.begin()->second.is_one()) return std::nullopt;
  return leg.begin()->first;
}

Expr Space::derivative(int i, Expr f) const {
  if (const auto q = coordinate(i)) return rattleback::derivative(f, *q);
  return derivative_along(f, leg(i));
}

namespace {

/// The motion together with time itself, t' = 1.
SymbolMap with_time(SymbolMap motion, Expr f) {
  for (const Symbol s : symbols_of(f)) {
    if (s.role() == Role::time) motion.emplace(s, Expr(1));
  }
  return motion;
}

}  // namespace

Expr Space::rate(Expr f) const { return derivative_along(f, with_time(data_->motion, f)); }
Expr Space::total_rate(Expr f) const { return derivative_along(f, with_time(data_->total_motion, f)); }

Space Space::in_frame(const std::vector<SymbolMap>& frame, StructureCoefficients c,
                      std::vector<Symbol> velocities) const {
  if (frame.size() != velocities.size() || c.dimension() != static_cast<int>(frame.size())) {
    throw Bug("a frame needs as many velocities and structure coefficients as legs");
  }
  Data data;
  data.factors = data_->factors;
  data.functions = data_->functions;
  data.velocities = std::move(velocities);
  data.frame = frame;
  data.c = std::move(c);
  data.complete();
  return Space(std::make_shared<const Data>(std::move(data)));
}

Space operator*(const Space& a, const Space& b) {
  const auto joined = [](auto x, const auto& y) {
    x.insert(x.end(), y.begin(), y.end());
    return x;
  };
  const int n = a.dimension(), m = b.dimension();
  Space::Data data;
  data.factors = joined(a.data_->factors, b.data_->factors);
  data.functions = joined(a.data_->functions, b.data_->functions);
  data.velocities = joined(a.data_->velocities, b.data_->velocities);
  data.frame = joined(a.data_->frame, b.data_->frame);
  data.c = StructureCoefficients(n + m);
  data.c.copy_block(0, a.c());
  data.c.copy_block(n, b.c());
  data.complete();
  return Space(std::make_shared<const Space::Data>(std::move(data)));
}

Space tangent_bundle(const Space& Q) {
  const Space TQ = Q * Space::chart(Q.velocities());
  std::vector<SymbolMap> frame;
  for (int i = 0; i < TQ.dimension(); ++i) frame.push_back(TQ.leg(i));
  // v^i is a function here; the velocity along X_i needs another name.
  std::vector<Symbol> velocities(TQ.velocities().begin(), TQ.velocities().end());
  for (int i = 0; i < Q.dimension(); ++i) {
    const Symbol v = velocities[i];
    velocities[i] = Symbol::make("d" + v.name(), {.role = Role::velocity, .order = v.attributes().order});
  }
  return TQ.in_frame(frame, TQ.c(), std::move(velocities));
}

}  // namespace rattleback
