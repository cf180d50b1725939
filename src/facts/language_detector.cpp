#include "facts/language_detector.h"

#include <cstdio>  // the detector's header uses FILE without it

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/characters.h"

namespace vsr::facts {
namespace {

constexpr size_t kSampleBytes = size_t{16} << 10;
constexpr double kUnreliable = 0.5;
constexpr int kBestEffort = CLD2::kCLDFlagBestEffort;  // an answer for short texts, too

size_t character_start(std::string_view text, size_t position) { return base::floor_boundary(text, position); }

std::string sample(std::string_view text) {
  if (text.size() <= 3 * kSampleBytes) return std::string(text);
  std::string parts;
  for (const size_t begin : {size_t{0}, text.size() / 2, text.size() - kSampleBytes}) {
    const size_t first = character_start(text, begin), last = character_start(text, begin + kSampleBytes);
    parts.append(text.substr(first, last - first)).push_back('\n');
  }
  return parts;
}

}  // namespace

std::string canonical_language(std::string_view code) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOldCodes{
      {{"iw", "he"}, {"in", "id"}, {"ji", "yi"}, {"jw", "jv"}, {"nb", "no"}}};
  std::string name = base::ascii_lower(code.substr(0, code.find_first_of("-_")));
  for (const auto& [old_code, new_code] : kOldCodes) {
    if (name == old_code) return std::string(new_code);
  }
  return name;
}

std::vector<LanguageShare> detect_languages(std::string_view text) {
  const std::string read = sample(text);
  const CLD2::CLDHints no_hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  CLD2::Language languages[3];
  int percents[3], text_bytes = 0;
  double scores[3];
  bool reliable = false;
  constexpr bool kPlainText = true;
  CLD2::ExtDetectLanguageSummary(read.data(), static_cast<int>(read.size()), kPlainText, &no_hints, kBestEffort,
                                 languages, percents, scores, nullptr, &text_bytes, &reliable);
  std::vector<LanguageShare> shares;
  for (size_t i = 0; i < 3; ++i) {
    if (languages[i] == CLD2::UNKNOWN_LANGUAGE || percents[i] == 0) continue;
    const double confidence = percents[i] / 100.0 * (reliable ? 1 : kUnreliable);
    std::string name = canonical_language(CLD2::LanguageCode(languages[i]));
    const auto same =
        std::find_if(shares.begin(), shares.end(), [&](const LanguageShare& s) { return s.language == name; });
    if (same != shares.end()) {
      same->confidence = std::min(1.0, same->confidence + confidence);
    } else {
      shares.push_back({std::move(name), confidence});
    }
  }
  return shares;
}

}  // namespace vsr::facts
