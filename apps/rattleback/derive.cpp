/// rattleback derive MODEL: equations of motion.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/motion/forms/derivation.hpp>
#include <rattleback/motion/forms/suggested_speeds.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/sweep/axis.hpp>
#include <rattleback/view/programs/motion_module.hpp>
#include <rattleback/view/results/equations.hpp>
#include <rattleback/view/results/linearisation.hpp>
#include <rattleback/view/results/spectrum.hpp>
#include <rattleback/view/vectors/chain_recursion.hpp>
#include <rattleback/view/vectors/vector_equations.hpp>
#include <rattleback/view/vectors/wheeled_chain.hpp>

#include "figure_options.hpp"
#include "model_argument.hpp"
#include "output_file.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

std::vector<std::string> names_of_forms() {
  std::vector<std::string> names;
  for (const Formalism& f : all_formalisms()) names.push_back(f.name);
  return names;
}

/// The forms that --form names: one, several separated by commas, or all.
std::vector<Formalism> requested(const std::string& names) {
  std::vector<Formalism> forms;
  for (const std::string& name : listed(names, names_of_forms())) forms.push_back(formalism(name));
  return forms;
}

/// --style: vectors where they are asked for, or where no form is named and they are shorter than components.
std::optional<std::string> in_vectors(const System& system, const EquationsOfMotion& equations,
                                      const Arguments& args, const std::string& components) {
  const std::string style = args.get("--style"), format = args.get("--format");
  if (style == "components" || args.has("--steps")) return std::nullopt;
  if (style != "vector" && args.has("--form")) return std::nullopt;
  const auto page = vector_equations(system, equations);
  if (!page) return std::nullopt;
  std::string written = format == "latex" ? as_latex(system, *page) : as_text(system, *page);
  if (style != "vector" && written.size() >= components.size()) return std::nullopt;
  return written;
}

/// The page of a chain of joints, or of links on wheels.
std::optional<std::string> recursion_page(const System& system, bool latex) {
  if (const auto chain = chain_recursion(system))
    return latex ? as_latex(system, *chain) : as_text(system, *chain);
  if (const auto chain = wheeled_chain(system))
    return latex ? as_latex(system, *chain) : as_text(system, *chain);
  return std::nullopt;
}

/// A chain of equal links as a recursion, unless components or a form are asked for; a short chain whose components are shorter keeps these.
std::optional<std::string> as_recursion(const System& system, const Derivation& found,
                                        const Arguments& args) {
  const std::string style = args.get("--style"), format = args.get("--format");
  if (style == "components" || args.has("--steps") || (style != "vector" && args.has("--form")))
    return std::nullopt;
  auto page = recursion_page(system, format == "latex");
  if (!page || style == "vector" ||
      system.space.dimension() > static_cast<int>(legible::chain_in_components.count))
    return page;
  const EquationsOfMotion& equations = found.forms.front();
  const std::string components =
      format == "latex" ? as_latex(system, equations, false) : as_text(system, equations, false);
  return page->size() < components.size() ? page : std::nullopt;
}

void print(const System& system, const Derivation& found, const Arguments& args) {
  const std::string format = args.get("--format");
  const bool steps = args.has("--steps");
  if (format == "c" || format == "python") {
    const MotionModule module = motion_module(system, found.forms.front());
    fmt::print("{}", format == "c" ? as_c(module) : as_python(module));
    return;
  }
  if (format == "json") {
    fmt::print("{}",
               as_json(system, found.forms, found.absent, found.agreement ? &*found.agreement : nullptr));
    return;
  }
  if (const auto recursion = found.agreement ? std::nullopt : as_recursion(system, found, args)) {
    fmt::print("{}", *recursion);
    return;
  }
  for (const EquationsOfMotion& equations : found.forms) {
    std::string page =
        format == "latex" ? as_latex(system, equations, steps) : as_text(system, equations, steps);
    if (const auto vectors = in_vectors(system, equations, args, page)) {
      page = *vectors;
    } else if (format == "text" && !args.has("--form")) {
      if (const auto speeds = suggested_speeds(system, equations)) page += as_text(*speeds);
    }
    fmt::print("{}{}", page, found.agreement ? "\n" : "");
  }
  if (found.agreement && format == "text") fmt::print("{}", as_text(*found.agreement, found.absent));
}

/// --vary: eigenvalues against a parameter, as a table and as a plot.
int spectra(const System& system, const Linearisation& small, const Arguments& args) {
  const Axis along = axis(args.get("--vary"));
  if (along.random())
    throw Error("usage", "eigenvalues are computed along a grid", "", "write --vary v=0:10:101")
        .at(command_line("--vary"));
  std::vector<double> values;
  for (std::size_t i = 0; i < along.grid_size(); ++i) values.push_back(along.grid_value(i));
  const SpectrumCurve curve = spectrum_along(system, small, along.name, values);
  if (args.has("--plot")) {
    write_figure(args.get("--plot"), drawn(figure_title(args, system.title), curve, figure_style(args)));
  }
  fmt::print("{}", args.get("--format") == "json" ? as_json(system, curve) : as_text(curve));
  return Exit::done;
}

