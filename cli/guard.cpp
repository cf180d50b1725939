// vsr guard: an answer held against facts, as a filter between two programs.
#include <unistd.h>
#include <algorithm>

#include <array>
#include <cstdio>
#include <memory>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "json.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

using Facts = std::unique_ptr<vsr_facts, FreedBy<vsr_facts_free>>;
using Guard = std::unique_ptr<vsr_guard, FreedBy<vsr_guard_free>>;
using Step = std::unique_ptr<vsr_guard_step, FreedBy<vsr_guard_step_free>>;

// By their numbers.
const std::vector<std::string> kPolicies = {"observe", "annotate", "warn", "replace", "terminate"};
const std::vector<std::string> kFormats = {"auto", "sse", "text", "json"};

int32_t number_of(const std::string& name, const std::vector<std::string>& names) {
  return static_cast<int32_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

struct GuardArguments {
  ModelArguments model;
  std::vector<std::string> facts;  // files
  std::string answer = "-";
  std::string question, nli, jailbreak_task, pii_task;
  std::string policy = "observe", format = "auto";
  bool hold = false, closed = false, pii = false, json = false, forward = false;
};

Facts read_facts(const GuardArguments& arguments, const Engine& engine) {
  std::vector<std::string> texts;
  for (const std::string& path : arguments.facts) {
    const std::string file = read_file(path);
    for (size_t at = 0; at < file.size();) {
      const size_t end = std::min(file.find('\n', at), file.size());
      const std::string line = file.substr(at, end - at);
      if (line.find_first_not_of(" \t\r") != std::string::npos) texts.push_back(line);
      at = end + 1;
    }
  }
  std::vector<vsr_str> views;
  for (const std::string& text : texts) views.push_back(view(text));
  vsr_facts_options options = VSR_FACTS_OPTIONS_INIT;
  options.nli = or_null(arguments.nli);
  return make<Facts>([&](vsr_facts** out, vsr_error* error) {
    return vsr_facts_create(engine.get(), views.data(), views.size(), &options, out, error);
  });
}

Json json_of(const vsr_guard_event& event) {
  Json json{{"kind", text_of(vsr_guard_kind_name(event.kind))},
            {"start", event.start},
            {"end", event.end},
            {"text", text_of(event.text)},
            {"claim", text_of(event.claim)},
            {"score", event.score}};
  json["fact"] = event.fact < 0 ? Json(nullptr) : Json(event.fact);
  json["milliseconds"] = static_cast<float>(event.milliseconds);
  json["choice"] = event.choice;
  return json;
}

// The answer goes to standard output under a policy that acts; else events do.
void print_step(const GuardArguments& arguments, const Step& step) {
  if (arguments.forward) {
    const vsr_str bytes = vsr_guard_step_forward(step.get());
    std::fwrite(bytes.data, 1, bytes.size, stdout);
    std::fflush(stdout);
  }
  for (size_t i = 0; i < vsr_guard_step_event_count(step.get()); ++i) {
    const vsr_guard_event& event = *vsr_guard_step_event(step.get(), i);
    if (arguments.json) {
      print_json(json_of(event));
    } else if (arguments.forward) {
      const std::string line = "vsr: guard: " + text_of(vsr_guard_kind_name(event.kind)) + ": \"" +
                               text_of(event.text) + "\" in \"" + text_of(event.claim) + "\"\n";
      std::fwrite(line.data(), 1, line.size(), stderr);
    } else {
      print_line(text_of(vsr_guard_kind_name(event.kind)) + "\t" + text_of(event.text) + "\t" + text_of(event.claim));
    }
  }
}

void guard(GuardArguments arguments) {
  arguments.forward = !arguments.json && arguments.policy != kPolicies.front();
  Engine engine;
  if (!arguments.model.model.empty() || !arguments.model.config.empty()) engine = open_engine(arguments.model);
  const Facts facts = read_facts(arguments, engine);
  vsr_guard_options options = VSR_GUARD_OPTIONS_INIT;
  options.policy = number_of(arguments.policy, kPolicies);
  options.format = number_of(arguments.format, kFormats);
  options.hold = arguments.hold ? 1 : 0;
  options.fail_closed = arguments.closed ? 1 : 0;
  options.pii = arguments.pii ? 1 : 0;
  options.question = view(arguments.question);
  options.pii_task = or_null(arguments.pii_task);
  options.jailbreak_task = or_null(arguments.jailbreak_task);
  const Guard handle = make<Guard>(
      [&](vsr_guard** out, vsr_error* error) { return vsr_guard_create(facts.get(), &options, out, error); });
  const auto feed = [&](std::string_view bytes) {
    const Step step = make<Step>(
        [&](vsr_guard_step** out, vsr_error* error) { return vsr_guard_feed(handle.get(), view(bytes), out, error); });
    print_step(arguments, step);
    return vsr_guard_step_ended(step.get()) == 0;
  };
  bool goes_on = true;
  if (arguments.answer == "-") {  // as it arrives
    std::array<char, 65536> buffer;
    for (ssize_t n = 0; goes_on && (n = read(STDIN_FILENO, buffer.data(), buffer.size())) > 0;) {
      goes_on = feed({buffer.data(), static_cast<size_t>(n)});
    }
  } else {
    goes_on = feed(read_file(arguments.answer));
  }
  if (!goes_on) return;
  const Step last =
      make<Step>([&](vsr_guard_step** out, vsr_error* error) { return vsr_guard_finish(handle.get(), out, error); });
  print_step(arguments, last);
}

}  // namespace

void add_guard_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("guard", "hold an answer against facts while it passes");
  const auto arguments = std::make_shared<GuardArguments>();
  add_model_arguments(app, arguments->model, false);
  add_texts(app, "--facts", arguments->facts, "a file with one fact per line; may be given several times")->required();
  add_text(app, "answer", arguments->answer, "a file with the answer, or the body of its stream (-: standard input)");
  add_text(app, "--question,-q", arguments->question, "what was asked");
  app.add_option("--policy", arguments->policy, "observe, annotate, warn, replace or terminate (observe)")
      ->check(CLI::IsMember(kPolicies));
  app.add_option("--format", arguments->format, "auto, sse, text or json (auto)")->check(CLI::IsMember(kFormats));
  app.add_flag("--hold", arguments->hold, "claims leave only when they are checked");
  app.add_flag("--fail-closed", arguments->closed, "what cannot be checked ends the answer");
  app.add_flag("--pii", arguments->pii, "look for personal data by its form");
  add_text(app, "--nli", arguments->nli, "the task for pairs of a fact and a claim");
  add_text(app, "--pii-task", arguments->pii_task, "the task that finds personal data");
  add_text(app, "--jailbreak-task", arguments->jailbreak_task, "the task that finds jailbreaks");
  app.add_flag("--json", arguments->json, "the events, one JSON object per line");
  app.callback([arguments] { guard(*arguments); });
}

}  // namespace vsr::cli
