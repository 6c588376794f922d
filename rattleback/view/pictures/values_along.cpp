#include <rattleback/view/pictures/values_along.hpp>

#include <algorithm>

namespace rattleback {

Code code_along(const Flow& flow, std::vector<Expr> expressions) {
  std::vector<Symbol> inputs = flow.equations().configuration;
  inputs.insert(inputs.end(), flow.equations().speeds.begin(), flow.equations().speeds.end());
  inputs.push_back(flow.system().time);
  SymbolMap quasi;  // where all velocities are speeds
  for (const QuasiVelocity& u : flow.system().velocities)
    if (std::ranges::find(inputs, u.symbol) == inputs.end()) quasi.emplace(u.symbol, u.expression);
  for (Expr& e : expressions)
    e = with_formulas(flow.system(), substitute(substitute(e, quasi), flow.equations().velocities));
  return straight_line(inputs, flow.parameters(), expressions);
}

std::vector<std::vector<double>> values_along(const Flow& flow, const Code& code,
                                              const std::vector<double>& times,
                                              const std::vector<std::vector<double>>& rows,
                                              std::size_t most) {
  const std::size_t width = flow.equations().configuration.size() + flow.equations().speeds.size();
  const std::vector<double> parameters = flow.parameter_values<double>();
  Evaluator<double> f(code, parameters);
  std::vector<std::vector<double>> values;
  for (std::size_t k = 0; k < std::min(most, rows.size()); ++k) {
    std::vector<double> x(rows[k].begin(), rows[k].begin() + static_cast<long>(width));
    x.push_back(times[k]);
    values.emplace_back(code.outputs.size());
    f(x.data(), values.back().data());
  }
  return values;
}

std::vector<std::vector<double>> values_along(const Flow& flow, const std::vector<double>& times,
                                              const std::vector<std::vector<double>>& rows,
                                              std::vector<Expr> expressions) {
  return values_along(flow, code_along(flow, std::move(expressions)), times, rows);
}

bool is_angle(const Flow& flow, Symbol q) {
  for (const Factor& factor : flow.system().space.factors())
    for (const Piece& piece : factor.pieces)
      if (piece.functions.front() == q) return piece.carrier == Carrier::angle;
  return false;
}

}  // namespace rattleback