int linearise(const System& system, const Arguments& args) {
  if (args.has("--plot")) require_figure(args, args.get("--plot"));
  const std::string about = args.get("--linearise"), format = args.get("--format");
  if (format != "text" && format != "json")
    throw Error("usage", "small motions are printed as text or json", "", "give --format text or json");
  const Linearisation small = linearisation(system, assignments(about, "--linearise", "theta=0,u=1"));
  if (args.has("--vary")) return spectra(system, small, args);
  fmt::print("{}", format == "json" ? as_json(system, small) : as_text(system, small));
  return Exit::done;
}

int derive(const Arguments& args) {
  const Limits limits = time_limits(args);
  const System model = model_argument(args);
  const auto rest = overconstrained(model);
  const System& system = rest ? rest->system : model;
  const std::string format = args.get("--format");
  if (args.has("--linearise")) {
    const Budget budget(limits);
    return linearise(system, args);
  }
  for (const char* option : {"--vary", "--plot"})
    if (args.has(option))
      throw Error("usage", fmt::format("{} belongs to --linearise", option), "",
                  "say about which steady motion")
          .at(command_line(option));
  const std::vector<Formalism> forms =
      args.has("--form") && !(args.get("--form") == "all" && is_first_order(system))
          ? requested(args.get("--form"))
          : std::vector{usual_formalism(system)};
  if ((format == "c" || format == "python") && forms.size() > 1)
    throw Error("usage", "a program has one form of the equations", "", "give one --form");
  const std::optional<double> each = limits.time ? std::optional(limits.time->count()) : std::nullopt;
  Derivation found = derivation(system, forms, format == "json", each);
  if (rest) found = noted(std::move(found), *rest);
  if (found.forms.empty())
    throw Exhausted(fmt::format("{} within {:g} s", found.absent.front().why, each.value_or(0)));
  const Budget budget(limits);
  print(system, found, args);
  if (!found.agreement) return Exit::done;
  if (rattleback::refuted(found.agreement->motion))
    throw Bug("forms disagree: " + found.agreement->difference);
  if (rattleback::refuted(found.agreement->balance)) throw Bug("the energy does not balance");
  return proved(found.agreement->motion) ? Exit::done : Exit::undecided;
}

/// "hamel (Hamel's equations), …" from the table of formalisms.
Option form_option() {
  std::vector<std::string> described;
  for (const Formalism& f : all_formalisms()) {
    described.push_back(fmt::format("{} ({})", f.name, f.title));
  }
  return {"--form",
          "F,...",
          fmt::format("classical forms, or `all` that apply: {}; of several it is proved that they agree; "
                      "otherwise hamel, for nonlinear constraints gibbs-appell or multipliers",
                      fmt::join(described, ", ")),
          "",
          names_of_forms(),
          false,
          true};
}

}  // namespace

Verb derive_verb() {
  return {"derive",
          "the equations of motion",
          "MODEL",
          "",
          with_figure_options(
              {form_option(),
               {"--steps", "", "show the derivation, step by step"},
               {"--style",
                "STYLE",
                "`vector`: rotations, momenta and torques as vectors, K' = K × Omega + ..., where the system "
                "has a "
                "rigid body; `components`: one line for each speed; otherwise vectors when no --form is "
                "named and "
                "they are shorter; `light` or `dark`: colours of a figure",
                "",
                {"vector", "components", "light", "dark"}},
               {"--linearise", "NAME=VALUE,...",
                "instead, small motions about this equilibrium or steady motion, with eigenvalues; what is "
                "not named "
                "is 0, and letters that the model does not know are symbols"},
               {"--vary", "N=FIRST:LAST:COUNT",
                "with --linearise: eigenvalues against a parameter, or a letter of the steady motion"},
               {"--plot", "FILE", "with --vary: draw them; .svg, .pdf or .png"},
               timeout_option(
                   "seconds of computing for each form, and again for their comparison and for the page"),
               format_option({"text", "latex", "json", "c", "python"}),
               set_option()}),
          {"rattleback derive chaplygin-sleigh --form hamel", "rattleback derive chaplygin-sleigh --form all",
           "rattleback derive my-model.toml --steps --format latex",
           "rattleback derive bicycle --linearise rear_rate=4.6/rR",
           "rattleback derive bicycle --linearise rear_rate=v/rR --vary v=0:10:201 --plot eigenvalues.svg"},
          derive};
}

}  // namespace rattleback::app
