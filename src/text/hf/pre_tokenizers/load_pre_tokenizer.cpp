#include "text/hf/pre_tokenizers/load_pre_tokenizer.h"

#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "text/hf/pre_tokenizers/pre_tokenizer_basic.h"
#include "text/hf/pre_tokenizers/pre_tokenizer_patterns.h"
#include "text/parts/step_limit.h"

namespace vsr::text {
namespace {

class SequenceOfSteps : public PreTokenizer {
 public:
  explicit SequenceOfSteps(std::vector<PreTokenizerPtr> steps) : steps_(std::move(steps)) {}
  void split(Words& words) const override {
    for (const PreTokenizerPtr& step : steps_) step->split(words);
  }
  // The others cut each word by itself.
  WordEnds ends() const override { return steps_.front()->ends(); }

 private:
  std::vector<PreTokenizerPtr> steps_;
};

char32_t read_character(const base::JsonObject& json, const std::string& key) {
  const std::string text = json.required<std::string>(key);
  const base::Decoded c = text.empty() ? base::Decoded{} : base::decode_utf8(text);
  if (text.empty() || c.size != text.size()) json.at(key).fail("is \"" + text + "\", expected one character");
  return c.code_point;
}

PreTokenizerPtr load_metaspace(const base::JsonObject& json) {
  MetaspaceOptions options;
  read_character(json, "replacement");
  options.mark = json.required<std::string>("replacement");
  options.split = json.optional<bool>("split", true);
  const std::string scheme = json.optional<std::string>("prepend_scheme", "always");
  if (scheme == "always") {
    options.prepend = MetaspaceOptions::kAlways;
  } else if (scheme == "first") {
    options.prepend = MetaspaceOptions::kFirst;
  } else if (scheme == "never") {
    options.prepend = MetaspaceOptions::kNever;
  } else {
    json.at("prepend_scheme").fail("is \"" + scheme + "\", expected always, first or never");
  }
  if (!json.optional<bool>("add_prefix_space", true) && scheme != "never") {
    if (json.contains("prepend_scheme")) json.at("add_prefix_space").fail("is false, prepend_scheme says otherwise");
    json.at("add_prefix_space").fail("is false without \"prepend_scheme\": \"never\"");
  }
  return make_metaspace(std::move(options));
}

PreTokenizerPtr load_split(const base::JsonObject& json) {
  return make_split(load_pattern(json.required<base::JsonObject>("pattern")), read_split_behavior(json.at("behavior")),
                    json.required<bool>("invert"));
}

void load_byte_level(const base::JsonObject& json, PreTokenizers& result, std::vector<PreTokenizerPtr>& steps) {
  if (json.required<bool>("add_prefix_space")) steps.push_back(make_prefix_space());
  if (json.optional<bool>("use_regex", true)) {
    steps.push_back(make_split(make_gpt2_pattern(), SplitBehavior::kIsolated, false));
  }
  result.byte_level = true;
}

void load_steps(const base::JsonObject& json, PreTokenizers& result, std::vector<PreTokenizerPtr>& steps);

void load_sequence(const base::JsonObject& json, PreTokenizers& result, std::vector<PreTokenizerPtr>& steps) {
  for (const base::JsonValue& item : json.at("pretokenizers").items()) {
    load_steps(item.as<base::JsonObject>(), result, steps);
    if (steps.size() > kMostSteps) json.fail("has more than " + std::to_string(kMostSteps) + " steps");
  }
}

void load_steps(const base::JsonObject& json, PreTokenizers& result, std::vector<PreTokenizerPtr>& steps) {
  const std::string type = json.required<std::string>("type");
  if (result.byte_level) json.fail_unsupported("is " + type + " after ByteLevel, which vsr does not implement");
  if (type == "Sequence") {
    load_sequence(json, result, steps);
  } else if (type == "ByteLevel") {
    load_byte_level(json, result, steps);
  } else if (type == "Split") {
    steps.push_back(load_split(json));
  } else if (type == "Metaspace") {
    steps.push_back(load_metaspace(json));
  } else if (type == "BertPreTokenizer") {
    steps.push_back(make_bert_pre_tokenizer());
  } else if (type == "Whitespace") {
    steps.push_back(make_whitespace());
  } else if (type == "WhitespaceSplit") {
    steps.push_back(make_whitespace_split());
  } else if (type == "CharDelimiterSplit" || type == "Delimiter") {
    steps.push_back(make_delimiter_split(read_character(json, "delimiter")));
  } else if (type == "Digits") {
    steps.push_back(make_digits(json.required<bool>("individual_digits")));
  } else if (type == "Punctuation") {
    steps.push_back(make_punctuation(json.contains("behavior") ? read_split_behavior(json.at("behavior"))
                                                               : SplitBehavior::kIsolated));
  } else if (type == "FixedLength") {
    const int64_t length = json.optional<int64_t>("length", 5);
    if (length < 1) json.at("length").fail("is " + std::to_string(length) + ", expected 1 or more");
    steps.push_back(make_fixed_length(static_cast<size_t>(length)));
  } else {
    json.at("type").fail_unsupported("is \"" + type + "\", a pre-tokenizer that vsr does not implement");
  }
}

}  // namespace

PreTokenizers load_pre_tokenizer(const base::JsonObject& json) {
  PreTokenizers result;
  std::vector<PreTokenizerPtr> steps;
  load_steps(json, result, steps);
  if (steps.size() == 1) {
    result.steps = std::move(steps.front());
  } else if (!steps.empty()) {
    result.steps = std::make_unique<SequenceOfSteps>(std::move(steps));
  }
  return result;
}

}  // namespace vsr::text
