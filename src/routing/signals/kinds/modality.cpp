// Whether text, an image or both are asked for.
#include <array>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "routing/signals/kinds/signal_makers.h"

namespace vsr::routing {
namespace {

// What asks for images where the config has no words of its own.
const std::vector<std::string>& default_image_words() {
  static const std::vector<std::string> words = {"generate an image",
                                                 "generate a picture",
                                                 "create an image",
                                                 "create a picture",
                                                 "create a logo",
                                                 "make an image",
                                                 "make a picture",
                                                 "draw a",
                                                 "draw an",
                                                 "draw me",
                                                 "paint a",
                                                 "paint me",
                                                 "render an image",
                                                 "text to image",
                                                 "text-to-image",
                                                 "生成图片",
                                                 "画一张",
                                                 "画一幅"};
  return words;
}
const std::vector<std::string>& default_both_words() {
  static const std::vector<std::string> words = {"explain and illustrate", "describe with an image",
                                                 "with an illustration", "with illustrations", "and draw a diagram"};
  return words;
}

// Words that ask for an image, and for both.
class ModalityWords {
 public:
  explicit ModalityWords(const ModalityConfig& config) : prefixes_(config.prefixes), signals_(rules_of(config)) {}

  std::string_view name(RequestReading& reading) const {
    const std::string_view text = reading.text(TextScope::kLastUser);
    const std::vector<SignalValue> found = signals_.evaluate(text);
    if (found[1].matched) return "BOTH";
    return found[0].matched || begins(text) ? "DIFFUSION" : "AR";
  }

 private:
  static std::vector<KeywordRule> rules_of(const ModalityConfig& config) {
    const bool own = !config.keywords.empty() || !config.both_keywords.empty() || !config.prefixes.empty();
    std::vector<KeywordRule> rules = {{.name = "image", .keywords = own ? config.keywords : default_image_words()},
                                      {.name = "both", .keywords = own ? config.both_keywords : default_both_words()}};
    for (KeywordRule& rule : rules) {
      if (rule.keywords.empty()) rule.keywords = default_both_words();  // rules need words
    }
    return rules;
  }
  bool begins(std::string_view text) const {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    for (const std::string& prefix : prefixes_) {
      if (text.size() >= prefix.size() && base::ascii_lower(text.substr(0, prefix.size())) == base::ascii_lower(prefix))
        return true;
    }
    return false;
  }

  std::vector<std::string> prefixes_;
  KeywordSignals signals_;
};

class Modality : public BodySignal {
 public:
  Modality(std::string name, const ModalityConfig& config, std::string task)
      : name_(std::move(name)), config_(config), task_(std::move(task)), words_(config) {}

  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    if (config_.classifier) needs.answers[task_].push_back(reading.decisive(TextScope::kLastUser));
  }
  // The task where it is sure enough, else words.
  SignalValue evaluate(RequestReading& reading) const override {
    if (config_.classifier) {
      const LabelProbabilities answer = reading.topic(task_, reading.decisive(TextScope::kLastUser));
      for (size_t i = 0; i < answer.labels.size(); ++i) {
        const double probability = answer.probabilities[i];
        if (config_.by_words && probability < config_.threshold) continue;
        if (!config_.by_words && !is_largest(answer, i)) continue;
        return by_name(answer.labels[i], probability, "by the task " + task_);
      }
    }
    return by_name(words_.name(reading), 1, "by words");
  }

 private:
  static bool is_largest(const LabelProbabilities& answer, size_t i) {
    for (const float other : answer.probabilities) {
      if (other > answer.probabilities[i]) return false;
    }
    return true;
  }
  SignalValue by_name(std::string_view found, double confidence, const std::string& how) const {
    const bool matched = base::ascii_lower(found) == base::ascii_lower(name_);
    return {.matched = matched,
            .confidence = matched ? confidence : 0,
            .value = matched ? confidence : 0,
            .detail = std::string(found) + " " + how};
  }

  std::string name_;
  const ModalityConfig& config_;
  std::string task_;
  ModalityWords words_;
};

}  // namespace

BoundSignalPointer make_modality(const std::string& name, SignalSources& sources) {
  const ModalityRule* rule = find_rule(sources.rules().modality, name);
  return rule == nullptr ? nullptr
                         : std::make_unique<Modality>(name, sources.config.modality, sources.task_of("modality"));
}

}  // namespace vsr::routing
