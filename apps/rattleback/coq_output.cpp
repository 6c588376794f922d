#include "coq_output.hpp"

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/coq/coq_theorem.hpp>

#include "output_file.hpp"

namespace rattleback::app {

Option to_option() {
  return {"--to", "coq FILE.v",
          "write what is proved as a Coq theorem about the model, with its proof; without FILE.v to the "
          "terminal"};
}

Option coq_option() { return {"--coq", "", "let `coqc` check what is decided, and mark what it accepts"}; }

bool write_coq(const Arguments& args, const Data& certificate, const std::string& model) {
  const std::string to = args.get("--to");
  const std::size_t comma = to.find(',');
  if (to.substr(0, comma) != "coq")
    throw Error("usage", fmt::format("`{}` is not a form that proofs are written in", to), "",
                "write --to coq")
        .at(command_line("--to"));
  if (certificate.is_null())
    throw NoCoqForm("no-coq-form", "the answer carries no certificate",
                    "it is not decided exactly, or its formulas are too long",
                    "ask another question, or set parameters")
        .at(command_line("--to"));
  const std::string text = coq_file(certificate, model);
  if (comma == std::string::npos) {
    fmt::print("{}", text);
    return true;
  }
  write_file(to.substr(comma + 1), text);
  return false;
}

}  // namespace rattleback::app
