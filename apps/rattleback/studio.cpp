/// rattleback studio [MODEL]: write a model, see it move and ask about it, in the browser.
#include <fcntl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/vector_functions.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/text/keys.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/view/pages/html.hpp>
#include <rattleback/view/pages/report.hpp>
#include <rattleback/view/pages/web.hpp>

#include "model_argument.hpp"
#include "output_file.hpp"
#include "studio_actions.hpp"
#include "studio_folder.hpp"
#include "studio_server.hpp"
#include "studio_worker.hpp"
#include "zoo_list.hpp"

namespace rattleback::app {
namespace {

using nlohmann::ordered_json;

std::string random_token() {
  std::string bytes(16, '\0'), text;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error("usage", "the system gives no random numbers", "", "try again");
  for (const char b : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(b));
  return text;
}

/// In a time that does not depend on where they differ.
bool same(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

ordered_json keys_json() {
  ordered_json list = ordered_json::array();
  for (const KeyInfo& k : known_keys())
    list.push_back({{"table", k.table}, {"key", k.key}, {"example", k.example}, {"about", k.about}});
  return list;
}

/// What expressions may call, with formulas for the pointer that rests on a name.
ordered_json functions_json() {
  ordered_json list = ordered_json::array();
  const Symbol s = Symbol::make("x");
  const Expr x = s;
#define FUNCTION(name, ...) \
  list.push_back({{"name", #name}, {"latex", latex(name(x))}, {"rate", latex(derivative(name(x), s))}});
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION
  for (const VectorFunction& f : vector_functions()) list.push_back({{"name", f.name}, {"about", f.usage}});
  for (const auto& [name, usage] : {std::pair{"sign", "sign(x): -1, 0 or 1"},
                                    {"min", "min(a, b, …)"},
                                    {"max", "max(a, b, …)"},
                                    {"piecewise", "piecewise(x < 0, a, x < 1, b, c)"},
                                    {"smoothstep", "smoothstep(x), or smoothstep(a, b, x): from 0 to 1"}})
    list.push_back({{"name", name}, {"about", std::string(usage) + "; in [forces] and [inputs]"}});
  return list;
}

/// For a shared link, which holds a model behind # and no token: how it is opened.
constexpr const char* page_without_token =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width\">"
    "<meta name=\"color-scheme\" content=\"light dark\"><title>Rattleback studio</title>"
    "<body style=\"font: 1.05rem/1.6 system-ui; max-width: 42rem; margin: 12vh auto; padding: 0 1.2rem\">"
    "<h1 style=\"font-size: 1.3rem\">Rattleback studio</h1>"
    "<p id=\"why\">The address of the studio contains a token, which is missing here. Use the address that "
    "<code>rattleback studio</code> printed.</p><pre id=\"command\" hidden style=\"white-space: pre-wrap; "
    "overflow-wrap: anywhere; padding: 0.8rem; border: 1px solid; border-radius: 8px\"></pre><script>"
    "if (location.hash.startsWith('#model=')) {"
    "  document.getElementById('why').textContent = 'This link holds a model. To open it, run this in a "
    "terminal, "
    "or paste the link into File, Open a shared link, of a studio that runs:';"
    "  const command = document.getElementById('command');"
    "  command.textContent = 'rattleback studio \"' + location.href + '\"';"
    "  command.hidden = false;"
    "}</script></body></html>";

class Studio {
 public:
  Studio(const Arguments& args, std::string token)
      : folder_("."), token_(std::move(token)), host_(args.get("--host")) {
    if (!args.positional() || args.positional()->find('#') != std::string::npos) return;
    const std::string& given = *args.positional();
    opened_ = {{"name", std::filesystem::path(find_model(given)).filename().string()},
               {"text", model_text(given)}};
    // A file of the folder is opened itself, anything else as a copy.
    try {
      const std::string relative = std::filesystem::relative(given, folder_.path()).string();
      opened_["text"] = folder_.read(relative);
      opened_["name"] = relative;
      opened_["saved"] = StudioFolder::fingerprint(opened_["text"]);
    } catch (const std::exception&) {
    }
  }

  void serve(Server& server, int stop) {
    port_ = server.port();
    server.run([this](const Request& request) { return answer(request); }, stop, film_ahead());
  }

 private:
  /// The film of the model that was opened: computed while the browser starts and reads the page.
  std::optional<Job> film_ahead() const {
    if (opened_.is_null()) return std::nullopt;
    try {
      return job_for(
          {{"action", "film"}, {"text", opened_["text"]}, {"name", opened_["name"]}, {"ahead", true}});
    } catch (const Error&) {  // the page asks for it, and is told
      return std::nullopt;
    }
  }

  /// The names under which this server is reached from this machine.
  bool is_our_host(const std::string& host) const {
    for (const std::string& name : {std::string("127.0.0.1"), std::string("localhost"), host_})
      if (host == fmt::format("{}:{}", name, port_)) return true;
    return false;
  }

  std::optional<Response> refused(const Request& request) const {
    if (!is_our_host(request.header("host"))) return refusal(421, "this is not the host of the studio");
    const std::string origin = request.header("origin"), site = request.header("sec-fetch-site");
    if (!origin.empty() && !(origin.starts_with("http://") && is_our_host(origin.substr(7))))
      return refusal(403, "requests from other origins are not answered");
    if (site == "cross-site" && request.method != "GET")
      return refusal(403, "requests from other sites are not answered");
    const auto in_address = request.query.find("token");
    const std::string given = in_address != request.query.end() && request.path == "/"
                                  ? in_address->second
                                  : request.header("x-rattleback-token");
    if (same(given, token_)) return std::nullopt;
    if (request.path != "/") return refusal(403, "the token is missing or wrong");
    return Response{403, "text/html; charset=utf-8", page_without_token};
  }

  Reply answer(const Request& request) {
    if (auto no = refused(request)) return *no;
    try {
      return routed(request);
    } catch (const Error& error) {
      const int status = error.slug == "unwritable-output" ? 507 : error.slug == "unknown-model" ? 404 : 400;
      Response response = refusal(status, "");
      response.body =
          ordered_json{{"error", error.summary}, {"why", error.why}, {"fix", error.fix}, {"slug", error.slug}}
              .dump(-1, ' ', false, ordered_json::error_handler_t::replace);
      return response;
    } catch (const ChangedMeanwhile& other) {
      return refusal(409, other.what());
    } catch (const std::exception& broken) {
      return refusal(400, broken.what());
    }
  }

  Reply routed(const Request& request) {
    const bool get = request.method == "GET", post = request.method == "POST";
    if (get && request.path == "/") return page();
    if (get && request.path == "/api/start") return json(start());
    if (get && request.path == "/api/files") return json(files());
    if (get && request.path == "/api/file") return json(document(named(request)));
    if (get && request.path == "/api/model")
      return json({{"name", named(request) + ".toml"}, {"text", zoo_text(named(request))}});
    if (!post && request.path.starts_with("/api/")) return refusal(405, "this is asked for in another way");
    if (request.path == "/api/job") return job_for(parsed(request));
    if (request.path == "/api/save") return save(parsed(request));
    return refusal(404, "there is nothing here");
  }

  static Response json(const ordered_json& data) {
    return {200, "application/json", data.dump(-1, ' ', false, ordered_json::error_handler_t::replace)};
  }
  static nlohmann::json parsed(const Request& request) {
    nlohmann::json data = nlohmann::json::parse(request.body, nullptr, false);
    if (data.is_discarded()) throw Error("usage", "the request is not JSON", "", "reload the page");
    return data;
  }
  static std::string named(const Request& request) {
    const auto found = request.query.find("name");
    if (found == request.query.end()) throw Error("usage", "a name is missing", "", "reload the page");
    return found->second;
  }
  /// Of the zoo only: a path would lead anywhere.
  static std::string zoo_text(const std::string& name) {
    const std::vector<std::string> names = zoo();
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error("unknown-model", fmt::format("the zoo has no `{}`", name), "", "look at the gallery");
    return model_text(name);
  }

  Response page() const {
    Response response{200, "text/html; charset=utf-8", ""};
    std::string& s = response.body;
    s = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Rattleback studio</title>\n"
        "<link rel=\"icon\" href=\"data:,\">\n";
    s += fmt::format("<script>{}</script>\n", web_file("server.js"));
    for (const char* file : {"report.css", "studio.css"})
      s += fmt::format("<style>{}</style>\n", web_file(file));
    std::string body(web_file("studio.html"));
    const std::string mark = "<!-- stage -->";
    if (const std::size_t at = body.find(mark); at != std::string::npos)
      body.replace(at, mark.size(), stage_html());
    s += "</head>\n" + body;
    // What formulas and the editor need is only text until the page wants it: the first picture comes sooner.
    for (const char* file : {"katex.css", "katex.js", "codemirror.js"}) {
      if (const std::string_view text = web_file(file); !text.empty())
        s += fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", file, text);
    }
    for (const char* file : {"scene.js", "plots.js", "player.js", "phases.js", "dop853.js", "switching.js",
                             "live.js", "laboratory.js", "editor.js", "studio.js"}) {
      if (const std::string_view code = web_file(file); !code.empty())
        s += fmt::format("<script>{}</script>\n", code);
    }
    s += "</body>\n</html>\n";
    // The motion of a model is a program that this server writes; the page runs it.
    response.headers = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
         "img-src data: blob:; media-src blob:; font-src data:; connect-src 'self'; frame-ancestors 'none'; "
         "base-uri 'none'; "
         "form-action 'none'"}};
    return response;
  }

  ordered_json start() const {
    ordered_json questions = ordered_json::array(), forms = ordered_json::array();
    for (const Question& q : all_questions()) questions.push_back({{"name", q.name}, {"about", q.about}});
    for (const Formalism& f : all_formalisms()) forms.push_back({{"name", f.name}, {"title", f.title}});
    return {{"version", RATTLEBACK_VERSION},
            {"folder", folder_.path().string()},
            {"opened", opened_},
            {"keys", keys_json()},
            {"functions", functions_json()},
            {"questions", questions},
            {"forms", forms},
            {"zoo", zoo_json()}};
  }

  static ordered_json zoo_json() {
    ordered_json list = ordered_json::array();
    for (const ZooEntry& e : zoo_by_theme())
      list.push_back({{"name", e.name}, {"title", e.title}, {"theme", e.theme}});
    return list;
  }

  ordered_json files() const {
    ordered_json list = ordered_json::array();
    for (const StudioFolder::Entry& e : folder_.entries())
      list.push_back({{"name", e.name}, {"changed", e.changed}});
    return list;
  }

  ordered_json document(const std::string& name) const {
    const std::string text = folder_.read(name);
    return {{"name", name}, {"text", text}, {"saved", StudioFolder::fingerprint(text)}};
  }

  Response save(const nlohmann::json& request) const {
    const std::string name = request.at("name"), text = request.at("text");
    folder_.write(name, text, request.value("before", ""));
    return json({{"name", name}, {"saved", StudioFolder::fingerprint(text)}});
  }

  StudioFolder folder_;
  std::string token_, host_;
  int port_ = 0;
  ordered_json opened_ = nullptr;
};

/// The end that the server watches, and the end that a signal writes to.
int stop_pipe[2] = {-1, -1};

void stop_now(int /*signal*/) {
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = write(stop_pipe[1], &byte, 1);
}

void open_browser(const std::string& address) {
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) {  // detached: the studio does not wait for the browser
      const int nowhere = open("/dev/null", O_RDWR);
      for (const int fd : {0, 1, 2}) dup2(nowhere, fd);
      execlp("xdg-open", "xdg-open", address.c_str(), nullptr);
    }
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

int port_number(const std::string& given) {
  const bool digits = !given.empty() && given.size() < 6 &&
                      std::all_of(given.begin(), given.end(), [](char c) { return c >= '0' && c <= '9'; });
  const int port = digits ? std::atoi(given.c_str()) : -1;
  if (port < 0 || port > 65535)
    throw Error("usage", fmt::format("`{}` is not a port", given), "",
                "give a number from 0 to 65535; 0 takes any free one")
        .at(command_line("--port"));
  return port;
}

int studio(const Arguments& args) {
  const std::string host = args.get("--host");
  if (host != "127.0.0.1" && !args.has("--i-know"))
    throw Error("usage", "--host opens the studio to other machines",
                "anyone who knows its address can read and write the model files of this folder and use this "
                "computer",
                "add --i-know if that is what you want")
        .at(command_line("--host"));
  const std::string token = random_token();
  Studio it(args, token);
  Server server(host, port_number(args.get("--port")));
  if (pipe2(stop_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
    throw Error("usage", "no pipe for signals", "", "close some files");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, stop_now);
  std::signal(SIGPIPE, SIG_IGN);
  std::string address =
      fmt::format("http://{}:{}/?token={}", host == "0.0.0.0" ? "127.0.0.1" : host, server.port(), token);
  if (args.positional())
    if (const std::size_t mark = args.positional()->find('#'); mark != std::string::npos)
      address += args.positional()->substr(mark);
  fmt::print("The studio is at {}\nIt works in this folder, for this user, until Ctrl-C.\n", address);
  std::fflush(stdout);
  if (!args.has("--no-browser")) open_browser(address);
  it.serve(server, stop_pipe[0]);
  return Exit::done;
}

}  // namespace

Verb studio_verb() {
  return {"studio",
          "write a model, see it move and ask about it, in the browser",
          "[MODEL]",
          "  Starts a server on this machine and opens the browser. The page has an editor that marks errors "
          "as you "
          "type, the\n  mechanism with sliders, plots, equations and verdicts. Documents are the model files "
          "of the "
          "folder where it was\n  started. MODEL may also be a shared link in quotes.",
          {{"--port", "P", "where to listen; 0 takes any free port", "0"},
           {"--no-browser", "", "only print the address"},
           {"--host", "H", "another IPv4 address to listen on; needs --i-know", "127.0.0.1"},
           {"--i-know", "", "other machines may use this folder and this computer, if they have the token"}},
          {"rattleback studio", "rattleback studio chaplygin-sleigh",
           "rattleback studio --port 8017 --no-browser"},
          studio};
}

}  // namespace rattleback::app
