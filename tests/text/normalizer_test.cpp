#include "text/hf/normalizers/load_normalizer.h"

#include <catch2/catch.hpp>

#include "text/unicode/unicode.h"

using namespace vsr;
using namespace vsr::text;

namespace {

// The result may refer to `text`.
NormalizedText run(const std::string& json, std::string_view text) {
  NormalizedText normalized(text, 0);
  load_normalizer(base::JsonObject(base::parse_json(json, "n.json")))->normalize(normalized);
  return normalized;
}

std::string normal(const std::string& json, std::string_view text) { return std::string(run(json, text).view()); }

std::vector<Span> sources(const NormalizedText& text) {
  std::vector<Span> spans;
  for (size_t i = 0; i < text.view().size(); ++i) spans.push_back(text.source(i));
  return spans;
}

}  // namespace

TEST_CASE("normalizer: the four Unicode forms compose, decompose and order marks", "[text]") {
  CHECK(normal(R"({"type": "NFC"})", "e\u0301 \u1112\u1161\u11ab") == "\u00e9 \ud55c");
  CHECK(normal(R"({"type": "NFD"})", "\u00e9\ud55c") == "e\u0301\u1112\u1161\u11ab");
  CHECK(normal(R"({"type": "NFKC"})", "\ufb01\u2460") == "fi1");
  CHECK(normal(R"({"type": "NFKD"})", "\ufb01\u00e9") == "fie\u0301");
  CHECK(normal(R"({"type": "NFD"})", "a\u0301\u0323") == "a\u0323\u0301");
  CHECK(normal(R"({"type": "NFC"})", "a\u0323\u0301 \u0301") == "\u1ea1\u0301 \u0301");
}

TEST_CASE("normalizer: each byte knows the character that it comes from", "[text]") {
  const NormalizedText composed = run(R"({"type": "NFC"})", "xe\u0301y");
  CHECK(composed.view() == "x\u00e9y");
  CHECK(sources(composed) == std::vector<Span>{{0, 1}, {1, 2}, {1, 2}, {4, 5}});
  CHECK(composed.source(Span{1, 4}) == Span{1, 5});
  const NormalizedText same = run(R"({"type": "NFC"})", "x\u00e9");
  CHECK(sources(same) == std::vector<Span>{{0, 1}, {1, 3}, {1, 3}});
}

TEST_CASE("normalizer: characters are added, removed and exchanged", "[text]") {
  CHECK(normal(R"({"type": "Prepend", "prepend": "_"})", "a") == "_a");
  CHECK(normal(R"({"type": "Prepend", "prepend": "_"})", "") == "");
  CHECK(normal(R"({"type": "Strip", "strip_left": true, "strip_right": true})", " \u2003a b\n") == "a b");
  CHECK(normal(R"({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "-"})", "a  b   c d") == "a-b-c d");
  CHECK(normal(R"({"type": "Lowercase"})", "\u0130\u00c9A") == "i\u0307\u00e9a");
  CHECK(normal(R"({"type": "StripAccents"})", "e\u0301\u00e9") == "e\u00e9");
  CHECK(normal(R"({"type": "Nmt"})", "a\u0001\u200bb") == "a b");
  const NormalizedText replaced = run(R"({"type": "Replace", "pattern": {"String": " "}, "content": "▁"})", "a b");
  CHECK(sources(replaced) == std::vector<Span>{{0, 1}, {1, 2}, {1, 2}, {1, 2}, {2, 3}});
}

TEST_CASE("unicode: grapheme clusters keep together what belongs together", "[text]") {
  const auto first = [](const std::string& text) { return grapheme_end(text, 0); };
  CHECK(first("ab") == 1);
  CHECK(first("\r\n") == 2);
  CHECK(first("e\u0301\u0301x") == 5);
  CHECK(first("\U0001f468\u200d\U0001f469x") == 11);
  CHECK(first("\U0001f1e9\U0001f1ea\U0001f1eb") == 8);
  CHECK(first("\u1112\u1161\u11abx") == 9);
  CHECK(first("\u0915\u094d\u0937") == 9);
}
