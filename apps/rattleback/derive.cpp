/// rattleback derive MODEL: equations of motion.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/motion/formalism.hpp>
#include <rattleback/view/equations.hpp>

#include "model_argument.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

int derive(const Arguments& args) {
  const System system = model_argument(args);
  const EquationsOfMotion equations = formalism(args.get("--form")).derive(system);
  const std::string format = args.get("--format");
  const bool steps = args.has("--steps");
  if (format == "json") {
    fmt::print("{}", as_json(system, {equations}));
  } else if (format == "latex") {
    fmt::print("{}", as_latex(system, equations, steps));
  } else {
    fmt::print("{}", as_text(system, equations, steps));
  }
  return Exit::done;
}

/// "hamel (Hamel's equations), …" from the table of formalisms.
Option form_option() {
  std::vector<std::string> names, described;
  for (const Formalism& f : all_formalisms()) {
    names.push_back(f.name);
    described.push_back(fmt::format("{} ({})", f.name, f.title));
  }
  return {"--form", "F", fmt::format("the classical form: {}", fmt::join(described, ", ")), "hamel", names};
}

}  // namespace

Verb derive_verb() {
  return {"derive",
          "the equations of motion",
          "MODEL",
          "",
          {form_option(),
           {"--steps", "", "show the derivation, step by step"},
           format_option({"text", "latex", "json"}),
           set_option()},
          {"rattleback derive chaplygin-sleigh --form hamel",
           "rattleback derive my-model.toml --steps --format latex"},
          derive};
}

}  // namespace rattleback::app
