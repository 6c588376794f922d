#include <rattleback/view/vectors/wheeled_chain.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/view/vectors/cleared_denominators.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>
#include <rattleback/view/vectors/rolled_wheels.hpp>
#include <rattleback/view/vectors/wheel_axles.hpp>
#include <rattleback/view/vectors/wheeled_chain_quantities.hpp>

namespace rattleback {
namespace {

bool is_constant(Expr e) {
  return std::ranges::all_of(symbols_of(e), [](Symbol s) { return s.role() == Role::parameter; });
}

class WheeledChainSearch {
 public:
  /// `links` is `whole` without its wheels.
  WheeledChainSearch(const System& whole, const WithoutWheels& links, WheelAxles axles)
      : whole_(whole), wheels_(links), system_(links.system), geometry_(std::move(axles)) {}

  std::optional<WheeledChain> found() {
    if (!place_links() || (!take_masses_of_bodies() && !find_masses())) return std::nullopt;
    find_forces();
    std::vector<Expr> of_wheels = wheels_.defects;
    if (!place_wheels(of_wheels)) return std::nullopt;
    std::vector<Expr> defects = geometry_.defects;
    for (Expr& e : defects) e = substitute(e, geometry_.in_headings);
    const std::vector<Expr> of_energy =
        parts_by_velocities(substitute(energy_defect(), geometry_.in_headings));
    defects.insert(defects.end(), of_energy.begin(), of_energy.end());
    for (const Expr e : of_wheels) {
      const std::vector<Expr> parts = parts_by_velocities(substitute(e, geometry_.in_headings));
      defects.insert(defects.end(), parts.begin(), parts.end());
    }
    add_wheels();
    chain_.proof = is_zero(defects);
    const auto* exact = std::get_if<Proved>(&chain_.proof);
    if (exact == nullptr || !exact->why.exact || !agrees_with_motion(whole_, chain_)) return std::nullopt;
    write_quantities(system_, geometry_, chain_);
    return chain_;
  }

 private:
  std::size_t count() const { return geometry_.axles.size(); }

  bool place_links() {
    chain_.x = *system_.space.coordinate(geometry_.x);
    chain_.y = *system_.space.coordinate(geometry_.y);
    bool located = false;
    for (std::size_t k = 0; k < count(); ++k) {
      const WheelAxle& axle = geometry_.axles[k];
      WheeledLink link;
      link.heading = axle.heading;
      if (k > 0) {
        const WheelAxle& before = geometry_.axles[k - 1];
        link.d = short_form(before.arm[k] - axle.arm[k]);
        link.b = short_form(before.arm[k - 1] - axle.arm[k - 1]);
      }
      chain_.links.push_back(link);
      bool alone = true;
      for (std::size_t j = 0; j < count(); ++j) alone = alone && (j == k || axle.arm[j].is_zero());
      if (!alone || located) continue;
      located = true;
      chain_.placed = k;
      chain_.ahead = short_form(-axle.arm[k]);
    }
    return located;
  }

  /// The link that each wheel turns with: a' = g v_k + h w_k, with g and h constant.
  bool place_wheels(std::vector<Expr>& defects) {
    for (const RolledWheel& wheel : wheels_.wheels) {
      std::size_t k = 0;
      while (k < count() && !turns_with(wheel, k, defects)) ++k;
      if (k == count()) return false;
    }
    return true;
  }

  bool turns_with(const RolledWheel& wheel, std::size_t k, std::vector<Expr>& defects) {
    const Expr along = axle_velocity(k).first, w = heading_rate(k);
    const auto at_zero = [&](Expr e, int leg) {
      const std::vector<Symbol> one{system_.space.velocities()[static_cast<std::size_t>(leg)]};
      return short_form(substitute(gradient(e, one)[0], geometry_.at_zero));
    };
    const Expr g = at_zero(wheel.rate, geometry_.x), rest = wheel.rate - g * along;
    if (!is_constant(g)) return false;
    Expr h = 0;
    for (const int leg : geometry_.angles)
      if (const Expr turn = at_zero(w, leg); !turn.is_zero()) h = short_form(at_zero(rest, leg) / turn);
    if (!is_constant(h) || !vanish_at_random_states(Matrix{{rest - h * w}})) return false;
    defects.push_back(rest - h * w);
    chain_.wheels.push_back({wheel.angle, k, g, h, wheel.velocity});
    return true;
  }

  /// J a'^2/2 and Q a', a' = g v + h w: J g² to the mass, J h² to the inertia, Q g and Q h to force and torque. Of all wheels of a link
  /// J g h cancels, as of two wheels at equal distances.
  void add_wheels() {
    for (std::size_t i = 0; i < chain_.wheels.size(); ++i) {
      const WheelOfLink& wheel = chain_.wheels[i];
      const Expr J = wheels_.wheels[i].inertia, Q = wheels_.wheels[i].force;
      WheeledLink& link = chain_.links[wheel.link];
      link.mass = short_form(link.mass + J * wheel.along * wheel.along);
      link.inertia = short_form(link.inertia + J * wheel.turn * wheel.turn);
      link.force = short_form(link.force + Q * wheel.along);
      link.torque = short_form(link.torque + Q * wheel.turn);
    }
  }

