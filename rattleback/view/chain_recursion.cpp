#include <rattleback/view/chain_recursion.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/articulated.hpp>
#include <rattleback/motion/articulated_frames.hpp>

namespace rattleback {
namespace {

constexpr std::size_t fewest_links = 4;

/// name = base + number, as in q12; nothing for other names.
struct Numbered {
  std::string base;
  int number = 0;
};
std::optional<Numbered> numbered(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits >= name.size() || name.size() - digits > 6) return std::nullopt;
  Numbered found{name.substr(0, digits), 0};
  std::from_chars(name.data() + digits, name.data() + name.size(), found.number);
  while (found.base.size() > 1 && found.base.back() == '_') found.base.pop_back();
  return found;
}

/// A joint with the arm that leads to it.
struct Revolute {
  Matrix arm = Matrix(3, 1);
  const JointFrame* frame = nullptr;
};

/// The frames as a chain of single turns; nothing when they are anything else.
std::vector<Revolute> revolutes(const std::vector<JointFrame>& frames) {
  std::vector<Revolute> chain(1);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const JointFrame& frame = frames[k];
    if (frame.parent != static_cast<int>(k) - 1) return {};
    if (!frame.turns()) {
      if (frame.freedoms() > 0 || !frame.mass.is_zero()) return {};
      chain.back().arm = frame.arm;
      continue;
    }
    if (frame.freedoms() != 1) return {};
    chain.back().frame = &frame;
    chain.emplace_back();
  }
  chain.pop_back();
  return chain;
}

/// Formulas in which names with the number of the link have the index i instead.
class Indexed {
 public:
  Indexed(int number, Symbol coordinate, Symbol velocity, const std::string& angle) : number_(number) {
    put(coordinate, angle + "_i");
    put(velocity, angle + "_i'");
  }
  std::string operator()(Expr e) {
    learn(symbols_of(e));
    return text(substitute(short_form(e), names_));
  }
  std::string operator()(const Matrix& m) {
    Matrix named = m;
    learn(symbols_of(m.entries()));
    for (Expr& e : named.entries()) e = substitute(short_form(e), names_);
    return written(named);
  }

 private:
  static std::string written(const Matrix& m) {
    if (m.columns() == 1) return fmt::format("[{}, {}, {}]", text(m[0]), text(m[1]), text(m[2]));
    bool diagonal = true;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) diagonal = diagonal && (i == j || m(i, j).is_zero());
    if (diagonal) return fmt::format("diag({}, {}, {})", text(m(0, 0)), text(m(1, 1)), text(m(2, 2)));
    return text(m);
  }
  void put(Symbol s, const std::string& name) {
    names_.insert_or_assign(s, Expr(Symbol::make(name, s.attributes())));
  }
  void learn(const std::vector<Symbol>& symbols) {
    for (const Symbol s : symbols) {
      if (s.role() != Role::parameter || names_.contains(s)) continue;
      const auto parts = numbered(s.name());
      if (parts && parts->number == number_) put(s, parts->base + "_i");
    }
  }
  int number_;
  SymbolMap names_;
};

/// values[k] for k ≥ root repeat with the period; empty when they do not.
std::vector<std::pair<std::string, std::string>> grouped(const std::string& name,
                                                         const std::vector<std::string>& values, int first) {
  const int n = static_cast<int>(values.size()), last = first + n - 1;
  const auto at = [&](int k) -> const std::string& { return values[static_cast<std::size_t>(k)]; };
  for (const int root : {0, 1}) {
    for (const int period : {1, 2, 3}) {
      bool repeats = n - root >= std::max(3, 2 * period);
      for (int k = root; repeats && k + period < n; ++k) repeats = at(k) == at(k + period);
      if (!repeats) continue;
      std::vector<std::pair<std::string, std::string>> lines;
      for (int k = 0; k < root; ++k) lines.emplace_back(fmt::format("{}_{}", name, first + k), at(k));
      for (int k = root; k < root + period; ++k) {
        const std::string range = period > 1 ? fmt::format("i = {}, {}, ...", first + k, first + k + period)
                                  : root > 0 ? fmt::format("i = {}..{}", first + k, last)
                                             : "";
        lines.emplace_back(name + "_i", range.empty() ? at(k) : fmt::format("{} for {}", at(k), range));
      }
      return lines;
    }
  }
  return {};
}

/// The letter of the coordinates and the number of the first, when they are q1, q2, … in this order.
std::optional<Numbered> common_letter(const std::vector<Revolute>& chain, const Space& space) {
  std::optional<Numbered> first;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const auto parts = numbered(space.coordinate(chain[k].frame->legs[0])->name());
    if (!parts) return std::nullopt;
    if (!first) first = parts;
    if (parts->base != first->base || parts->number != first->number + static_cast<int>(k))
      return std::nullopt;
  }
  return first;
}

struct Line {
  const char *left, *right, *left_latex, *right_latex;
};

