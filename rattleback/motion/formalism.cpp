#include <rattleback/motion/formalism.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/motion/hamel.hpp>

namespace rattleback {

const std::vector<Formalism>& all_formalisms() {
  static const std::vector<Formalism> rows{
      {"hamel", "Hamel's equations", hamel_equations},
  };
  return rows;
}

const Formalism& formalism(const std::string& name) {
  std::vector<std::string> names;
  for (const Formalism& f : all_formalisms()) {
    if (f.name == name) return f;
    names.push_back(f.name);
  }
  const auto close = nearest(name, names);
  throw Error("unknown-form", fmt::format("`{}` is not a form of the equations of motion", name), "",
              close.empty() ? fmt::format("choose from {}", fmt::join(names, ", "))
                            : fmt::format("did you mean `{}`?", close[0]));
}

}  // namespace rattleback
