// vsr route: where requests go, and why.
#include <map>
#include <memory>
#include <sstream>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "router_report.h"
#include "terminal.h"
#include "vsr/vsr.hpp"

namespace vsr::cli {
namespace {

struct RouteArguments {
  std::string config;
  InputArguments input;
  std::string check;
  bool schema = false;
  bool lenient = false;
  bool load = false;
  bool explain = false;
  bool metrics = false;
  bool body = false;
  bool json = false;
  std::string user;
  std::string tenant;
  std::vector<std::string> groups;
  std::vector<std::string> headers;
  std::vector<std::string> metadata;
  std::vector<std::string> signals;
};

Router open_router(const std::string& path, const RouteArguments& arguments) {
  vsr_router_options options = VSR_ROUTER_OPTIONS_INIT;
  options.lenient = arguments.lenient ? 1 : 0;
  options.own_models = 1;
  options.validate_models = arguments.load ? 1 : 0;
  return make<Router>(
      [&](vsr_router** out, vsr_error* error) { return vsr_router_open(path.c_str(), &options, out, error); });
}

// "NAME=VALUE" arguments.
std::map<std::string, std::string> fields_of(const std::vector<std::string>& arguments, const std::string& option) {
  std::map<std::string, std::string> fields;
  for (const std::string& argument : arguments) {
    const size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(option + " \"" + argument + "\" is not NAME=VALUE");
    }
    const std::string name = argument.substr(0, equals);
    if (!fields.emplace(name, argument.substr(equals + 1)).second) {
      throw UsageError(option + " \"" + name + "\" is given twice");
    }
  }
  return fields;
}

void check_config(const RouteArguments& arguments) {
  const Router router = open_router(arguments.check, arguments);
  const Json info = describe(router.get());
  if (arguments.json) return print_json(info);
  print_check(info);
}

void print_schema() {
  const String schema = make<String>([](vsr_string** out, vsr_error* error) { return vsr_router_schema(out, error); });
  print_line(text_of(schema));
}

void decide(const Router& router, const RouteArguments& arguments) {
  const std::map<std::string, std::string> given = fields_of(arguments.signals, "--signal");
  std::vector<const char*> names;
  std::vector<double> confidences;
  for (const auto& [name, value] : given) {
    double confidence = 0;
    std::istringstream number(value);
    if (!(number >> confidence) || !number.eof()) {
      throw UsageError("--signal \"" + name + "=" + value + "\" has no number after \"=\"");
    }
    names.push_back(name.c_str());
    confidences.push_back(confidence);
  }
  const Decision decision = make<Decision>([&](vsr_decision** out, vsr_error* error) {
    return vsr_router_decide(router.get(), names.data(), confidences.data(), names.size(), out, error);
  });
  arguments.json ? print_json(json_of(decision.get())) : print_decision("", decision.get(), false);
}

void route(const RouteArguments& arguments) {
  if (arguments.schema) return print_schema();
  if (!arguments.check.empty()) return check_config(arguments);
  if (arguments.config.empty()) throw UsageError("--config names the router's config file");
  const Router router = open_router(arguments.config, arguments);
  if (!arguments.signals.empty()) return decide(router, arguments);
  vsr::RouteOptions options;
  options.explain = arguments.explain;
  options.user = arguments.user;
  options.tenant = arguments.tenant;
  options.groups = arguments.groups;
  options.headers = fields_of(arguments.headers, "--header");
  options.metadata = fields_of(arguments.metadata, "--metadata");
  const vsr::detail::CRouteOptions c_options(options);
  for (const Text& request : read_texts(arguments.input)) {
    const Decision decision = make<Decision>([&](vsr_decision** out, vsr_error* error) {
      return vsr_router_route(router.get(), view(request.text), c_options.get(), out, error);
    });
    if (arguments.body) {
      const vsr_str body = vsr_decision_request(decision.get());
      print_line(text_of(body));
    } else if (arguments.json) {
      print_json(json_of(decision.get()));
    } else {
      print_decision(request.text, decision.get(), arguments.explain);
    }
  }
  if (arguments.metrics) {
    const String text =
        make<String>([&](vsr_string** out, vsr_error* error) { return vsr_router_metrics(router.get(), out, error); });
    print_line(text_of(text));
  }
}

}  // namespace

void add_route_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("route", "decide which model should answer a chat request, and why");
  const auto arguments = std::make_shared<RouteArguments>();
  add_input_arguments(app, arguments->input, false, FileForm::kRequests);
  add_text(app, "--config,-c", arguments->config, "the router's config file (YAML)");
  add_text(app, "--check", arguments->check, "only read and check this config file, and list its warnings");
  app.add_flag("--schema", arguments->schema, "print the JSON Schema of config files");
  app.add_flag("--load", arguments->load,
               "load the models at once and ask each signal about a short text; with --check, check them too");
  app.add_flag("--lenient", arguments->lenient, "skip what the file uses and vsr does not run, and list it");
  app.add_flag("--explain", arguments->explain, "show every signal and rule");
  app.add_flag("--metrics", arguments->metrics, "end with counters as OpenMetrics text");
  app.add_flag("--body", arguments->body, "print the rewritten request alone");
  add_text(app, "--user", arguments->user, "who asks");
  add_text(app, "--tenant", arguments->tenant, "whose cached answers may be used");
  add_texts(app, "--group", arguments->groups, "a group of the user; may be given several times");
  add_texts(app, "--header", arguments->headers, "NAME=VALUE; may be given several times");
  add_texts(app, "--metadata", arguments->metadata, "NAME=VALUE; may be given several times");
  add_texts(app, "--signal", arguments->signals, "TYPE:NAME=CONFIDENCE: decide from these alone, without a request");
  app.add_flag("--json", arguments->json, "one JSON object per line");
  app.footer("A request is an OpenAI chat request as JSON, or plain text. " + app.get_footer());
  app.callback([arguments] { route(*arguments); });
}

}  // namespace vsr::cli
