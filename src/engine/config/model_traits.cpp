#include "engine/config/model_traits.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/error.h"

namespace vsr::engine {
namespace {

using base::YamlNode;

constexpr const char* kAnyLanguage = "*";
constexpr size_t kLongestTag = 35;  // RFC 5646, 4.4.1

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::vector<std::string> read_languages(const YamlNode& list) {
  std::vector<std::string> languages;
  for (const YamlNode& item : list.items()) {
    const std::string text = item.as_string();
    const auto tag = text == kAnyLanguage ? std::optional(text) : language_tag(text);
    if (!tag) item.fail("is \"" + text + "\", expected a language such as \"de\" or \"pt-BR\", or \"*\" for any");
    if (std::find(languages.begin(), languages.end(), *tag) != languages.end()) item.fail("is given twice");
    languages.push_back(*tag);
  }
  if (languages.empty()) list.fail("is empty, expected languages, or \"*\" for any");
  return languages;
}

std::vector<int64_t> read_dims(const YamlNode& list) {
  std::vector<int64_t> dims;
  for (const YamlNode& item : list.items()) {
    const int64_t dim = item.as_integer();
    if (dim < 1) item.fail("is " + std::to_string(dim) + ", expected at least 1");
    if (std::find(dims.begin(), dims.end(), dim) != dims.end()) item.fail("is given twice");
    dims.push_back(dim);
  }
  std::sort(dims.begin(), dims.end());
  return dims;
}

}  // namespace

bool ModelTraits::lists(std::string_view language) const {
  return std::any_of(languages.begin(), languages.end(), [&](const std::string& known) {
    return known == kAnyLanguage || language == known ||
           (language.starts_with(known) && language.substr(known.size()).starts_with('-'));
  });
}

ModelTraits read_model_traits(const YamlNode& model) {
  ModelTraits traits;
  if (const auto languages = model.optional("languages")) traits.languages = read_languages(*languages);
  if (const auto quality = model.optional("quality")) {
    traits.quality = quality->as_number();
    if (!(*traits.quality >= 0 && *traits.quality <= 1)) quality->fail("is out of range, expected 0 to 1");
  }
  if (const auto dims = model.optional("matryoshka_dims")) {
    traits.matryoshka_dims = read_dims(*dims);
    traits.where = dims->where();
  }
  return traits;
}

void check_matryoshka_dims(const ModelTraits& traits, int64_t dim) {
  if (traits.matryoshka_dims.empty() || traits.matryoshka_dims.back() <= dim) return;
  base::fail(base::Status::kParse, traits.where, ": \"matryoshka_dims\" has ", traits.matryoshka_dims.back(),
             ", the model's vectors have ", dim, " values");
}

std::optional<std::string> language_tag(std::string_view text) {
  if (text.empty() || text.size() > kLongestTag) return std::nullopt;
  std::string tag(text);
  size_t group = 0;  // characters since the last '-'
  bool first = true;
  for (char& c : tag) {
    c = base::ascii_lower(c);
    if (c == '-') {
      if (group == 0 || (first && group < 2)) return std::nullopt;
      first = false;
      group = 0;
      continue;
    }
    if (!is_letter(c) && !(is_digit(c) && !first)) return std::nullopt;
    if (++group > 8) return std::nullopt;
  }
  if (group == 0 || (first && group < 2)) return std::nullopt;
  return tag;
}

}  // namespace vsr::engine
