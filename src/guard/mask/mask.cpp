#include "guard/mask/mask.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/span.h"
#include "base/utf8.h"
#include "facts/pii_patterns.h"
#include "guard/mask/json_strings.h"

namespace vsr::guard {
namespace {

using facts::PiiEntity;

constexpr size_t kLeastDigits = 7;  // of a number that could be somebody's
constexpr std::string_view kUrl = "URL";

// Members whose values are words of the form, or references that the other side must find again.
bool is_form(const JsonPiece& piece) {
  static const std::set<std::string_view> kForm = {"role",    "type",   "model", "id",     "object", "tool_call_id",
                                                   "call_id", "format", "$ref",  "detail", "status"};
  return piece.kind == JsonPiece::Kind::kString && kForm.contains(piece.key);
}

bool is_bytes(const JsonPiece& piece) {
  static const std::set<std::string_view> kBytes = {"data", "file_data", "image_data"};
  return kBytes.contains(piece.key) || piece.text.starts_with("data:");
}

// Names that both sides must spell alike: only what has a form is masked in them.
bool is_name(const JsonPiece& piece) {
  static const std::set<std::string_view> kNames = {"name", "required", "enum", "stop", "user"};
  return piece.kind != JsonPiece::Kind::kString || kNames.contains(piece.key);
}

bool is_inner_json(const JsonPiece& piece) {
  if (piece.kind != JsonPiece::Kind::kString) return false;
  if (piece.key != "arguments" && piece.key != "partial_json" && piece.key != "input") return false;
  const size_t first = piece.text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || (piece.text[first] != '{' && piece.text[first] != '[')) return false;
  try {
    json_pieces(piece.text);
    return true;
  } catch (const base::Error&) {
    return false;
  }
}

std::vector<base::Span> own_placeholders(std::string_view text, const Placeholders& placeholders) {
  std::vector<base::Span> own;
  PlaceholderFinder finder;
  finder.feed(text, [&](const PlaceholderFinder::Found& found) {
    if (placeholders.value(found.text)) own.push_back({found.begin, found.end});
  });
  return own;
}

// One after the other, none within another: of what overlaps, all of it under the type of the first and longest.
std::vector<PiiEntity> apart(std::vector<PiiEntity> found) {
  std::sort(found.begin(), found.end(), [](const PiiEntity& a, const PiiEntity& b) {
    return std::pair(a.begin, b.end) < std::pair(b.begin, a.end);
  });
  std::vector<PiiEntity> spans;
  for (PiiEntity& entity : found) {
    if (!spans.empty() && entity.begin < spans.back().end) {
      spans.back().end = std::max(spans.back().end, entity.end);
    } else {
      spans.push_back(std::move(entity));
    }
  }
  return spans;
}

// Without what touches one of the spans, which rise.
void leave_out(std::vector<PiiEntity>& found, const std::vector<base::Span>& own) {
  std::erase_if(found, [&](const PiiEntity& entity) {
    const auto after =
        std::partition_point(own.begin(), own.end(), [&](const base::Span& span) { return span.end <= entity.begin; });
    return after != own.end() && after->begin < entity.end;
  });
}

std::string with_placeholders(std::string_view text, const std::vector<PiiEntity>& spans, Placeholders& placeholders) {
  std::string out;
  size_t at = 0;
  for (const PiiEntity& span : spans) {
    out.append(text.substr(at, span.begin - at));
    out += placeholders.of(span.type, text.substr(span.begin, span.end - span.begin));
    at = span.end;
  }
  return out.append(text.substr(at));
}

}  // namespace

Mask::Mask(MaskOptions options)
    : options_(std::move(options)),
      placeholders_(std::make_shared<Placeholders>(options_.key, options_.tenant)),
      read_(placeholders_) {
  if (options_.pii_task.empty()) return;
  if (!options_.models)
    base::fail(base::Status::kInvalidArgument, "pii_task: \"", options_.pii_task, "\" without models");
  const std::string why = options_.models->missing(options_.pii_task, inference::TaskUse::kFindEntities);
  if (!why.empty()) base::fail(base::Status::kNotFound, "pii_task: ", why);
}

// Patterns are asked until they find nothing more: of thousands of one type they give some at a time.
std::optional<std::string> Mask::masked_patterns(std::string text) const {
  bool changed = false;
  while (true) {
    const base::CleanText clean(text);
    std::vector<PiiEntity> found = facts::scan_pii_patterns(clean.view());
    std::erase_if(found, [&](const PiiEntity& entity) {
      const bool wanted = options_.types.empty() ? entity.type != kUrl : options_.types.contains(entity.type);
      return !wanted || entity.score < static_cast<double>(options_.threshold);
    });
    for (PiiEntity& entity : found) {
      entity.begin = clean.to_original(entity.begin);
      entity.end = clean.to_original(entity.end);
    }
    leave_out(found, own_placeholders(text, *placeholders_));
    if (found.empty()) return changed ? std::optional(std::move(text)) : std::nullopt;
    text = with_placeholders(text, apart(std::move(found)), *placeholders_);
    changed = true;
  }
}

