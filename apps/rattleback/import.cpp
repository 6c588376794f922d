/// rattleback import ROBOT.urdf: a model file from a robot description.
#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/pieces.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/reading/urdf.hpp>

#include "import_verb.hpp"
#include "output_file.hpp"

namespace rattleback::app {
namespace {

int import_model(const Arguments& args) {
  const Source source = read_source(*args.positional());
  UrdfOptions options;
  options.base = args.get("--base");
  for (const std::string& list : args.all("--wheel"))
    for (const std::string& joint : pieces(list, ',')) options.wheels.push_back(joint);
  const ImportedModel model = model_from_urdf(source, options);
  read_model(model.text, "the imported model");  // a model that cannot be read is not handed out
  for (const std::string& what : model.ignored) fmt::print(stderr, "note: left out: {}\n", what);
  if (!args.has("--output")) {
    fmt::print("{}", model.text);
    return Exit::done;
  }
  write_file(args.get("--output"), model.text);
  fmt::print("{} written\n", args.get("--output"));
  return Exit::done;
}

}  // namespace

Verb import_verb() {
  return {"import",
          "a model file from a robot description in URDF",
          "FILE",
          "",
          {{"--wheel", "JOINT", "the child of this joint rolls on the plane z = 0", "", {}, true},
           {"--base",
            "KIND",
            "how the root link is held: planar where there are wheels, otherwise weld",
            "",
            {"weld", "planar", "free"}},
           {"--output", "FILE", "write the model there instead of printing it"}},
          {"rattleback import robot.urdf -o robot.toml",
           "rattleback import cart.urdf --wheel left_wheel_joint --wheel right_wheel_joint -o cart.toml"},
          import_model};
}

}  // namespace rattleback::app
