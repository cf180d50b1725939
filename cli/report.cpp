#include "report.h"

#include <string>
#include <utility>

#include "terminal.h"

namespace vsr::cli {
namespace {

void print_note(size_t texts, const std::string& what_one, const std::string& what_many) {
  if (texts == 0) return;
  print_line(styled(format_count(texts, "text") + " " + (texts == 1 ? what_one : what_many), Style::kDim));
}

}  // namespace

Json json_of(const Text& text) {
  Json object = {{"text", text.text}};
  if (text.pair) object["pair"] = *text.pair;
  return object;
}

void add_scores(Json& object, const vsr_result* result, size_t row) {
  const float* scores = vsr_result_data(result) + row * vsr_result_col_count(result);
  const size_t best = vsr_result_best(result, row);
  object["label"] = text_of(vsr_result_label(result, best));
  object["score"] = scores[best];
  Json probabilities = Json::object();
  for (size_t i = 0; i < vsr_result_col_count(result); ++i) {
    probabilities[text_of(vsr_result_label(result, i))] = scores[i];
  }
  object["probs"] = std::move(probabilities);
}

void add_usage(Json& object, const vsr_result* result, size_t text) {
  object["tokens"] = vsr_result_token_count(result, text);
  object["windows"] = vsr_result_window_count(result, text);
  object["dropped"] = vsr_result_dropped_count(result, text);
  object["replaced"] = vsr_result_replaced_size(result, text);
}

void Notes::add(const vsr_result* result, size_t text) {
  windowed_ += vsr_result_window_count(result, text) > 1 ? 1 : 0;
  dropped_ += vsr_result_dropped_count(result, text) > 0 ? 1 : 0;
  replaced_ += vsr_result_replaced_size(result, text) > 0 ? 1 : 0;
}

void Notes::print() const {
  print_note(windowed_, "was longer than the model's limit and was read in windows",
             "were longer than the model's limit and were read in windows");
  print_note(dropped_, "was not read to its end", "were not read to their end");
  print_note(replaced_, "held bytes that are not UTF-8", "held bytes that are not UTF-8");
}

}  // namespace vsr::cli