std::vector<std::optional<std::string>> Mask::masked(const std::vector<Text>& texts,
                                                     const base::CallLimits& limits) const {
  std::vector<std::optional<std::string>> out(texts.size());
  std::vector<std::string_view> asked;
  std::vector<size_t> places;
  for (size_t i = 0; i < texts.size() && !options_.pii_task.empty(); ++i) {
    if (!texts[i].ask_model || texts[i].text.empty()) continue;
    asked.push_back(texts[i].text);
    places.push_back(i);
  }
  if (!asked.empty()) {
    const inference::TaskQuestion question{options_.pii_task};
    const auto answers =
        options_.models->classify(asked, {&question, 1}, std::vector<bool>(asked.size(), true), limits);
    if (answers.front().error) std::rethrow_exception(answers.front().error);
    for (size_t i = 0; i < asked.size(); ++i) {
      std::vector<PiiEntity> found;
      for (const inference::ModelEntity& entity : answers.front().entities.at(i)) {
        const std::string type = facts::canonical_pii_type(entity.label);
        const bool wanted = options_.types.empty() || options_.types.contains(type);
        if (wanted && entity.score >= static_cast<double>(options_.threshold)) {
          found.push_back({type, entity.begin, entity.end, entity.score});
        }
      }
      // Together with the patterns', so that the longer of two that overlap is one value.
      leave_out(found, own_placeholders(asked[i], *placeholders_));
      if (!found.empty()) {
        std::vector<PiiEntity> all = facts::scan_pii_patterns(asked[i]);
        std::erase_if(all, [&](const PiiEntity& entity) {
          const bool wanted = options_.types.empty() ? entity.type != kUrl : options_.types.contains(entity.type);
          return !wanted || entity.score < static_cast<double>(options_.threshold);
        });
        leave_out(all, own_placeholders(asked[i], *placeholders_));
        all.insert(all.end(), found.begin(), found.end());
        out[places[i]] = with_placeholders(asked[i], apart(std::move(all)), *placeholders_);
      }
    }
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    limits.check();
    if (auto more = masked_patterns(out[i] ? *out[i] : std::string(texts[i].text))) out[i] = std::move(more);
  }
  return out;
}

std::string Mask::text(std::string_view text, const base::CallLimits& limits) const {
  const base::CleanText clean(text);
  const bool well_formed = clean.replaced_bytes() == 0;
  auto out = masked({{text, well_formed}}, limits).front();
  return out ? std::move(*out) : std::string(text);
}

std::string Mask::request(std::string_view json, const base::CallLimits& limits) const {
  if (base::CleanText(json).replaced_bytes() > 0) base::fail(base::Status::kParse, "request: is not UTF-8");
  const std::vector<JsonPiece> pieces = json_pieces(json);
  std::vector<std::optional<std::string>> texts(pieces.size());
  std::vector<Text> asked;
  std::vector<size_t> places;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const JsonPiece& piece = pieces[i];
    if (is_form(piece) || is_bytes(piece)) continue;
    if (piece.kind == JsonPiece::Kind::kNumber && piece.text.size() < kLeastDigits) continue;
    if (is_inner_json(piece)) {
      std::string inner = request(piece.text, limits);
      if (inner != piece.text) texts[i] = std::move(inner);
      continue;
    }
    asked.push_back({piece.text, !is_name(piece)});
    places.push_back(i);
  }
  auto out = masked(asked, limits);
  for (size_t i = 0; i < places.size(); ++i) texts[places[i]] = std::move(out[i]);
  return with_pieces(json, pieces, texts);
}

std::string Mask::restored(std::string_view text) const {
  return replaced_placeholders(text, [&](const std::string& placeholder) { return placeholders_->value(placeholder); });
}

std::string restored_body(std::string_view json, const Placeholders& placeholders, bool& unknown) {
  const std::vector<JsonPiece> pieces = json_pieces(json);
  std::vector<std::optional<std::string>> texts(pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].kind == JsonPiece::Kind::kNumber) continue;
    const bool inner = is_inner_json(pieces[i]);
    std::string text = replaced_placeholders(pieces[i].text, [&](const std::string& placeholder) {
      auto value = placeholders.value(placeholder);
      unknown = unknown || !value;
      if (value && inner) value = json_escaped(*value);
      return value;
    });
    if (text != pieces[i].text) texts[i] = std::move(text);
  }
  return with_pieces(json, pieces, texts);
}

}  // namespace vsr::guard
