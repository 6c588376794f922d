#pragma once
/// Eigenvalues of linearised motions as functions of one parameter: a table or curve of the spectrum.

#include <complex>
#include <string>
#include <vector>

#include <rattleback/motion/forms/linearisation.hpp>
#include <rattleback/view/pictures/plot.hpp>

namespace rattleback {

struct SpectrumCurve {
  std::string name;  ///< of what varies
  std::vector<double> values;
  std::vector<std::vector<std::complex<double>>> eigenvalues;  ///< one list for each value
};

/// `name` is a parameter of the model, on which others may depend, or a letter of the steady motion.
/// Throws Error[unknown-symbol], and Error[no-value] when another letter has no value.
SpectrumCurve spectrum_along(const System& system, const Linearisation& small, const std::string& name,
                             const std::vector<double>& values);

std::string as_text(const SpectrumCurve& curve);
/// Schema rattleback.spectrum/1.
std::string as_json(const System& system, const SpectrumCurve& curve);
/// Real and imaginary parts over the parameter.
std::vector<Panel> panels_of(const SpectrumCurve& curve);
Picture drawn(const std::string& title, const SpectrumCurve& curve, const FigureStyle& style = {});

}  // namespace rattleback