  /// Velocity of an axle along and across its heading, without the constraints.
  std::pair<Expr, Expr> axle_velocity(std::size_t k) const {
    const WheelAxle& axle = geometry_.axles[k];
    const Expr vx = velocity(geometry_.x), vy = velocity(geometry_.y);
    Expr along = vx * cos(axle.heading) + vy * sin(axle.heading),
         across = vy * cos(axle.heading) - vx * sin(axle.heading);
    for (std::size_t j = 0; j < count(); ++j) {
      const Expr turn = axle.arm[j] * heading_rate(j);
      along = along - turn * sin(geometry_.axles[j].heading - axle.heading);
      across = across + turn * cos(geometry_.axles[j].heading - axle.heading);
    }
    return {along, across};
  }

  Expr velocity(int i) const { return system_.space.velocities()[static_cast<std::size_t>(i)]; }
  Expr heading_rate(std::size_t i) const {
    Expr sum = 0;
    for (std::size_t j = 0; j < count(); ++j)
      sum = sum + Expr(geometry_.axles[i].turns[j]) * velocity(geometry_.angles[j]);
    return sum;
  }

  /// ½ m |P'|² + h w (P' across) + ½ K w² of a link, for unit m, K or h.
  Expr unit_energy(std::size_t k, int which) const {
    const auto [along, across] = axle_velocity(k);
    const Expr w = heading_rate(k), half = Expr(Rational(1, 2));
    return which == 0 ? half * (along * along + across * across) : which == 1 ? half * w * w : across * w;
  }

  /// Bodies that the model states, each on the axis of a link.
  bool take_masses_of_bodies() {
    if (system_.bodies.empty()) return false;
    std::vector<WheeledLink> links = chain_.links;
    for (const RigidBody& body : system_.bodies) {
      const Matrix turn = body.attitude.w_SB_S();
      std::size_t k = 0;
      while (k < count() && !vanish_at_random_states(Matrix{{turn[2] - heading_rate(k)}})) ++k;
      if (k == count()) return false;
      const Matrix from_axle = body.r_G_S - axle_place(k);
      const auto part = [&](Expr along_x, Expr along_y) {
        return short_form(substitute(from_axle[0] * along_x + from_axle[1] * along_y, geometry_.at_zero));
      };
      const Expr cosine = cos(links[k].heading), sine = sin(links[k].heading);
      const Expr ahead = part(cosine, sine), beside = part(-sine, cosine);
      if (!is_constant(ahead) || !is_constant(beside)) return false;
      const Expr own = body.inertia.rows() == 3 ? body.inertia(2, 2) : Expr(0);
      links[k].mass = short_form(links[k].mass + body.mass);
      links[k].moment = short_form(links[k].moment + body.mass * ahead);
      links[k].inertia = short_form(links[k].inertia + own + body.mass * (ahead * ahead + beside * beside));
    }
    std::swap(chain_.links, links);
    if (vanish_at_random_states(Matrix{{energy_defect()}})) return true;
    std::swap(chain_.links, links);
    return false;
  }

  /// P_k.
  Matrix axle_place(std::size_t k) const {
    Matrix place{{chain_.x}, {chain_.y}, {0}};
    for (std::size_t j = 0; j < count(); ++j) {
      const Expr arm = geometry_.axles[k].arm[j];
      place = place + arm * Matrix{{cos(geometry_.axles[j].heading)}, {sin(geometry_.axles[j].heading)}, {0}};
    }
    return place;
  }

  /// The metric at zero angles is linear in all m, K and h, with constant coefficients. Where a mass at a hitch could belong to either link,
  /// moments h are left out, the last ones first.
  bool find_masses() {
    const std::span<const Symbol> v = system_.space.velocities();
    const auto metric = [&](Expr energy) {
      std::vector<Expr> entries;
      const Matrix g = substitute(jacobian(gradient(energy, v), v), geometry_.at_zero);
      for (int i = 0; i < g.rows(); ++i)
        for (int j = i; j < g.columns(); ++j) entries.push_back(short_form(g(i, j)));
      return Matrix::column(entries);
    };
    const Matrix target = metric(system_.lagrangian);
    Matrix columns = metric(unit_energy(0, 0));
    for (const int which : {0, 1, 2})
      for (std::size_t k = 0; k < count(); ++k)
        if (which != 0 || k != 0) columns = beside(columns, metric(unit_energy(k, which)));
    const std::vector<int> kept = independent_columns(columns);
    const auto values = solve(columns_of(columns, kept), target);
    if (!values) return false;
    for (std::size_t c = 0; c < kept.size(); ++c) {
      const std::size_t which = static_cast<std::size_t>(kept[c]) / count();
      WheeledLink& link = chain_.links[static_cast<std::size_t>(kept[c]) % count()];
      const Expr value = short_form(values->x[static_cast<int>(c)]);
      if (!is_constant(value)) return false;
      (which == 0 ? link.mass : which == 1 ? link.inertia : link.moment) = value;
    }
    move_masses_at_hitches();
    return true;
  }

