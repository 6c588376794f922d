// Declared in view/vectors/wheeled_chain.hpp. The recursion (T.6)-(T.8) over the links of a chain on wheels, written out for an index i.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/view/vectors/recursion_lines.hpp>
#include <rattleback/view/vectors/wheeled_chain.hpp>

namespace rattleback {
namespace {

bool has(const WheeledChain& chain, const char* name) {
  return std::ranges::find(chain.quantities, name, &LinkQuantity::name) != chain.quantities.end();
}

std::vector<RecursionLine> outward_lines(const WheeledChain& chain) {
  const RecursionLine transfer =
      has(chain, "b")
          ? RecursionLine{"T_i", "[[cos(phi_i), b_i*sin(phi_i)], [sin(phi_i)/d_i, -b_i*cos(phi_i)/d_i]]",
                          "T_i",
                          "\\begin{bmatrix} \\cos\\varphi_i & b_i \\sin\\varphi_i \\\\ \\sin(\\varphi_i)/d_i "
                          "& "
                          "-b_i \\cos(\\varphi_i)/d_i \\end{bmatrix}"}
          : RecursionLine{
                "T_i", "[[cos(phi_i), 0], [sin(phi_i)/d_i, 0]]", "T_i",
                "\\begin{bmatrix} \\cos\\varphi_i & 0 \\\\ \\sin(\\varphi_i)/d_i & 0 \\end{bmatrix}"};
  return {{"phi_i", "theta_(i-1) - theta_i", "\\varphi_i", "\\theta_{i-1} - \\theta_i"},
          transfer,
          {"z_i", "T_i*z_(i-1)", "z_i", "T_i z_{i-1}"},
          {"c_i", "(w_(i-1) - w_i)*[-d_i*w_i, v_i/d_i]", "c_i",
           "(w_{i-1} - w_i) \\begin{bmatrix} -d_i w_i \\\\ v_i/d_i \\end{bmatrix}"}};
}

bool has_own_forces(const WheeledChain& chain) {
  return has(chain, "h") || has(chain, "F") || has(chain, "tau");
}

std::vector<RecursionLine> inward_lines(const WheeledChain& chain) {
  constexpr RecursionLine forces[2][2] = {
      {{"p_(i-1)", "transpose(T_i)*(p_i + N_i*c_i)", "p_{i-1}", "T_i^T (p_i + N_i c_i)"},
       {"p_(i-1)", "[0, u_i] + transpose(T_i)*(p_i - [0, u_i] + N_i*c_i)", "p_{i-1}",
        "u_i e_2 + T_i^T (p_i - u_i e_2 + N_i c_i)"}},
      {{"p_(i-1)", "n_(i-1) + transpose(T_i)*(p_i + N_i*c_i)", "p_{i-1}", "n_{i-1} + T_i^T (p_i + N_i c_i)"},
       {"p_(i-1)", "n_(i-1) + [0, u_i] + transpose(T_i)*(p_i - [0, u_i] + N_i*c_i)", "p_{i-1}",
        "n_{i-1} + u_i e_2 + T_i^T (p_i - u_i e_2 + N_i c_i)"}}};
  return {forces[has_own_forces(chain) ? 1 : 0][has(chain, "u") ? 1 : 0],
          {"N_(i-1)", "diag(m_(i-1), K_(i-1)) + transpose(T_i)*N_i*T_i", "N_{i-1}",
           "\\mathrm{diag}(m_{i-1}, K_{i-1}) + T_i^T N_i T_i"}};
}

/// n_i: what the link itself adds, −h w² − F along and h v w − τ about the axle.
std::string own_forces(const WheeledChain& chain) {
  if (!has_own_forces(chain)) return "";
  const bool h = has(chain, "h"), F = has(chain, "F"), tau = has(chain, "tau");
  const char* along = h && F ? "-h_i*w_i^2 - F_i" : h ? "-h_i*w_i^2" : F ? "-F_i" : "0";
  const char* about = h && tau ? "h_i*v_i*w_i - tau_i" : h ? "h_i*v_i*w_i" : tau ? "-tau_i" : "0";
  return fmt::format("n_i = [{}, {}],\n", along, about);
}

/// x' and y' of the point that the coordinates describe.
std::vector<std::pair<std::string, std::string>> position_lines(const WheeledChain& chain) {
  const int k = chain.first + static_cast<int>(chain.placed);
  const std::string v = fmt::format("v_{}", k), theta = fmt::format("(theta_{})", k);
  const std::string turn = fmt::format("({})*w_{}", text(chain.ahead), k);
  const bool on_axle = chain.ahead.is_zero();
  return {
      {chain.x.symbol().name() + "'", v + "*cos" + theta + (on_axle ? "" : " - " + turn + "*sin" + theta)},
      {chain.y.symbol().name() + "'", v + "*sin" + theta + (on_axle ? "" : " + " + turn + "*cos" + theta)}};
}

std::vector<std::pair<std::string, std::string>> position_lines_latex(const WheeledChain& chain) {
  const int k = chain.first + static_cast<int>(chain.placed);
  const std::string v = fmt::format("v_{{{}}}", k), theta = fmt::format("\\theta_{{{}}}", k);
  const std::string turn = fmt::format("({}) w_{{{}}} ", latex(chain.ahead), k);
  const bool on_axle = chain.ahead.is_zero();
  return {{fmt::format("\\dot{{{}}}", latex_name(chain.x.symbol().name())),
           v + " \\cos" + theta + (on_axle ? "" : " - " + turn + "\\sin" + theta)},
          {fmt::format("\\dot{{{}}}", latex_name(chain.y.symbol().name())),
           v + " \\sin" + theta + (on_axle ? "" : " + " + turn + "\\cos" + theta)}};
}

/// What the letters mean, of those that occur.
std::string legend(const WheeledChain& chain) {
  const std::pair<const char*, const char*> meanings[] = {
      {"b", "b_i from the axle before back to the hitch"},
      {"d", "d_i from the axle ahead to the hitch"},
      {"m", chain.wheels.empty() ? "m_i the mass" : "m_i the mass and what the turning of wheels adds"},
      {"h", "h_i the mass times the distance of its centre ahead of the axle"},
      {"K", chain.wheels.empty() ? "K_i the inertia about the axle"
                                 : "K_i the inertia about the axle and what the turning of wheels adds"},
      {"F", "F_i the force along the heading"},
      {"tau", "tau_i the torque"},
      {"u", "u_i the torque on theta_i - theta_(i-1)"}};
  std::vector<std::string> used;
  for (const auto& [name, meaning] : meanings)
    if (has(chain, name)) used.emplace_back(meaning);
  return fmt::format("{}", fmt::join(used, ", "));
}

/// The letters of the recursion, where the model uses them for something else, become others.
std::string lettered(const WheeledChain& chain, std::string s) {
  for (const auto& [letter, other] : chain.letters) s = with_letter(std::move(s), letter, other);
  return s;
}

std::string values_of(const WheeledChain& chain, const char* line) {
  std::string s;
  for (const LinkQuantity& quantity : chain.quantities)
    for (const auto& [left, right] : quantity.values)
      s += fmt::format(fmt::runtime(line), lettered(chain, left),
                       left == right ? "a parameter of this name" : right);
  return s;
}

std::string title_of(const System& system) { return system.title.empty() ? system.name : system.title; }

}  // namespace

std::string as_text(const System& system, const WheeledChain& chain) {
  const int first = chain.first, last = first + static_cast<int>(chain.links.size()) - 1;
  const std::string p = has_own_forces(chain) ? fmt::format("n_{}", last) : "[0, 0]";
  std::string s = fmt::format("{}: recursion over i = {}..{}\n\n", title_of(system), first, last);
  s += fmt::format("outwards, i = {}..{}, from z_{}, with z_i = [v_i, w_i]:\n{}", first + 1, last, first,
                   as_text(outward_lines(chain), ""));
  s += fmt::format("inwards, i = {0}..{1}, from N_{0} = diag(m_{0}, K_{0}), p_{0} = {3}:\n{2}", last,
                   first + 1, as_text(inward_lines(chain), ""), p);
  s += fmt::format("and then\n  z_{0}'    = -inverse(N_{0})*p_{0}\n  theta_i' = w_i\n", first);
  for (const auto& [left, right] : position_lines(chain)) s += fmt::format("  {:<8} = {}\n", left, right);
  s = lettered(chain, s);
  for (const auto& [left, right] : chain.wheel_lines) s += fmt::format("  {:<8} = {}\n", left, right);
  return s + fmt::format("with {},\n", chain.headings) +
         lettered(
             chain,
             fmt::format("v_i the speed of the axle of link i along its heading theta_i, w_i the rate of the "
                         "heading,\n{}{}:\n",
                         own_forces(chain), legend(chain))) +
         values_of(chain, "  {:<7} = {}\n");
}

std::string as_latex(const System& system, const WheeledChain& chain) {
  const int first = chain.first, last = first + static_cast<int>(chain.links.size()) - 1;
  const std::string p = has_own_forces(chain) ? fmt::format("n_{{{}}}", last) : "0";
  std::string s = fmt::format("% {}: recursion over i = {}..{}\n", title_of(system), first, last);
  s += fmt::format("Outwards, $i = {}, \\dots, {}$, with $z_i = (v_i, w_i)$:\n{}", first + 1, last,
                   as_latex(outward_lines(chain), ""));
  s += fmt::format(
      "inwards, $i = {0}, \\dots, {1}$, from $N_{{{0}}} = \\mathrm{{diag}}(m_{{{0}}}, K_{{{0}}})$, "
      "$p_{{{0}}} = "
      "{3}$:\n{2}",
      last, first + 1, as_latex(inward_lines(chain), ""), p);
  s += fmt::format(
      "and then\n\\begin{{align*}}\n  \\dot z_{{{0}}} &= -N_{{{0}}}^{{-1}} p_{{{0}}} \\\\\n  \\dot\\theta_i "
      "&= w_i",
      first);
  for (const auto& [left, right] : position_lines_latex(chain))
    s += fmt::format(" \\\\\n  {} &= {}", left, right);
  s += "\n\\end{align*}\nwith, for the link $i$:\n\\begin{verbatim}\n";
  s = lettered(chain, s);
  for (const auto& [left, right] : chain.wheel_lines) s += fmt::format("{} = {}\n", left, right);
  return s + chain.headings + "\n" + lettered(chain, own_forces(chain)) + values_of(chain, "{} = {}\n") +
         "\\end{verbatim}\n";
}

}  // namespace rattleback
