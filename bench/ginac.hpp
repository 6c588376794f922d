#pragma once
/// Work for GiNaC: the same systems, read from the same text.

#ifdef RATTLEBACK_HAVE_GINAC
#include <sstream>

#include <ginac/ginac.h>

#include "question.hpp"

namespace bench {

/// Names of a job become symbols; a sine or cosine of a coordinate becomes a symbol of its own, for the relation
/// s² + c² = 1 that GiNaC does not know.
class GinacReader {
 public:
  GiNaC::ex read(const std::string& text) {
    GiNaC::parser parser(symbols_);
    const GiNaC::ex e = parser(text);
    symbols_ = parser.get_syms();
    return e;
  }
  GiNaC::symbol symbol(const std::string& name) { return GiNaC::ex_to<GiNaC::symbol>(read(name)); }

  void declare_angle(const std::string& name) {
    const GiNaC::ex q = read(name);
    const Pair pair{GiNaC::symbol("s_" + name), GiNaC::symbol("c_" + name)};
    forward_[GiNaC::sin(q)] = pair.s;
    forward_[GiNaC::cos(q)] = pair.c;
    back_[pair.s] = GiNaC::sin(q);
    back_[pair.c] = GiNaC::cos(q);
    pairs_.push_back(pair);
  }
  GiNaC::ex with_generators(const GiNaC::ex& e) const { return e.subs(forward_); }

  /// Numerator over denominator, s² = 1 − c² in both, common factors removed.
  GiNaC::ex reduced(const GiNaC::ex& e) const {
    GiNaC::ex parts = e.numer_denom(), numerator = parts.op(0).expand(), denominator = parts.op(1).expand();
    for (const Pair& p : pairs_) {
      const GiNaC::ex relation = p.s * p.s + p.c * p.c - 1;
      if (numerator.has(p.s)) numerator = GiNaC::rem(numerator, relation, p.s);
      if (denominator.has(p.s)) denominator = GiNaC::rem(denominator, relation, p.s);
    }
    return (numerator / denominator).normal();
  }

  double value(const GiNaC::ex& e) const {
    GiNaC::exmap at;
    for (const auto& [name, s] : symbols_) at[s] = test_value(name);
    return GiNaC::ex_to<GiNaC::numeric>(e.subs(back_).subs(at).evalf()).to_double();
  }
  long length(const GiNaC::ex& e) const {
    std::ostringstream out;
    out << e.subs(back_);
    return static_cast<long>(out.str().size());
  }

 private:
  struct Pair {
    GiNaC::symbol s, c;
  };
  GiNaC::symtab symbols_;
  std::vector<Pair> pairs_;
  GiNaC::exmap forward_, back_;
};

/// A question read by GiNaC, and its linear system for accelerations and multipliers.
class GinacMotion {
 public:
  explicit GinacMotion(const Question& q)
      : n_(q.system.space.dimension()), k_(static_cast<int>(q.system.constraints.size())) {
    const Space& Q = q.system.space;
    for (const Symbol s : Q.functions()) f_.push_back(in.symbol(plain(s.name())));
    for (const Symbol s : Q.velocities()) v_.push_back(in.symbol(plain(s.name())));
    for (int i = 0; i < n_; ++i) psi_[v_[at(i)]] = in.read(plain(q.psi.at(Q.velocities()[at(i)])));
    for (const Constraint& c : q.system.constraints) constraints_.push_back(in.read(plain(c.expression)));
    lagrangian_ = in.read(plain(q.system.lagrangian));
    legs_.assign(at(n_), std::vector<ex>(f_.size()));
    for (int i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < f_.size(); ++j) {
        const auto found = Q.leg(i).find(Q.functions()[j]);
        if (found != Q.leg(i).end()) legs_[at(i)][j] = in.read(plain(found->second));
      }
      for (int l = 0; l < n_; ++l) {
        for (int m = 0; m < n_; ++m) {
          if (!Q.c()(i, l, m).is_zero()) c_[{i, l, m}] = in.read(plain(Q.c()(i, l, m)));
        }
      }
    }
    for (const Factor& factor : Q.factors()) {
      for (const Piece& piece : factor.pieces) {
        if (piece.carrier == Carrier::angle) in.declare_angle(plain(piece.functions[0].name()));
      }
    }
  }

