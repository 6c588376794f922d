/// Equations of motion, their agreement, and small motions.
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/motion/forms/derivation.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/view/programs/more_languages.hpp>
#include <rattleback/view/programs/motion_module.hpp>
#include <rattleback/view/programs/rate_jacobian.hpp>
#include <rattleback/view/results/equations.hpp>
#include <rattleback/view/results/latex_section.hpp>
#include <rattleback/view/results/linearisation.hpp>
#include <rattleback/view/results/spectrum.hpp>

#include "figures.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;
using Equations = std::shared_ptr<EquationsOfMotion>;

/// The form of that name, or the usual one; where asked for, with multipliers and reactions whatever the form.
Equations derive(const Model& model, const std::optional<std::string>& form, bool reactions,
                 const Waiting& how) {
  return run(
      [model, form, reactions](Task&) {
        const auto rest = overconstrained(*model);
        const System& system = rest ? rest->system : *model;
        const Formalism& row = form ? formalism(*form) : usual_formalism(system);
        Derivation found = derivation(system, {row}, reactions);
        if (rest) found = noted(std::move(found), *rest);
        return std::make_shared<EquationsOfMotion>(std::move(found.forms.front()));
      },
      how);
}

py::list statements(const std::vector<Statement>& all) {
  py::list list;
  for (const Statement& s : all) list.append(py::make_tuple(s.name, py::cast(s.value)));
  return list;
}

/// Short forms of long formulas take their time: where Ctrl-C works.
template <class F>
std::string written(F f) {
  return run([f](Task&) -> std::string { return f(); }, {std::nullopt, py::none()});
}

/// Languages in which a motion can be written down as a program.
constexpr std::pair<const char*, std::string (*)(const MotionModule&)> languages[] = {
    {"c", as_c},           {"python", rattleback::as_python},
    {"js", as_javascript}, {"julia", as_julia},
    {"matlab", as_matlab}, {"fortran", as_fortran},
    {"sympy", as_sympy},   {"modelica", as_modelica},
    {"auto", as_auto}};

std::string program(const MotionModule& module, const std::string& language) {
  for (const auto& [name, text] : languages)
    if (language == name) return text(module);
  throw Error("usage", "`" + language + "` is no language of export", "", "choose one of rb.languages");
}

py::list steps(const Equations& equations) {
  run([equations](Task&) { return equations->steps.all().size(); }, {std::nullopt, py::none()});
  py::list list;
  for (const Step& step : equations->steps)
    list.append(py::make_tuple(step.title, step.remark, statements(step.lines)));
  return list;
}

py::list assumptions(const EquationsOfMotion& equations) {
  py::list list;
  for (const Assumption& a : equations.where)
    list.append(
        py::make_tuple(py::cast(a.expression), a.kind == Assumption::Kind::positive ? "> 0" : "!= 0", a.why));
  return list;
}

py::list named(const std::vector<Symbol>& symbols, const std::vector<Expr>& values) {
  py::list list;
  for (std::size_t k = 0; k < symbols.size(); ++k)
    list.append(py::make_tuple(py::cast(Expr(symbols[k])), symbols[k].name(), py::cast(values[k])));
  return list;
}

py::dict verdict_as_python(const Verdict& v) {
  py::dict d;
  d["outcome"] = proved(v) ? "proved" : refuted(v) ? "refuted" : "undecided";
  d["evidence"] = evidence(v);
  if (const auto* u = std::get_if<Undecided>(&v)) {
    d["obstacle"] = u->obstacle;
    d["next_step"] = u->next_step;
  }
  return d;
}

