#include "figure_options.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>

#include "output_file.hpp"

namespace rattleback::app {

std::vector<Option> with_figure_options(std::vector<Option> options) {
  std::vector<Option> more{
      {"--title", "TEXT", "above the figure, in place of the model's title; \"\" for none"},
      {"--size", "MMxMM",
       "width, or width and height, of the figure in millimetres: 85, 170x110; letters then have 8 points"},
      {"--style", "S", "colours of the figure", "light", {"light", "dark"}}};
  // A verb with styles of its own lists these among them.
  std::erase_if(more, [&](const Option& o) {
    return std::ranges::find(options, o.name, &Option::name) != options.end();
  });
  const auto last = std::find_if(options.rbegin(), options.rend(), [](const Option& o) {
    return o.name == "--plot" || o.name == "--range" || o.name == "--log";
  });
  options.insert(last.base(), more.begin(), more.end());
  return options;
}

bool is_figure_file(const std::string& name) {
  return name.ends_with(".svg") || name.ends_with(".pdf") || name.ends_with(".png");
}

void require_figure(const Arguments& args, const std::string& file) {
  if (!is_figure_file(file))
    throw Error("usage", fmt::format("`{}` has no format that can be drawn", file),
                "the ending says the format", "end the name in .svg, .pdf or .png")
        .at(command_line("--plot"));
  require_writable(file);
  figure_style(args);
}

FigureStyle figure_style(const Arguments& args) {
  FigureStyle style;
  style.dark = args.get("--style") == "dark";
  if (!args.has("--size")) return style;
  const std::string text = args.get("--size");
  char* end = nullptr;
  style.width_mm = std::strtod(text.c_str(), &end);
  bool whole = end != text.c_str();
  if (whole && *end == 'x') {
    const char* second = end + 1;
    style.height_mm = std::strtod(second, &end);
    whole = end != second && style.height_mm >= 20 && style.height_mm <= 2000;
  }
  if (whole && *end == '\0' && style.width_mm >= 20 && style.width_mm <= 2000) return style;
  throw Error("usage", fmt::format("`{}` is no size of a figure", text), "",
              "write millimetres from 20 to 2000: --size 85 or --size 170x110")
      .at(command_line("--size"));
}

std::string figure_title(const Arguments& args, const std::string& otherwise) {
  return args.has("--title") ? args.get("--title") : otherwise;
}

void write_figure(const std::string& file, const Picture& picture) {
  write_file(file, picture.written_as(file));
}

}  // namespace rattleback::app
