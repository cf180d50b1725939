// vsr intents: routes texts to intents that are defined by a few examples each.
#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "intents_router.h"
#include "intents_table.h"
#include "multi.h"
#include "report.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

struct IntentsArguments {
  ModelArguments model;
  InputArguments input;
  std::string intents;
  std::string load;
  std::string save;
  std::string rule;
  std::string also;
  int top_k = 0;
  std::optional<float> threshold;
  bool json = false;
  std::string program;
};

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

int32_t rule_of(const std::string& name) {
  if (name == "vote") return VSR_RULE_VOTE;
  if (name == "best") return VSR_RULE_BEST;
  if (name == "blend") return VSR_RULE_BLEND;
  return VSR_RULE_DEFAULT;  // not given; other names are refused where they are read
}

// The options of the command line count before those of the file; a threshold counts for all intents, so that its
// effect can be tried.
Intents build_set(const vsr_engine* engine, const IntentsArguments& arguments) {
  vsr_intents_read_file_options options = VSR_INTENTS_READ_FILE_OPTIONS_INIT;
  options.rule = rule_of(arguments.rule);
  options.top_k = std::max(arguments.top_k, 0);
  options.threshold = arguments.threshold ? &*arguments.threshold : nullptr;
  options.task = or_null(arguments.model.task);
  return make<Intents>([&](vsr_intents** out, vsr_error* error) {
    return vsr_intents_read_file(engine, arguments.intents.c_str(), &options, out, error);
  });
}

Intents load_set(const vsr_engine* engine, const IntentsArguments& arguments) {
  return make<Intents>([&](vsr_intents** out, vsr_error* error) {
    return vsr_intents_load(engine, arguments.load.c_str(), or_null(arguments.model.task), out, error);
  });
}

Json describe(const vsr_intents* set) {
  const String json =
      make<String>([&](vsr_string** out, vsr_error* error) { return vsr_intents_describe(set, out, error); });
  return Json::parse(text_of(json));
}

void print_match_json(const Text& text, const vsr_match& match, const std::vector<vsr_task_outcome>& answers,
                      double milliseconds) {
  const auto or_none = [](vsr_str label) { return label.data != nullptr ? Json(text_of(label)) : Json(nullptr); };
  Json object = json_of(text);
  object["intent"] = or_none(match.label);
  object["score"] = match.score;
  object["nearest"] = or_none(match.nearest);
  object["runner_up"] = or_none(match.runner_up);
  object["runner_up_score"] = match.runner_up_score;
  Json tasks = Json::object();
  for (const vsr_task_outcome& outcome : answers) tasks[text_of(outcome.task)] = json_of(outcome, text, 0);
  if (!answers.empty()) object["tasks"] = std::move(tasks);
  object["milliseconds"] = static_cast<float>(milliseconds);
  print_json(object);
}

void check_arguments(const IntentsArguments& arguments) {
  require_model(arguments.model);
  if (arguments.intents.empty() == arguments.load.empty()) {
    throw UsageError("one of --intents FILE and --load FILE is required");
  }
  const bool tuned = !arguments.rule.empty() || arguments.top_k > 0 || arguments.threshold;
  if (tuned && !arguments.load.empty()) {
    throw UsageError("--rule, --top-k and --threshold go with --intents: a saved set has its own");
  }
}

