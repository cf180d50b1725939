// vsr moderate: the verdicts of a generative safety classifier.
#include <memory>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "report.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

using Verdict = std::unique_ptr<vsr_verdict, FreedBy<vsr_verdict_free>>;

struct ModerateArguments {
  ModelArguments model;
  InputArguments input;
  bool json = false;
};

const char* severity_name(int32_t severity) {
  switch (severity) {
    case VSR_SEVERITY_SAFE:
      return "safe";
    case VSR_SEVERITY_CONTROVERSIAL:
      return "controversial";
    case VSR_SEVERITY_UNSAFE:
      return "unsafe";
    default:
      return "unparsed";
  }
}

std::vector<std::string> categories_of(const vsr_verdict* verdict) {
  std::vector<std::string> categories;
  for (size_t i = 0; i < vsr_verdict_category_count(verdict); ++i) {
    categories.push_back(text_of(vsr_verdict_category(verdict, i)));
  }
  return categories;
}

void print_verdict_json(const Text& text, const vsr_verdict* verdict) {
  Json object = json_of(text);
  object["severity"] = severity_name(vsr_verdict_severity(verdict));
  object["categories"] = categories_of(verdict);
  const int32_t refusal = vsr_verdict_refusal(verdict);
  object["refusal"] = refusal == VSR_REFUSAL_UNKNOWN ? Json(nullptr) : Json(refusal == VSR_REFUSAL_YES);
  Json probs = Json::object();
  for (const int32_t severity : {VSR_SEVERITY_SAFE, VSR_SEVERITY_CONTROVERSIAL, VSR_SEVERITY_UNSAFE}) {
    probs[severity_name(severity)] = vsr_verdict_prob(verdict, severity);
  }
  object["probs"] = std::move(probs);
  const vsr_str answer = vsr_verdict_answer(verdict);
  object["answer"] = text_of(answer);
  object["control_tokens"] = vsr_verdict_control_token_count(verdict);
  object["replaced"] = vsr_verdict_replaced_size(verdict);
  print_json(object);
}

void print_verdict(const Text& text, const vsr_verdict* verdict) {
  const int32_t severity = vsr_verdict_severity(verdict);
  std::string line = styled(severity_name(severity), severity == VSR_SEVERITY_SAFE ? Style::kGood : Style::kBold);
  line += "  " + format_number(vsr_verdict_prob(verdict, VSR_SEVERITY_UNSAFE), 3) + " unsafe";
  for (const std::string& category : categories_of(verdict)) line += "  " + for_display(category, 40);
  if (vsr_verdict_refusal(verdict) == VSR_REFUSAL_YES) line += "  refused";
  if (vsr_verdict_control_token_count(verdict) > 0) line += "  spells out special tokens";
  print_line(line + "  " + styled(for_display(text.text, terminal_width() / 2), Style::kDim));
}

void moderate(const ModerateArguments& arguments) {
  require_model(arguments.model);
  const std::vector<Text> texts = read_texts(arguments.input);
  const Engine engine = open_engine(arguments.model);
  vsr_moderate_options options = VSR_MODERATE_OPTIONS_INIT;
  options.task = or_null(arguments.model.task);
  for (const Text& text : texts) {
    const vsr_str response = text.pair ? view(*text.pair) : vsr_str{};
    const Verdict verdict = make<Verdict>([&](vsr_verdict** out, vsr_error* error) {
      return vsr_moderate(engine.get(), view(text.text), text.pair ? &response : nullptr, &options, out, error);
    });
    (arguments.json ? print_verdict_json : print_verdict)(text, verdict.get());
  }
}

}  // namespace

void add_moderate_command(CLI::App& program) {
  CLI::App& app =
      *program.add_subcommand("moderate", "judge prompts, or responses to them (--pair), as safe or unsafe");
  const auto arguments = std::make_shared<ModerateArguments>();
  add_input_arguments(app, arguments->input, true);
  add_model_arguments(app, arguments->model);
  app.add_flag("--json", arguments->json, "one JSON object per line, with the probabilities");
  app.callback([arguments] { moderate(*arguments); });
}

}  // namespace vsr::cli