constexpr Line velocities[] = {
    {"w_i", "transpose(R_i)*w_(i-1) + @_i'*e_i", "\\omega_i", "R_i^T \\omega_{i-1} + \\dot{@}_i e_i"},
    {"c_i", "@_i'*w_i × e_i", "c_i", "\\dot{@}_i \\omega_i \\times e_i"},
    {"b_i", "w_(i-1) × (w_(i-1) × r_i)", "b_i", "\\omega_{i-1} \\times (\\omega_{i-1} \\times r_i)"},
};
constexpr Line inertias[] = {
    {"d_i", "dot(e_i, J_i*e_i)", "d_i", "e_i \\cdot J_i e_i"},
    {"U_i", "J_i*e_i/d_i", "U_i", "J_i e_i/d_i"},
    {"V_i", "transpose(H_i)*e_i/d_i", "V_i", "H_i^T e_i/d_i"},
    {"s_i", "(tau_i - dot(e_i, n_i))/d_i", "s_i", "(\\tau_i - e_i \\cdot n_i)/d_i"},
    {"A_i", "R_i*(J_i - d_i*U_i*transpose(U_i))*transpose(R_i)", "A_i", "R_i (J_i - d_i U_i U_i^T) R_i^T"},
    {"B_i", "R_i*(H_i - d_i*U_i*transpose(V_i))*transpose(R_i)", "B_i", "R_i (H_i - d_i U_i V_i^T) R_i^T"},
    {"C_i", "R_i*(M_i - d_i*V_i*transpose(V_i))*transpose(R_i)", "C_i", "R_i (M_i - d_i V_i V_i^T) R_i^T"},
    {"p_i", "R_i*(n_i + d_i*s_i*U_i) + A_i*R_i*c_i + B_i*b_i", "p_i",
     "R_i (n_i + d_i s_i U_i) + A_i R_i c_i + B_i b_i"},
    {"g_i", "R_i*(f_i + d_i*s_i*V_i) + transpose(B_i)*R_i*c_i + C_i*b_i", "g_i",
     "R_i (f_i + d_i s_i V_i) + B_i^T R_i c_i + C_i b_i"},
    {"J_(i-1)", "I_(i-1) + A_i - B_i*hat(r_i) + hat(r_i)*transpose(B_i + hat(r_i)*C_i)", "J_{i-1}",
     "I_{i-1} + A_i - B_i \\hat r_i + \\hat r_i (B_i + \\hat r_i C_i)^T"},
    {"H_(i-1)", "hat(h_(i-1)) + B_i + hat(r_i)*C_i", "H_{i-1}", "\\hat h_{i-1} + B_i + \\hat r_i C_i"},
    {"M_(i-1)", "m_(i-1)*E + C_i", "M_{i-1}", "m_{i-1} E + C_i"},
    {"n_(i-1)", "w_(i-1) × (I_(i-1)*w_(i-1)) + p_i + r_i × g_i", "n_{i-1}",
     "\\omega_{i-1} \\times I_{i-1} \\omega_{i-1} + p_i + r_i \\times g_i"},
    {"f_(i-1)", "w_(i-1) × (w_(i-1) × h_(i-1)) + g_i", "f_{i-1}",
     "\\omega_{i-1} \\times (\\omega_{i-1} \\times h_{i-1}) + g_i"},
};
constexpr Line accelerations[] = {
    {"z_i", "transpose(R_i)*alpha_(i-1) + c_i", "z_i", "R_i^T \\alpha_{i-1} + c_i"},
    {"a_i", "transpose(R_i)*(a_(i-1) + alpha_(i-1) × r_i + b_i)", "a_i",
     "R_i^T (a_{i-1} + \\alpha_{i-1} \\times r_i + b_i)"},
    {"@_i''", "s_i - dot(U_i, z_i) - dot(V_i, a_i)", "\\ddot{@}_i", "s_i - U_i \\cdot z_i - V_i \\cdot a_i"},
    {"alpha_i", "z_i + @_i''*e_i", "\\alpha_i", "z_i + \\ddot{@}_i e_i"},
};

std::string with_angle(std::string s, const std::string& angle) {
  for (std::size_t at = s.find('@'); at != std::string::npos; at = s.find('@')) s.replace(at, 1, angle);
  return s;
}

std::string block(std::span<const Line> lines, const std::string& angle) {
  std::string s;
  for (const Line& line : lines)
    s += fmt::format("  {:<7} = {}\n", with_angle(line.left, angle), with_angle(line.right, angle));
  return s;
}

std::string latex_block(std::span<const Line> lines, const std::string& angle) {
  std::string s = "\\begin{align*}\n";
  for (const Line& line : lines)
    s += fmt::format("  {} &= {}{}\n", with_angle(line.left_latex, angle),
                     with_angle(line.right_latex, angle), &line == &lines.back() ? "" : " \\\\");
  return s + "\\end{align*}\n";
}

}  // namespace

