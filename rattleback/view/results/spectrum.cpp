#include <rattleback/view/results/spectrum.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

double without_rounding(double x) { return std::abs(x) < 1e-9 ? 0 : x; }

std::string complex_text(std::complex<double> z) {
  const double re = without_rounding(z.real()), im = without_rounding(z.imag());
  return im == 0 ? fmt::format("{:.6g}", re) : fmt::format("{:.6g}{:+.6g}i", re, im);
}

/// The symbol of that name: a parameter, or a letter that the small motions were written with.
Symbol varied(const System& system, const Linearisation& small, const std::string& name) {
  std::vector<std::string> names;
  for (const Parameter& p : system.parameters) {
    if (p.symbol.name() == name) return p.symbol;
    names.push_back(p.symbol.name());
  }
  for (const Matrix* m : {&small.N, &small.J, &small.M, &small.C, &small.K})
    for (const Symbol s : symbols_of(m->entries()))
      if (s.name() == name) return s;
  const auto close = nearest(name, names);
  throw Error("unknown-symbol",
              fmt::format("`{}` is neither a parameter nor a letter of the steady motion", name), "",
              close.empty() ? "use it in --linearise, e.g. --linearise u=v --vary v=0:1:11"
                            : fmt::format("did you mean `{}`?", close[0]));
}

}  // namespace

SpectrumCurve spectrum_along(const System& system, const Linearisation& small, const std::string& name,
                             const std::vector<double>& values) {
  const Symbol s = varied(system, small, name);
  System open = system;
  for (Parameter& p : open.parameters)
    if (p.symbol == s) p.value = Expr(s);  // what depends on it, depends on it
  const SymbolMap parameters = parameter_values(open);
  SpectrumCurve curve{name, values, {}};
  for (const double value : values) {
    Numbers at{{s, value}};
    for (const auto& [p, expression] : parameters)
      if (!(p == s)) at.emplace(p, evaluate(expression, Numbers{{s, value}}));
    curve.eigenvalues.push_back(spectrum(small, at));
  }
  return curve;
}

std::string as_text(const SpectrumCurve& curve) {
  std::string text = fmt::format("{:>12}  eigenvalues\n", curve.name);
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    text += fmt::format("{:>12.6g} ", curve.values[i]);
    for (const std::complex<double> z : curve.eigenvalues[i]) text += " " + complex_text(z);
    text += "\n";
  }
  return text;
}

std::string as_json(const System& system, const SpectrumCurve& curve) {
  nlohmann::ordered_json out{
      {"schema", "rattleback.spectrum/1"}, {"model", system.name}, {"vary", curve.name}};
  out["values"] = curve.values;
  out["eigenvalues"] = nlohmann::ordered_json::array();
  for (const auto& list : curve.eigenvalues) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (const std::complex<double> z : list) row.push_back({z.real(), z.imag()});
    out["eigenvalues"].push_back(std::move(row));
  }
  return out.dump(1) + "\n";
}

std::vector<Panel> panels_of(const SpectrumCurve& curve) {
  PlotCurve real{"", {}, {}, true}, imaginary{"", {}, {}, true}, zero{"", {}, {}};
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    for (const std::complex<double> z : curve.eigenvalues[i]) {
      real.x.push_back(curve.values[i]);
      real.y.push_back(z.real());
      imaginary.x.push_back(curve.values[i]);
      imaginary.y.push_back(z.imag());
    }
  }
  if (!curve.values.empty()) zero = {"", {curve.values.front(), curve.values.back()}, {0, 0}};
  return {{"real parts", curve.name, "1/s", {real, zero}},
          {"imaginary parts", curve.name, "1/s", {imaginary}}};
}

Picture drawn(const std::string& title, const SpectrumCurve& curve, const FigureStyle& style) {
  return drawn(title, panels_of(curve), style);
}

}  // namespace rattleback
