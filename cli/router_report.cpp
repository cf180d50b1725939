#include "router_report.h"

#include "terminal.h"

namespace vsr::cli {
namespace {

const char* outcome_name(int32_t outcome) {
  switch (outcome) {
    case VSR_OUTCOME_FORWARD:
      return "forward";
    case VSR_OUTCOME_RESPOND:
      return "respond";
    case VSR_OUTCOME_CACHED:
      return "cached";
    case VSR_OUTCOME_PASSTHROUGH:
      return "passthrough";
    default:
      return "none";
  }
}

Json or_null(vsr_str text) { return text.data == nullptr ? Json(nullptr) : Json(text_of(text)); }

// A body as JSON where it is some, else as text.
Json body_of(vsr_str body) {
  const std::string text = text_of(body);
  Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_discarded() ? Json(text) : parsed;
}

void print_list(const char* title, const Json& lines, Style style) {
  for (const Json& line : lines) print_line(styled(std::string(title) + ": ", style) + line.get<std::string>());
}

std::string target_of(const vsr_decision* decision) {
  const vsr_str model = vsr_decision_model(decision);
  std::string target = model.data == nullptr ? "no model" : text_of(model);
  const vsr_str lora = vsr_decision_lora(decision);
  if (lora.data != nullptr) target += " (LoRA " + text_of(lora) + ")";
  if (vsr_decision_reasoning(decision) != 0) {
    const vsr_str effort = vsr_decision_effort(decision);
    target += effort.data == nullptr ? ", reasoning" : ", " + text_of(effort) + " reasoning";
  }
  return target;
}

std::string truth_of(const Json& node) {
  const Json& truth = node.at("truth");
  return truth.is_null() ? "not evaluated" : truth.get<bool>() ? "yes" : "no";
}

void print_rule(const Json& node, size_t depth) {
  const std::string what =
      node.contains("signal") ? node.at("signal").get<std::string>() : node.at("operator").get<std::string>();
  print_line(std::string(4 + 2 * depth, ' ') + what + styled("  " + truth_of(node), Style::kDim));
  if (!node.contains("conditions")) return;
  for (const Json& child : node.at("conditions")) print_rule(child, depth + 1);
}

}  // namespace

Json describe(const vsr_router* router) {
  const String json =
      make<String>([&](vsr_string** out, vsr_error* error) { return vsr_router_describe(router, out, error); });
  return Json::parse(text_of(json));
}

void print_check(const Json& info) {
  print_line(info.at("path").get<std::string>() + ": " + format_count(info.at("decisions").size(), "decision") + ", " +
             format_count(info.at("signals").size(), "signal") + ", " +
             format_count(info.at("models").size(), "model"));
  print_list("warning", info.at("warnings"), Style::kWarning);
  print_list("skipped", info.at("skipped"), Style::kWarning);
  print_list("for the gateway", info.at("for_gateway"), Style::kPlain);
  print_list("replaced", info.at("replaced"), Style::kPlain);
}

Json json_of(const vsr_decision* decision) {
  Json object = {
      {"decision", or_null(vsr_decision_name(decision))}, {"outcome", outcome_name(vsr_decision_outcome(decision))},
      {"model", or_null(vsr_decision_model(decision))},   {"lora", or_null(vsr_decision_lora(decision))},
      {"confidence", vsr_decision_confidence(decision)},  {"reasoning", vsr_decision_reasoning(decision) != 0},
      {"effort", or_null(vsr_decision_effort(decision))}};
  Json signals = Json::object();
  for (size_t i = 0; i < vsr_decision_signal_count(decision); ++i) {
    const vsr_signal& signal = *vsr_decision_signal(decision, i);
    signals[text_of(signal.name)] = {{"matched", signal.matched != 0},
                                     {"confidence", signal.confidence},
                                     {"value", signal.value},
                                     {"milliseconds", signal.duration_ms},
                                     {"detail", text_of(signal.detail)}};
  }
  object["signals"] = std::move(signals);
  Json headers = Json::array();
  for (size_t i = 0; i < vsr_decision_header_count(decision); ++i) {
    const vsr_header& header = *vsr_decision_header(decision, i);
    headers.push_back({{"name", text_of(header.name)}, {"value", or_null(header.value)}});
  }
  object["headers"] = std::move(headers);
  if (vsr_decision_request(decision).size > 0) object["request"] = body_of(vsr_decision_request(decision));
  if (vsr_decision_response(decision).size > 0) object["response"] = body_of(vsr_decision_response(decision));
  if (vsr_decision_held_back(decision).size > 0) object["held_back"] = body_of(vsr_decision_held_back(decision));
  const std::string plan = text_of(vsr_decision_plan(decision));
  if (!plan.empty()) object["plan"] = Json::parse(plan);
  const std::string explanation = text_of(vsr_decision_explanation(decision));
  if (!explanation.empty()) object["explanation"] = Json::parse(explanation);
  return object;
}

void print_decision(const std::string& request, const vsr_decision* decision, bool explain) {
  if (!request.empty()) print_line(styled(for_display(request, 200), Style::kBold));
  const vsr_str name = vsr_decision_name(decision);
  const bool decided = name.data != nullptr;
  print_line("  " + styled(decided ? text_of(name) : "no decision", decided ? Style::kGood : Style::kDim) + " -> " +
             target_of(decision) + "  " +
             styled(std::string(outcome_name(vsr_decision_outcome(decision))) + ", confidence " +
                        format_number(vsr_decision_confidence(decision), 3),
                    Style::kDim));
  for (size_t i = 0; i < vsr_decision_signal_count(decision); ++i) {
    const vsr_signal& signal = *vsr_decision_signal(decision, i);
    if (signal.matched == 0 && !explain) continue;
    print_line(
        "    " + text_of(signal.name) + (signal.matched != 0 ? "  " : "  no  ") + format_number(signal.confidence, 3) +
        "  " +
        styled(format_number(signal.duration_ms, 2) + " ms  " + for_display(text_of(signal.detail), 120), Style::kDim));
  }
  const std::string text = text_of(vsr_decision_explanation(decision));
  if (!explain || text.empty()) return;
  const Json explanation = Json::parse(text);
  for (const Json& note : explanation.at("notes")) print_line("    note: " + note.get<std::string>());
  for (const Json& candidate : explanation.at("decisions")) {
    print_line("  " + candidate.at("name").get<std::string>() + styled("  " + truth_of(candidate), Style::kDim));
    print_rule(candidate.at("rule"), 0);
  }
}

}  // namespace vsr::cli