std::optional<ChainRecursion> chain_recursion(const System& system) {
  if (!system.constraints.empty() || !system.velocities.empty() || system.parametrization)
    return std::nullopt;
  const auto tree = joint_tree_of(system);
  if (!tree || tree->links.size() < fewest_links) return std::nullopt;
  const auto frames = joint_frames(*tree, system.space);
  if (!frames) return std::nullopt;
  const std::vector<Revolute> chain = revolutes(frames->frames);
  if (chain.size() < fewest_links || static_cast<int>(chain.size()) != system.space.dimension())
    return std::nullopt;
  const auto letter = common_letter(chain, system.space);
  if (!letter) return std::nullopt;
  const std::vector<Expr> tau = forces_on_joints(system, *tree, {});
  std::vector<std::vector<std::string>> columns(6);
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const int leg = chain[k].frame->legs[0];
    Indexed in_i(letter->number + static_cast<int>(k), *system.space.coordinate(leg),
                 system.space.velocities()[static_cast<std::size_t>(leg)], letter->base);
    columns[0].push_back(in_i(chain[k].frame->directions));
    columns[1].push_back(in_i(chain[k].arm));
    columns[2].push_back(in_i(chain[k].frame->mass));
    columns[3].push_back(in_i(chain[k].frame->moment));
    columns[4].push_back(in_i(chain[k].frame->inertia));
    columns[5].push_back(in_i(tau[static_cast<std::size_t>(leg)]));
  }
  ChainRecursion found;
  found.first = letter->number;
  found.last = letter->number + static_cast<int>(chain.size()) - 1;
  found.angle = letter->base;
  found.gravity = tree->gravity;
  const char* const names[] = {"e", "r", "m", "h", "I", "tau"};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    LinkQuantity quantity{names[k], grouped(names[k], columns[k], found.first)};
    if (quantity.values.empty()) return std::nullopt;
    found.links.push_back(std::move(quantity));
  }
  return found;
}

std::string as_text(const System& system, const ChainRecursion& chain) {
  const int n = chain.last, before = chain.first - 1;
  std::string s = fmt::format("{}: recursion over i = {}..{}\n\n",
                              system.title.empty() ? system.name : system.title, chain.first, n);
  s += fmt::format("outwards, i = {}..{}, from w_{} = 0:\n{}", chain.first, n, before,
                   block(velocities, chain.angle));
  s += fmt::format(
      "inwards, i = {0}..{1}, from J_{0} = I_{0}, H_{0} = hat(h_{0}), M_{0} = m_{0}*E, n_{0} = w_{0} × "
      "(I_{0}*w_{0}), f_{0} = w_{0} × "
      "(w_{0} × h_{0}); what has index {2} is not needed:\n{3}",
      n, chain.first, before, block(inertias, chain.angle));
  s += fmt::format("outwards, i = {}..{}, from alpha_{} = 0, a_{} = [{}, {}, {}]:\n{}", chain.first, n,
                   before, before, text(-chain.gravity[0]), text(-chain.gravity[1]), text(-chain.gravity[2]),
                   block(accelerations, chain.angle));
  s += fmt::format(
      "with R_i the rotation about e_i by {}_i, E the unit matrix, and for the link i, in its axes: e_i its "
      "axis, r_i from the joint "
      "before,\nm_i the mass, h_i the mass times the place of its centre, I_i the inertia about the joint, "
      "tau_i the torque:\n",
      chain.angle);
  for (const LinkQuantity& quantity : chain.links)
    for (const auto& [left, right] : quantity.values) s += fmt::format("  {:<7} = {}\n", left, right);
  return s;
}

std::string as_latex(const System& system, const ChainRecursion& chain) {
  const int n = chain.last, before = chain.first - 1;
  std::string s = fmt::format("% {}: recursion over i = {}..{}\n",
                              system.title.empty() ? system.name : system.title, chain.first, n);
  s += fmt::format("Outwards, $i = {}, \\dots, {}$, from $\\omega_{{{}}} = 0$:\n{}", chain.first, n, before,
                   latex_block(velocities, chain.angle));
  s += fmt::format(
      "inwards, $i = {0}, \\dots, {1}$, from $J_{{{0}}} = I_{{{0}}}$, $H_{{{0}}} = \\hat h_{{{0}}}$, "
      "$M_{{{0}}} = m_{{{0}}} E$, $n_{{{0}}} "
      "= \\omega_{{{0}}} \\times I_{{{0}}} \\omega_{{{0}}}$, $f_{{{0}}} = \\omega_{{{0}}} \\times "
      "(\\omega_{{{0}}} \\times h_{{{0}}})$:\n{2}",
      n, chain.first, latex_block(inertias, chain.angle));
  s += fmt::format(
      "outwards, $i = {}, \\dots, {}$, from $\\alpha_{{{}}} = 0$ and $a_{{{}}} = -g$, $g$ the acceleration "
      "of free fall:\n{}",
      chain.first, n, before, before, latex_block(accelerations, chain.angle));
  s += "with, for the link $i$:\n\\begin{verbatim}\n";
  for (const LinkQuantity& quantity : chain.links)
    for (const auto& [left, right] : quantity.values) s += fmt::format("{} = {}\n", left, right);
  return s + "\\end{verbatim}\n";
}

}  // namespace rattleback
