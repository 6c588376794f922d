#include "studio_actions.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>

#include "studio_limits.hpp"

namespace rattleback::app {
namespace {

using json = nlohmann::json;

[[noreturn]] void refuse(const std::string& what) {
  throw Error("usage", what, "", "reload the page: it may be older than the program");
}

/// A value of an option. It is a word of its own and must not look like an option.
std::string value(const json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end() || !found->is_string()) refuse(fmt::format("`{}` is missing", key));
  std::string text = found->get<std::string>();
  if (text.size() > studio_limits::value || text.find('\0') != std::string::npos)
    refuse(fmt::format("`{}` is too long", key));
  if (text.starts_with('-')) text = "(" + text + ")";
  return text;
}

std::string one_of(const json& request, const char* key, std::initializer_list<const char*> choices) {
  const std::string text = value(request, key);
  if (std::find(choices.begin(), choices.end(), text) == choices.end())
    refuse(fmt::format("`{}` cannot be `{}`", key, text));
  return text;
}

double limit(const json& request, double otherwise, double most) {
  const double seconds = request.value("seconds", otherwise);
  return seconds > 0 ? std::min(seconds, most) : otherwise;
}

/// The file in the folder of the computation: the document's own name, for messages and for the system's name.
std::string file_name(const json& request) {
  std::string name = std::filesystem::path(value(request, "name")).filename();
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; }, '_');
  if (name.empty() || name.front() == '.' || name.front() == '-') name = "model.toml";
  return name.ends_with(".toml") ? name : name + ".toml";
}

std::string text_of(const json& request) {
  const auto found = request.find("text");
  if (found == request.end() || !found->is_string()) refuse("the model's text is missing");
  std::string text = found->get<std::string>();
  if (text.size() > studio_limits::text) refuse("the model's text is too long");
  return text;
}

/// --set a=1,b=2 and the like, from {"set": {"a": "1"}}.
void add_assignments(std::vector<std::string>& words, const json& request, const char* key,
                     const char* option) {
  const auto found = request.find(key);
  if (found == request.end() || !found->is_object() || found->empty()) return;
  std::string list;
  for (const auto& [name, v] : found->items()) {
    if (!v.is_string()) refuse(fmt::format("`{}` must hold texts", key));
    list += fmt::format("{}{}={}", list.empty() ? "" : ",", name, v.get<std::string>());
  }
  if (list.size() > studio_limits::value || list.starts_with('-'))
    refuse(fmt::format("`{}` is not possible", key));
  words.insert(words.end(), {option, list});
}

Job with_model(const json& request, std::vector<std::string> words, double seconds) {
  const std::string file = file_name(request);
  words.insert(words.begin() + 1, file);
  add_assignments(words, request, "set", "--set");
  return {std::move(words), "", {{file, text_of(request)}}, "", seconds};
}

Job worker(const json& request) {
  json input = request;
  input["text"] = text_of(request);
  input["name"] = file_name(request);
  const std::string action = request.value("action", "");
  const bool is_long = action == "cloud";  // it is seen while it comes, and does not hold up what is typed
  Job job{
      {"--studio-worker"}, input.dump(), {}, "", is_long ? 300.0 : action == "check" ? 20.0 : 60.0, !is_long};
  if (action != "film" || !request.value("keep", true)) return job;
  // The process that made the film of a text makes those of its sliders, too.
  job.words = {"--studio-films"};
  job.key = file_name(request) + "\n" + text_of(request);
  return job;
}

Job derive(const json& request) {
  std::vector<std::string> words{"derive", "--format",
                                 one_of(request, "format", {"text", "latex", "json", "c", "python"})};
  if (!request.value("form", "").empty()) words.insert(words.end(), {"--form", value(request, "form")});
  if (request.value("steps", false)) words.push_back("--steps");
  return with_model(request, std::move(words), limit(request, 60, 600));
}

Job analyze(const json& request) {
  const double seconds = limit(request, 10, 300);
  std::vector<std::string> words{
      "analyze",  "--question", value(request, "question"), "--timeout", fmt::format("{:g}", seconds),
      "--format", "jsonl"};
  if (request.value("coq", false)) words.emplace_back("--coq");
  return with_model(request, std::move(words), 3600);
}

Job prove(const json& request) {
  const std::string kind = one_of(request, "kind",
                                  {"conserved", "zero", "measure", "integral-of", "lagrangian", "hessian",
                                   "multiplier", "symmetry", "agrees"});
  return with_model(request, {"prove", "--" + kind, value(request, "claim"), "--format", "json"},
                    limit(request, 60, 600));
}

Job exported(const json& request) {
  std::vector<std::string> words{"export", "--to",
                                 one_of(request, "to", {"latex", "c", "python", "js", "json", "ipynb"})};
  if (!request.value("form", "").empty()) words.insert(words.end(), {"--form", value(request, "form")});
  return with_model(request, std::move(words), 120);
}

Job report_job(const json& request) {
  std::vector<std::string> words{"report", "-o", "report.html", "--timeout",
                                 fmt::format("{:g}", limit(request, 60, 600))};
  if (request.value("coq", false)) words.emplace_back("--coq");
  Job job = with_model(request, std::move(words), 1800);
  job.result = "report.html";
  return job;
}

Job plot(const json& request) {
  const std::string file = "plot." + one_of(request, "format", {"svg", "png", "pdf"});
  Job job = with_model(request, {"simulate", "--plot", file}, 120);
  add_assignments(job.words, request, "initial", "--initial");
  if (request.contains("until")) job.words.insert(job.words.end(), {"--until", value(request, "until")});
  if (request.contains("section"))
    job.words.insert(job.words.end(), {"--section", value(request, "section")});
  job.result = file;
  return job;
}

Job sweep(const json& request) {
  std::vector<std::string> words{"sweep",
                                 "--vary",
                                 value(request, "x"),
                                 "--vary",
                                 value(request, "y"),
                                 "--keep",
                                 value(request, "keep"),
                                 "--rtol",
                                 "1e-6",
                                 "--output",
                                 "map.csv"};
  if (request.contains("until")) words.insert(words.end(), {"--until", value(request, "until")});
  Job job = with_model(request, std::move(words), 600);
  add_assignments(job.words, request, "initial", "--initial");
  job.result = "map.csv";
  return job;
}

Job explain(const json& request) { return {{"explain", value(request, "slug")}, "", {}, "", 20, true}; }

}  // namespace

Job job_for(const json& request) {
  static const std::map<std::string, Job (*)(const json&)> actions{
      {"check", worker}, {"film", worker},     {"derive", derive},     {"analyze", analyze},
      {"prove", prove},  {"export", exported}, {"report", report_job}, {"plot", plot},
      {"sweep", sweep},  {"cloud", worker},    {"explain", explain}};
  if (!request.is_object()) refuse("the request is not an object");
  const auto found = actions.find(request.value("action", ""));
  if (found == actions.end()) refuse("there is no such action");
  return found->second(request);
}

}  // namespace rattleback::app
