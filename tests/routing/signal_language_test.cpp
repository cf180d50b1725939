#include "routing/signals/signal_language.h"

#include <catch2/catch.hpp>

using namespace vsr::routing;

namespace {

SignalValue evaluate(const LanguageRule& rule, std::string_view text) {
  return evaluate_language(rule, vsr::facts::detect_languages(text));
}

}  // namespace

TEST_CASE("language signal: two languages of one text may both match", "[routing]") {
  const std::string text =
      "Please translate the following paragraph for our customers. 请把下面的段落翻译成英文，谢谢你们的帮助和耐心。";
  CHECK(evaluate({.name = "en"}, text).matched);
  CHECK(evaluate({.name = "zh"}, text).matched);
  CHECK_FALSE(evaluate({.name = "zh", .threshold = 0.9}, text).matched);
  CHECK_FALSE(evaluate({.name = "fr"}, text).matched);
}

TEST_CASE("language signal: a text without words has no language", "[routing]") {
  CHECK_FALSE(evaluate({.name = "en"}, "").matched);
}

TEST_CASE("language signal: the rule's code is written in several ways", "[routing]") {
  CHECK(evaluate({.name = "EN-us"}, "What is the capital of France?").matched);
}
