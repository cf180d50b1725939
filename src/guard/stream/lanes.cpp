#include "guard/stream/lanes.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace vsr::guard {
namespace {

constexpr size_t kPiece = 8192;
constexpr size_t kMostKept = size_t{96} << 10;    // bytes of a lane's text
constexpr size_t kKeptBehind = size_t{24} << 10;  // of them judged already: claims that a later event may name
constexpr uint64_t kHashBasis = 14695981039346656037ULL, kHashPrime = 1099511628211ULL;

uint64_t hashed(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kHashPrime;
  return hash;
}

}  // namespace

std::string edited(std::string_view text, size_t offset, const std::vector<LaneEdit>& edits) {
  std::string out;
  size_t at = 0;
  for (const LaneEdit& edit : edits) {
    if (edit.begin > offset + text.size() || edit.end < offset) continue;
    const size_t begin = std::max(edit.begin, offset) - offset;
    const size_t end = std::min(edit.end - offset, text.size());
    if (begin < at || end < begin) continue;
    out.append(text.substr(at, begin - at)).append(edit.text);
    at = end;
  }
  return out.append(text.substr(at));
}

Lane::Lane(const chat::LaneKey& key, std::shared_ptr<const FactSet> facts, const StreamOptions& options)
    : key_(key), facts_(std::move(facts)), question_(options.question), hash_(kHashBasis) {
  // What a model calls tools with, thinks or refuses is no claim about the facts.
  checks_.grounding = options.grounding && key.field == chat::LaneField::kText;
  safety_options_ = {options.pii, options.pii_task, options.jailbreak_task, options.safety_threshold};
  if (options.restoring) finder_.emplace();
  begin();
}

void Lane::begin() {
  base_ = length_;
  if (checks_.grounding) grounding_.emplace(facts_, question_, checks_);
  if (safety_options_.any()) safety_.emplace(facts_, safety_options_);
}

void Lane::add(std::vector<Event> events, std::vector<StreamEvent>& found) const {
  for (Event& event : events) {
    event.begin += base_;
    event.end += base_;
    event.claim_begin += base_;
    event.claim_end += base_;
    found.push_back({event, key_, std::string(text(event.begin, event.end)),
                     std::string(text(event.claim_begin, event.claim_end))});
  }
}

std::string_view Lane::text(size_t begin, size_t end) const {
  begin = std::max(begin, kept_from_);
  end = std::min(end, length_);
  return begin >= end ? std::string_view() : std::string_view(kept_).substr(begin - kept_from_, end - begin);
}

template <class Ask>
void Lane::ask(std::vector<StreamEvent>& found, Ask&& ask_checkers) {
  const auto try_one = [&](auto& checker) {
    if (!checker) return;
    try {
      add(ask_checkers(*checker), found);
    } catch (const base::Error& error) {
      if (error.status() == base::Status::kCancelled) throw;
      trouble_ = error.what();
    }
  };
  try_one(grounding_);
  try_one(safety_);
}

void Lane::feed(std::string_view text, const base::CallLimits& limits, std::vector<StreamEvent>& found) {
  if (std::exchange(finished_, false)) begin();
  if (grounding_) grounding_->set_limits(limits);
  if (safety_) safety_->set_limits(limits);
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), kPiece))) {
    const std::string_view piece = text.substr(0, kPiece);
    length_ += piece.size();
    hash_ = hashed(hash_, piece);
    if (finder_) finder_->feed(piece, [&](const PlaceholderFinder::Found& one) { placeholders_.push_back(one); });
    if (grounding_ || safety_) {
      kept_ += piece;
      ask(found, [&](auto& checker) { return checker.feed(piece); });
      forget_judged();
    }
  }
}

void Lane::finish(const base::CallLimits& limits, std::vector<StreamEvent>& found) {
  if (grounding_) grounding_->set_limits(limits);
  if (safety_) safety_->set_limits(limits);
  ask(found, [](auto& checker) { return checker.finish(); });
  if (finder_) finder_->finish();
  finished_ = true;
  claims_ = claims();
  by_symbols_ = claims_by_symbols();
  grounding_.reset();
  safety_.reset();
  kept_.clear();
  kept_from_ = length_;
}

void Lane::forget_judged() {
  if (kept_.size() <= kMostKept) return;
  const size_t judged = checked();
  // Checkers that failed judge no more; the text does not grow for it.
  size_t from = std::max(judged > kKeptBehind ? judged - kKeptBehind : 0, kept_from_);
  if (length_ - from > kMostKept) from = length_ - kMostKept;
  kept_.erase(0, from - kept_from_);
  kept_from_ = from;
}

size_t Lane::checked() const {
  size_t checked = length_;
  if (grounding_) checked = std::min(checked, base_ + grounding_->checked());
  if (safety_) checked = std::min(checked, base_ + safety_->checked());
  if (finder_) checked = std::min(checked, finder_->certain());
  return checked;
}

bool Lane::is_whole_text(std::string_view text) const {
  return text.size() == length_ && hashed(kHashBasis, text) == hash_;
}

size_t Lane::claims() const { return claims_ + (grounding_ ? grounding_->claims() : 0); }
size_t Lane::claims_by_symbols() const { return by_symbols_ + (grounding_ ? grounding_->claims_by_symbols() : 0); }

Lanes::Lanes(std::shared_ptr<const FactSet> facts, StreamOptions options)
    : facts_(std::move(facts)), options_(std::move(options)) {}

Lane* Lanes::get(const chat::LaneKey& key) {
  const auto found = lanes_.find(key);
  if (found != lanes_.end()) return found->second.get();
  if (lanes_.size() >= kMost) return nullptr;
  return lanes_.emplace(key, std::make_unique<Lane>(key, facts_, options_)).first->second.get();
}

const Lane* Lanes::find(const chat::LaneKey& key) const {
  const auto found = lanes_.find(key);
  return found == lanes_.end() ? nullptr : found->second.get();
}

size_t Lanes::checked() const {
  size_t checked = 0;
  for (const auto& [key, lane] : lanes_) {
    if (key.field == chat::LaneField::kText) checked += lane->checked();
  }
  return checked;
}

}  // namespace vsr::guard