  /// A point mass at a hitch may belong to either link. Where the whole mass is a sum of one term for every link, or a multiple of one term, each
  /// link gets its own, if that is shorter.
  void move_masses_at_hitches() {
    Expr total = 0;
    for (const WheeledLink& link : chain_.links) total = total + link.mass;
    total = short_form(total);
    std::vector<Expr> terms(count(), total / Expr(static_cast<long>(count())));
    if (total.is(Kind::sum)) terms.assign(total.args().begin(), total.args().end());
    if (terms.size() != count()) return;
    std::vector<WheeledLink> links = chain_.links;
    for (std::size_t k = count() - 1; k > 0; --k) {
      const std::vector<Symbol> inside = symbols_of(links[k].mass);
      const auto own = std::ranges::find_if(terms, [&](Expr term) {
        return std::ranges::all_of(symbols_of(term),
                                   [&](Symbol s) { return std::ranges::find(inside, s) != inside.end(); });
      });
      if (own == terms.end()) return;
      const Expr moved = *own - links[k].mass, b = links[k].b, d = links[k].d;
      terms.erase(own);
      add_point_mass(links[k], moved, d);
      add_point_mass(links[k - 1], -moved, -b);
    }
    if (written_length(links) < written_length(chain_.links)) std::swap(chain_.links, links);
  }
  static void add_point_mass(WheeledLink& link, Expr m, Expr ahead) {
    link.mass = short_form(link.mass + m);
    link.moment = short_form(link.moment + m * ahead);
    link.inertia = short_form(link.inertia + m * ahead * ahead);
  }
  static std::size_t written_length(const std::vector<WheeledLink>& links) {
    std::size_t length = 0;
    for (const WheeledLink& link : links)
      length += text(link.mass).size() + text(link.moment).size() + text(link.inertia).size();
    return length;
  }

  /// L − Σ_i T_i + U.
  Expr energy_defect() const {
    SymbolMap at_rest;
    for (const Symbol v : system_.space.velocities()) at_rest.emplace(v, Expr(0));
    Expr rest = system_.lagrangian - substitute(system_.lagrangian, at_rest);
    for (std::size_t k = 0; k < count(); ++k) {
      const WheeledLink& link = chain_.links[k];
      rest = rest - link.mass * unit_energy(k, 0) - link.inertia * unit_energy(k, 1) -
             link.moment * unit_energy(k, 2);
    }
    return rest;
  }

  /// Forces on (x, y) act along the heading of the link that carries (x, y), and turn it; those on angles turn links, or one against the one before.
  void find_forces() {
    SymbolMap at_rest;
    for (const Symbol v : system_.space.velocities()) at_rest.emplace(v, Expr(0));
    const Expr minus_potential = substitute(system_.lagrangian, at_rest);
    const auto on = [&](int i) {
      const std::vector<Symbol> one{*system_.space.coordinate(i)};
      return short_form(system_.forces[static_cast<std::size_t>(i)] + gradient(minus_potential, one)[0]);
    };
    WheeledLink& base = chain_.links[chain_.placed];
    const Expr cosine = cos(base.heading), sine = sin(base.heading);
    base.force = short_form(on(geometry_.x) * cosine + on(geometry_.y) * sine);
    base.torque = short_form(chain_.ahead * (on(geometry_.y) * cosine - on(geometry_.x) * sine));
    for (std::size_t j = 0; j < count(); ++j) {
      const Expr Q = on(geometry_.angles[j]);
      if (Q.is_zero()) continue;
      const std::vector<Expr> parts = shares(geometry_, j);
      for (std::size_t k = 0; k < count(); ++k) {
        WheeledLink& link = chain_.links[k];
        if (k > 0 && parts[k] == Expr(1) && parts[k - 1] == Expr(-1) && others_vanish(parts, k)) {
          link.joint_torque = link.joint_torque + Q;
          break;
        }
        if (k > 0 && parts[k] == Expr(-1) && parts[k - 1] == Expr(1) && others_vanish(parts, k)) {
          link.joint_torque = link.joint_torque - Q;
          break;
        }
        if (k + 1 == count())
          for (std::size_t l = 0; l < count(); ++l)
            chain_.links[l].torque = short_form(chain_.links[l].torque + parts[l] * Q);
      }
    }
  }

  static bool others_vanish(const std::vector<Expr>& parts, std::size_t k) {
    for (std::size_t l = 0; l < parts.size(); ++l)
      if (l != k && l + 1 != k && !parts[l].is_zero()) return false;
    return true;
  }

  const System& whole_;
  const WithoutWheels& wheels_;
  const System& system_;  ///< without wheels
  const WheelAxles geometry_;
  WheeledChain chain_;
};

}  // namespace

std::optional<WheeledChain> wheeled_chain(const System& system) try {
  const WithoutWheels links = without_wheels(system);
  auto axles = wheel_axles(links.system);
  return axles ? WheeledChainSearch(system, links, std::move(*axles)).found() : std::nullopt;
} catch (const OutOfDomain&) {
  return std::nullopt;  // a pole at zero angles
}

}  // namespace rattleback
