#include "routing/rewrite/request_splice.h"

#include <algorithm>

#include "base/checkpoint.h"
#include "base/utf8.h"
#include "routing/request/param_names.h"

namespace vsr::routing {

namespace {

// Whether the member, and one in it for each further part, is called as `path` says but for case.
bool spells(const JsonNode& member, const JsonPath& path, size_t depth) {
  if (!same_param(member.key, path[depth])) return false;
  if (depth + 1 == path.size()) return true;
  if (!member.is(JsonNode::Kind::kObject)) return false;
  for (const JsonNode& inner : member.children()) {
    if (spells(inner, path, depth + 1)) return true;
  }
  return false;
}

constexpr size_t kMostAtOnce = size_t{1} << 20;

// Bit by bit, since a call may end while a long text is copied.
void append(std::string& out, std::string_view text) {
  for (; text.size() > kMostAtOnce; text.remove_prefix(kMostAtOnce)) {
    base::check_thread_limits();
    out += text.substr(0, kMostAtOnce);
  }
  out += text;
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt", kHex = "0123456789abcdef";
  out += '\\';
  if (const size_t at = kEscaped.find(c); at != std::string_view::npos) {
    out += kLetters[at];
  } else {
    out += "u00";
    out += kHex[static_cast<unsigned char>(c) >> 4];
    out += kHex[static_cast<unsigned char>(c) & 15];
  }
}

bool is_escaped(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

}  // namespace

std::string apply_splices(std::string_view bytes, std::vector<Splice> splices) {
  std::stable_sort(splices.begin(), splices.end(), [](const Splice& a, const Splice& b) { return a.begin < b.begin; });
  size_t size = bytes.size();
  for (const Splice& splice : splices) size += splice.text.size();
  std::string edited;
  edited.reserve(size);
  size_t done = 0;
  for (const Splice& splice : splices) {
    append(edited, bytes.substr(done, splice.begin - done));
    edited += splice.text;
    done = splice.end;
  }
  append(edited, bytes.substr(done));
  return edited;
}

std::string json_quoted(std::string_view text) {
  constexpr size_t kLongestEscape = 6, kQuotes = 2;
  const base::CleanText clean(text);
  text = clean.view();
  const auto escapes = static_cast<size_t>(std::count_if(text.begin(), text.end(), is_escaped));
  std::string quoted;
  quoted.reserve(text.size() + (kLongestEscape - 1) * escapes + kQuotes);
  quoted += '"';
  base::Checkpoint checkpoint;
  for (size_t i = 0; i < text.size(); ++i) {
    checkpoint(i);
    if (is_escaped(text[i])) {
      append_escaped(quoted, text[i]);
    } else {
      quoted += text[i];
    }
  }
  quoted += '"';
  return quoted;
}

JsonPath split_path(std::string_view dotted) {
  JsonPath path;
  for (;;) {
    const size_t dot = dotted.find('.');
    path.emplace_back(dotted.substr(0, dot));
    if (dot == std::string_view::npos) return path;
    dotted.remove_prefix(dot + 1);
  }
}

void ObjectEdit::set(const JsonPath& path, std::string json) { set_from(path, 0, std::move(json)); }
void ObjectEdit::remove(const JsonPath& path) { remove_from(path, 0); }

void ObjectEdit::set_from(const JsonPath& path, size_t depth, std::string json) {
  if (depth + 1 < path.size()) return inside(path[depth]).set_from(path, depth + 1, std::move(json));
  change(path[depth]) = {.json = std::move(json)};
}

void ObjectEdit::remove_from(const JsonPath& path, size_t depth) {
  const std::string& name = path[depth];
  if (depth + 1 == path.size()) {
    change(name) = {.removed = true};
    return;
  }
  const auto made = changes_.find(name);
  const bool made_inside = made != changes_.end() && made->second.inside;
  const JsonNode* member = made == changes_.end() && object_ ? object_->find(name) : nullptr;
  const bool is_there = member && member->is(JsonNode::Kind::kObject) && member->find(path[depth + 1]);
  if (made_inside || is_there) inside(name).remove_from(path, depth + 1);
}

void ObjectEdit::remove_any_case_from(const JsonPath& path, size_t depth) {
  if (!object_) return;
  base::Checkpoint checkpoint;
  for (const JsonNode& member : object_->children()) {
    checkpoint.add(1);
    if (!spells(member, path, depth)) continue;
    const std::string name(member.key);
    const auto made = changes_.find(name);
    if (made != changes_.end() && made->second.removed) continue;
    if (depth + 1 == path.size()) {
      change(name) = {.removed = true};
    } else {
      inside(name).remove_any_case_from(path, depth + 1);
    }
  }
}

ObjectEdit& ObjectEdit::inside(const std::string& name) {
  const bool fresh = !changes_.contains(name);
  Change& made = change(name);
  if (!made.inside) {
    const JsonNode* member = fresh && object_ ? object_->find(name) : nullptr;
    if (member && !member->is(JsonNode::Kind::kObject)) member = nullptr;
    made = {.inside = std::make_unique<ObjectEdit>(member)};
  }
  return *made.inside;
}

ObjectEdit::Change& ObjectEdit::change(const std::string& name) {
  const auto [position, is_new] = changes_.try_emplace(name);
  if (is_new) order_.push_back(name);
  return position->second;
}

std::string ObjectEdit::added_members(bool after_another) const {
  std::string added;
  for (const std::string& name : order_) {
    const Change& change = changes_.find(name)->second;
    if (change.removed || (object_ && object_->find(name))) continue;
    if (after_another) added += ',';
    added += json_quoted(name) + ':' + (change.inside ? change.inside->written() : change.json);
    after_another = true;
  }
  return added;
}

std::string ObjectEdit::written() const { return "{" + added_members(false) + "}"; }

void ObjectEdit::splice_value(std::vector<Splice>& splices, const JsonNode& member, const Change& change) {
  if (change.inside && change.inside->object_) {
    for (Splice& splice : change.inside->splices()) splices.push_back(std::move(splice));
  } else {
    splices.push_back({member.begin, member.end, change.inside ? change.inside->written() : change.json});
  }
}

std::vector<Splice> ObjectEdit::splices() const {
  std::map<const Change*, const JsonNode*> last;  // the member that each change is about
  for (const JsonNode& member : object_->children()) {
    if (const auto found = changes_.find(member.key); found != changes_.end()) last[&found->second] = &member;
  }
  std::vector<Splice> splices;
  std::vector<const JsonNode*> removed;  // members since the last that stays
  const JsonNode* kept = nullptr;
  for (const JsonNode& member : object_->children()) {
    const auto found = changes_.find(member.key);
    const Change* change = found == changes_.end() ? nullptr : &found->second;
    if (change && (change->removed || last[change] != &member)) {
      removed.push_back(&member);
      continue;
    }
    // A member that goes takes along the comma after it.
    if (!removed.empty()) splices.push_back({removed.front()->key_begin, member.key_begin, {}});
    removed.clear();
    kept = &member;
    if (change) splice_value(splices, member, *change);
  }
  // The last ones take along the comma before them, and new ones come in their place.
  size_t end = kept ? kept->end : object_->begin + 1;
  size_t begin = end;
  if (!removed.empty()) {
    if (!kept) begin = removed.front()->key_begin;
    end = removed.back()->end;
  }
  if (std::string added = added_members(kept != nullptr); begin != end || !added.empty())
    splices.push_back({begin, end, std::move(added)});
  return splices;
}

}  // namespace vsr::routing