py::dict agreement_of(const Model& model, const std::vector<std::string>& names, const Waiting& how) {
  const Derivation found = run(
      [model, names](Task&) {
        std::vector<Formalism> forms;
        for (const std::string& name : names) forms.push_back(formalism(name));
        const auto rest = overconstrained(*model);
        return rest ? noted(derivation(rest->system, forms, false), *rest) : derivation(*model, forms, false);
      },
      how);
  py::dict d;
  py::list absent, forms;
  for (const Absent& a : found.absent) absent.append(py::make_tuple(a.form, a.why));
  d["absent"] = absent;
  if (!found.agreement) {
    for (const EquationsOfMotion& e : found.forms) forms.append(e.form);
    d["forms"] = forms;
    return d;
  }
  const Agreement& agreement = *found.agreement;
  for (const std::string& form : agreement.forms) forms.append(form);
  d["forms"] = forms;
  d["motion"] = verdict_as_python(agreement.motion);
  d["balance"] = verdict_as_python(agreement.balance);
  d["difference"] = agreement.difference;
  d["balance_of"] = agreement.balance_of;
  d["text"] = as_text(agreement, found.absent);
  return d;
}

struct SmallMotion {
  Model model;
  Linearisation small;
  Matrix A;  ///< of the first-order equations
};

std::shared_ptr<SmallMotion> linearise(const Model& model, const Assignments& at, const Waiting& how) {
  return run(
      [model, at](Task&) {
        const auto rest = overconstrained(*model);
        SmallMotion made{rest ? std::make_shared<System>(rest->system) : model,
                         linearisation(rest ? rest->system : *model, at),
                         {}};
        made.A = state_matrix(made.small);
        return std::make_shared<SmallMotion>(std::move(made));
      },
      how);
}

/// The eigenvalues where every symbol has a value in the model.
std::vector<std::complex<double>> eigenvalues(const SmallMotion& s) {
  Numbers numbers;
  for (const auto& [symbol, value] : parameter_values(*s.model))
    numbers.emplace(symbol, evaluate(value, Numbers{}));
  return spectrum(s.small, numbers);
}

/// Symbols of the matrices that the model gives no value: letters of the steady motion.
std::vector<std::string> free_letters(const SmallMotion& s) {
  const SymbolMap known = parameter_values(*s.model);
  std::vector<std::string> free;
  for (const Symbol letter : symbols_of(s.A.entries()))
    if (letter.role() != Role::constant && !known.contains(letter)) free.push_back(letter.name());
  return free;
}

/// In parts, so that it can be told how far it has come, and stopped.
SpectrumCurve spectrum_in_parts(const System& system, const Linearisation& small, const std::string& name,
                                const std::vector<double>& values, Task& task) {
  constexpr std::size_t part = 64;
  if (values.size() <= part) return spectrum_along(system, small, name, values);
  SpectrumCurve all{name, {}, {}};
  for (std::size_t first = 0; first < values.size() && !task.stop; first += part) {
    task.report("eigenvalues over " + name, static_cast<double>(first) / static_cast<double>(values.size()));
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(part, values.size() - first));
    SpectrumCurve some = spectrum_along(system, small, name, {begin, end});
    all.values.insert(all.values.end(), some.values.begin(), some.values.end());
    all.eigenvalues.insert(all.eigenvalues.end(), some.eigenvalues.begin(), some.eigenvalues.end());
  }
  return all;
}

py::tuple spectrum_over(const SmallMotion& s, const std::string& name, const std::vector<double>& values,
                        const Waiting& how) {
  const SpectrumCurve curve =
      run([model = s.model, small = s.small, name,
           values](Task& task) { return spectrum_in_parts(*model, small, name, values, task); },
          how);
  const std::size_t count = curve.eigenvalues.empty() ? 0 : curve.eigenvalues.front().size();
  py::array_t<std::complex<double>> all(
      {static_cast<py::ssize_t>(count), static_cast<py::ssize_t>(values.size())});
  auto to = all.mutable_unchecked<2>();
  for (py::ssize_t k = 0; k < to.shape(1); ++k)
    for (py::ssize_t i = 0; i < to.shape(0); ++i)
      to(i, k) = curve.eigenvalues[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
  return py::make_tuple(all, as_text(curve), panels_as_python(panels_of(curve)));
}

std::vector<std::string> state_names(const SmallMotion& s) {
  std::vector<std::string> names;
  for (const auto* part : {&s.small.configuration, &s.small.speeds})
    for (const Symbol symbol : *part) names.push_back(symbol.name());
  return names;
}

}  // namespace

