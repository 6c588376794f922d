#include "native_option.hpp"

#include <rattleback/native/compiler.hpp>

namespace rattleback::app {

Option native_option() {
  return {"--native",
          "MODE",
          "compile the motion to machine code: auto (when it pays), on, off; the numbers are the same",
          "auto",
          {"auto", "on", "off"}};
}

void choose_native(const Arguments& args) {
  const std::string mode = args.get("--native");
  set_native_mode(mode == "on" ? NativeMode::on : mode == "off" ? NativeMode::off : NativeMode::automatic);
}

}  // namespace rattleback::app