  /// K (v', λ) = right, in the generators.
  struct Linear {
    GiNaC::matrix K, right;
  };
  Linear equations() const {
    GiNaC::matrix K(u(n_ + k_), u(n_ + k_)), right(u(n_ + k_), 1);
    std::vector<ex> p;
    for (const auto& vi : v_) p.push_back(lagrangian_.diff(vi));
    for (int i = 0; i < n_; ++i) {
      ex b = along(i, lagrangian_) - rate(p[at(i)]);
      for (const auto& [ilm, x] : c_) {
        if (ilm[0] == i) b -= x * v_[at(ilm[1])] * p[at(ilm[2])];
      }
      right(u(i), 0) = on_constraint(b);
      for (int j = 0; j < n_; ++j) K(u(i), u(j)) = on_constraint(p[at(i)].diff(v_[at(j)]));
    }
    for (int a = 0; a < k_; ++a) {
      right(u(n_ + a), 0) = on_constraint(-rate(constraints_[at(a)]));
      for (int i = 0; i < n_; ++i) {
        const ex slope = on_constraint(constraints_[at(a)].diff(v_[at(i)]));
        K(u(n_ + a), u(i)) = slope;
        K(u(i), u(n_ + a)) = -slope;
      }
    }
    return {K, right};
  }
  /// Accelerations, then multipliers, in the generators.
  GiNaC::matrix solution() const {
    const auto [K, right] = equations();
    GiNaC::matrix unknowns(u(n_ + k_), 1);
    for (int i = 0; i < n_ + k_; ++i) unknowns(u(i), 0) = GiNaC::symbol("unknown" + std::to_string(i));
    return K.solve(unknowns, right);
  }
  /// The sum of the accelerations at the test point.
  double value_of(const Linear& linear) const {
    GiNaC::matrix K = linear.K, right = linear.right, unknowns(u(n_ + k_), 1);
    for (int i = 0; i < n_ + k_; ++i) {
      unknowns(u(i), 0) = GiNaC::symbol("unknown" + std::to_string(i));
      right(u(i), 0) = in.value(right(u(i), 0));
      for (int j = 0; j < n_ + k_; ++j) K(u(i), u(j)) = in.value(K(u(i), u(j)));
    }
    const GiNaC::matrix x = K.solve(unknowns, right);
    double total = 0;
    for (int i = 0; i < n_; ++i) total += GiNaC::ex_to<GiNaC::numeric>(x(u(i), 0).evalf()).to_double();
    return total;
  }
  std::vector<GiNaC::ex> multipliers() const {
    const GiNaC::matrix x = solution();
    std::vector<ex> reduced;
    for (int a = 0; a < k_; ++a) reduced.push_back(in.reduced(x(u(n_ + a), 0)));
    return reduced;
  }
  /// de/dt along the motion, reduced.
  GiNaC::ex rate_of(const GiNaC::ex& e) const {
    const GiNaC::matrix x = solution();
    ex total = on_constraint(rate(e));
    for (int i = 0; i < n_; ++i) total += on_constraint(e.diff(v_[at(i)])) * x(u(i), 0);
    return in.reduced(total);
  }

  GinacReader in;

 private:
  using ex = GiNaC::ex;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static unsigned u(int i) { return static_cast<unsigned>(i); }
  ex on_constraint(const ex& e) const { return in.with_generators(e.subs(psi_)); }
  ex along(int i, const ex& e) const {
    ex total;
    for (std::size_t j = 0; j < f_.size(); ++j) total += legs_[at(i)][j] * e.diff(f_[j]);
    return total;
  }
  ex rate(const ex& e) const {
    ex total;
    for (int l = 0; l < n_; ++l) total += v_[at(l)] * along(l, e);
    return total;
  }

  int n_, k_;
  std::vector<GiNaC::symbol> v_, f_;
  std::vector<ex> constraints_;
  ex lagrangian_;
  std::vector<std::vector<ex>> legs_;
  std::map<std::array<int, 3>, ex> c_;
  GiNaC::exmap psi_;
};

}  // namespace bench
#endif