void route_all(const IntentsArguments& arguments, const IntentsRouter& router, const Json& set,
               const std::vector<Text>& texts, RoutingTimes times) {
  std::unique_ptr<MatchTable> table;
  if (!arguments.json) {
    table = std::make_unique<MatchTable>(texts, set, columns_of(router.also(), router.description()));
  }
  MultiReport report;
  for (const Text& text : texts) {
    const Clock::time_point start = Clock::now();
    const Routed routed = router.route(text);
    const double milliseconds = milliseconds_since(start);
    times.questions.push_back(milliseconds);
    const vsr_match& match = *vsr_matches_match(routed.matches.get(), 0);
    const std::vector<vsr_task_outcome> answers = router.outcomes(routed);
    report.add(routed.answers.get());
    if (table) {
      std::vector<Cell> cells;
      for (const vsr_task_outcome& outcome : answers) cells.push_back(short_answer(outcome, 0));
      table->print_row(text, match, cells, milliseconds);
    } else {
      print_match_json(text, match, answers, milliseconds);
    }
  }
  if (table) {
    if (!router.also().empty()) print_line("");
    report.print();
    table->print_summary(times, arguments.program);
  }
  report.check();
}

void intents(const IntentsArguments& arguments) {
  check_arguments(arguments);
  const std::vector<std::string> also =
      arguments.also.empty() ? std::vector<std::string>() : split_names(arguments.also);
  const bool only_saves = !arguments.save.empty() && !arguments.input.given();
  const std::vector<Text> texts = only_saves ? std::vector<Text>{} : read_texts(arguments.input);
  RoutingTimes times;
  Clock::time_point start = Clock::now();
  const Engine engine = open_engine(arguments.model);
  times.model = milliseconds_since(start);
  start = Clock::now();
  const Intents set = arguments.load.empty() ? build_set(engine.get(), arguments) : load_set(engine.get(), arguments);
  times.set = milliseconds_since(start);
  if (!arguments.save.empty()) {
    check([&](vsr_error* error) { return vsr_intents_save(set.get(), arguments.save.c_str(), error); });
  }
  if (only_saves) {
    if (!arguments.json) print_line("saved " + summary_of_set(describe(set.get())) + " to " + arguments.save);
    return;
  }
  const IntentsRouter router(engine.get(), set.get(), arguments.model.task, also);
  route_all(arguments, router, describe(set.get()), texts, std::move(times));
}

// "… --model DIR --intents FILE", as it can be typed again.
std::string command_line(const IntentsArguments& arguments) {
  std::string line = shell_quoted(arguments.program) + " intents";
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) line += std::string(" ") + name + " " + shell_quoted(value);
  };
  add("--model", arguments.model.model);
  add("--config", arguments.model.config);
  add("--task", arguments.model.task);
  for (const std::string& adapter : arguments.model.adapters) add("--adapter", adapter);
  add("--also", arguments.also);
  add("--intents", arguments.intents);
  add("--load", arguments.load);
  return line;
}

}  // namespace

void add_intents_command(CLI::App& program, const std::string& program_path) {
  CLI::App& app =
      *program.add_subcommand("intents", "route texts to your own intents, a few examples each, no training");
  const auto arguments = std::make_shared<IntentsArguments>();
  add_input_arguments(app, arguments->input, false);
  add_model_arguments(app, arguments->model);
  add_text(app, "-i,--intents", arguments->intents, "the intents: .yaml (see docs/intents.md) or .csv (text,label)")
      ->type_name("FILE");
  add_text(app, "--load", arguments->load, "a set that --save wrote, instead of --intents")->type_name("FILE");
  add_text(app, "--save", arguments->save, "write the set with its vectors; without texts, do only that")
      ->type_name("FILE");
  add_text(app, "--also", arguments->also, "other tasks to answer in the same pass")->type_name("NAME,...");
  app.add_option("--rule", arguments->rule, "how neighbours decide: vote, best or blend")
      ->check(CLI::IsMember({"vote", "best", "blend"}))
      ->type_name("RULE");
  app.add_option("--top-k", arguments->top_k, "examples that vote (default 5)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  app.add_option("--threshold", arguments->threshold, "least score of a match, for all intents")->type_name("S");
  app.add_flag("--json", arguments->json, "one JSON object per line");
  app.callback([arguments, program_path] {
    arguments->program = program_path;
    arguments->program = command_line(*arguments);
    intents(*arguments);
  });
}

}  // namespace vsr::cli
