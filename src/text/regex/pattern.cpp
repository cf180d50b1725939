#include "text/regex/pattern.h"

#include "base/checkpoint.h"

namespace vsr::text {
namespace {

class FixedString : public Pattern {
 public:
  explicit FixedString(std::string needle) : needle_(std::move(needle)) {}
  void find(std::string_view text, uint32_t origin, std::vector<Span>& matches) const override {
    base::Checkpoint checkpoint;
    for (size_t at = text.find(needle_); at != std::string_view::npos; at = text.find(needle_, at + needle_.size())) {
      checkpoint(at);
      matches.push_back({origin + static_cast<uint32_t>(at), origin + static_cast<uint32_t>(at + needle_.size())});
    }
  }

  std::string_view fixed() const override { return needle_; }

 private:
  std::string needle_;
};

}  // namespace

PatternPtr load_pattern(const base::JsonObject& json) {
  if (json.contains("String")) {
    const std::string needle = json.required<std::string>("String");
    if (needle.empty()) json.at("String").fail("is empty");
    return std::make_unique<FixedString>(needle);
  }
  const std::string expression = json.required<std::string>("Regex");
  PatternPtr known = find_word_pattern(expression);
  return known != nullptr ? std::move(known) : compile_regex(expression, json.at("Regex"));
}

}  // namespace vsr::text