void bind_equations(py::module_& m) {
  py::class_<EquationsOfMotion, Equations>(m, "Equations")
      .def_readonly("form", &EquationsOfMotion::form)
      .def_readonly("notes", &EquationsOfMotion::notes)
      .def_property_readonly(
          "configuration",
          [](const EquationsOfMotion& e) { return named(e.configuration, e.configuration_rates); })
      .def_property_readonly("speeds",
                             [](const EquationsOfMotion& e) { return named(e.speeds, e.speed_rates); })
      .def_property_readonly("speed_definitions",
                             [](const EquationsOfMotion& e) { return e.speed_definitions; })
      .def_property_readonly("velocities",
                             [](const EquationsOfMotion& e) {
                               py::list list;
                               for (const auto& [v, psi] : e.velocities)
                                 list.append(py::make_tuple(v.name(), py::cast(psi)));
                               return list;
                             })
      .def_property_readonly("multipliers",
                             [](const EquationsOfMotion& e) { return statements(e.multipliers); })
      .def_property_readonly("reactions", [](const EquationsOfMotion& e) { return statements(e.reactions); })
      .def_property_readonly("assumptions", assumptions)
      .def("steps", steps)
      .def("text", [](const Equations& e, const Model& s,
                      bool steps) { return written([=] { return as_text(*s, *e, steps); }); })
      .def("latex", [](const Equations& e, const Model& s,
                       bool steps) { return written([=] { return as_latex(*s, *e, steps); }); })
      .def("section", [](const Equations& e,
                         const Model& s) { return written([=] { return as_latex_section(*s, *e); }); })
      .def("program",
           [](const Equations& e, const Model& s, const std::string& language) {
             return written([=] {
               return program(with_jacobian(motion_module(*s, *e, open_functions_in(language))), language);
             });
           })
      .def("json",
           [](const Equations& e, const Model& s) { return written([=] { return as_json(*s, {*e}); }); });
  m.def("derive", [](const Model& s, const std::optional<std::string>& form, bool reactions,
                     const std::optional<double>& timeout, const py::object& progress) {
    return derive(s, form, reactions, {timeout, progress});
  });
  m.def("languages", [] {
    std::vector<std::string> all;
    for (const auto& [name, text] : languages) all.emplace_back(name);
    return all;
  });
  m.def("forms", [] {
    py::list all;
    for (const Formalism& f : all_formalisms()) all.append(py::make_tuple(f.name, f.title, f.agrees));
    return all;
  });
  m.def("agreement", [](const Model& s, const std::vector<std::string>& forms,
                        const std::optional<double>& timeout, const py::object& progress) {
    return agreement_of(s, forms, {timeout, progress});
  });

  py::class_<SmallMotion, std::shared_ptr<SmallMotion>>(m, "SmallMotion")
      .def_property_readonly("names", state_names)
      .def_property_readonly("A", [](const SmallMotion& s) { return as_python(s.A); })
      .def_property_readonly("M", [](const SmallMotion& s) { return as_python(s.small.M); })
      .def_property_readonly("C", [](const SmallMotion& s) { return as_python(s.small.C); })
      .def_property_readonly("K", [](const SmallMotion& s) { return as_python(s.small.K); })
      .def_property_readonly("N", [](const SmallMotion& s) { return as_python(s.small.N); })
      .def_property_readonly("J", [](const SmallMotion& s) { return as_python(s.small.J); })
      .def_property_readonly("notes", [](const SmallMotion& s) { return s.small.notes; })
      .def_property_readonly("free", free_letters)
      .def("text", [](const SmallMotion& s) { return as_text(*s.model, s.small); })
      .def("eigenvalues", eigenvalues)
      .def("along", [](const SmallMotion& s, const std::string& name, const std::vector<double>& values,
                       const std::optional<double>& timeout, const py::object& progress) {
        return spectrum_over(s, name, values, {timeout, progress});
      });
  m.def("linearise", [](const Model& s, const Assignments& at, const std::optional<double>& timeout,
                        const py::object& progress) {
    return linearise(s, at, {timeout, progress});
  });
}

}  // namespace rattleback::python
