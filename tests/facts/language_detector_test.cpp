#include "facts/language_detector.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/utf8.h"
#include "facts/words.h"
#include "support/data.h"

using namespace vsr::facts;

namespace {

std::string first(std::string_view text) {
  const auto shares = detect_languages(text);
  return shares.empty() ? "" : shares.front().language;
}

}  // namespace

TEST_CASE("language detector: short questions in many languages", "[facts]") {
  CHECK(first("What is the capital of France?") == "en");
  CHECK(first("¿Cuál es la capital de Francia?") == "es");
  CHECK(first("Quelle est la capitale de la France ?") == "fr");
  CHECK(first("Wie heißt die Hauptstadt von Frankreich?") == "de");
  CHECK(first("Qual è la capitale della Francia?") == "it");
  CHECK(first("你好吗") == "zh");
  CHECK(first("請問台北天氣如何") == "zh");
  CHECK(first("何時に開きますか") == "ja");
  CHECK(first("오늘 날씨가 어때요") == "ko");
  CHECK(first("привет как дела") == "ru");
  CHECK(first("як справи друже") == "uk");
  CHECK(first("مرحبا كيف حالك") == "ar");
  CHECK(first("मुझे मदद चाहिए") == "hi");
  CHECK(first("ช่วยฉันด้วย") == "th");
  CHECK(first("מה שלומך היום") == "he");
}

TEST_CASE("language detector: a text without words has no language", "[facts]") {
  CHECK(detect_languages("").empty());
  CHECK(detect_languages("12345 !?").empty());
}

TEST_CASE("language detector: codes are written in several ways", "[facts]") {
  CHECK(canonical_language("zh-Hant") == "zh");
  CHECK(canonical_language("PT_br") == "pt");
  CHECK(canonical_language("iw") == "he");
  CHECK(canonical_language("EN-us") == "en");
}

TEST_CASE("language detector: a long text is sampled at character boundaries", "[facts]") {
  std::string text;
  while (text.size() < (size_t{4} << 20)) text += "这是一个很长的中文文本。x";
  CHECK(first(text) == "zh");
}

TEST_CASE("language detector: many threads may detect at once", "[facts]") {
  std::vector<std::thread> threads;
  std::vector<int> right(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&right, t] {
      for (int i = 0; i < 50; ++i)
        right[t] += first(t % 2 == 0 ? "Wie geht es dir heute?" : "привет как дела") == (t % 2 == 0 ? "de" : "ru");
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == std::vector<int>(4, 50));
}

namespace {

// The file writes characters beyond ASCII as "&#xE7;".
std::string without_references(const std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size();) {
    unsigned code = 0;
    int length = 0;
    if (std::sscanf(text.c_str() + i, "&#x%x;%n", &code, &length) == 1 && length > 0) {
      vsr::base::append_utf8(plain, code);
      i += static_cast<size_t>(length);
    } else {
      plain += text[i++];
    }
  }
  return plain;
}

// Stretches of `n` words.
std::vector<std::string_view> stretches(std::string_view text, size_t n) {
  const std::vector<std::string_view> words = split_words(text);
  std::vector<std::string_view> parts;
  for (size_t i = 0; i + n <= words.size(); i += n) {
    const std::string_view last = words[i + n - 1];
    parts.emplace_back(words[i].data(), static_cast<size_t>(last.data() + last.size() - words[i].data()));
  }
  return parts;
}

}  // namespace

TEST_CASE("language detector: twelve words of the Universal Declaration tell its language", "[facts]") {
  const auto path = vsr::test::shared_data("texts/udhr.jsonl");
  if (!path) return;
  const std::map<std::string, std::string> languages{
      {"arb", "ar"},         {"ben", "bn"},       {"bel", "be"}, {"cat", "ca"},   {"cmn_hans", "zh"},
      {"cmn_hant", "zh"},    {"deu_1996", "de"},  {"est", "et"}, {"glg", "gl"},   {"guj", "gu"},
      {"isl", "is"},         {"jpn_osaka", "ja"}, {"kan", "kn"}, {"kor", "ko"},   {"lit", "lt"},
      {"mar", "mr"},         {"nld", "nl"},       {"nob", "no"}, {"pes_1", "fa"}, {"pol", "pl"},
      {"por_BR", "pt"},      {"swe", "sv"},       {"tam", "ta"}, {"tha2", "th"},  {"ukr", "uk"},
      {"urd_2", "ur"},       {"vie", "vi"},       {"afr", "af"}, {"khm", "km"},   {"lao", "lo"},
      {"mal_chillus", "ml"}, {"ron_1993", "ro"}};
  size_t all = 0, right = 0, read = 0;
  std::ifstream file(*path);
  for (std::string line; std::getline(file, line);) {
    const auto entry = nlohmann::json::parse(line);
    const auto language = languages.find(entry.at("language"));
    if (language == languages.end()) continue;
    ++read;
    const std::string text = without_references(entry.at("text"));
    size_t parts = 0, hits = 0;
    for (const std::string_view part : stretches(text, 12)) ++parts, hits += first(part) == language->second;
    if (hits < parts) std::printf("language detector: %s %zu of %zu\n", language->second.c_str(), hits, parts);
    all += parts;
    right += hits;
  }
  std::printf("language detector: %zu of %zu stretches of twelve words in %zu languages\n", right, all, read);
  CHECK(read == languages.size());
  CHECK(static_cast<double>(right) >= 0.95 * static_cast<double>(all));
}
