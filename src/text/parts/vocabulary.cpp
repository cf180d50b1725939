#include "text/parts/vocabulary.h"

#include <algorithm>
#include <cstring>

namespace vsr::text {

uint64_t hash_bytes(std::string_view bytes) {
  constexpr uint64_t kMultiplier = 0x9FB21C651E98DF25;
  uint64_t hash = bytes.size() * kMultiplier;
  const char* data = bytes.data();
  size_t size = bytes.size();
  for (; size >= 8; data += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 29;
  }
  uint64_t tail = 0;
  std::memcpy(&tail, data, size);
  hash = (hash ^ tail) * kMultiplier;
  return hash ^ hash >> 32;
}

Vocabulary::Vocabulary(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
  size_t capacity = 16;
  while (capacity < tokens_.size() * 2) capacity *= 2;
  slots_.assign(capacity, {0, -1});
  mask_ = capacity - 1;
  for (size_t id = 0; id < tokens_.size(); ++id) {
    if (tokens_[id].empty()) continue;
    ++count_;
    const uint64_t hash = hash_bytes(tokens_[id]);
    size_t slot = hash & mask_;
    // Of two equal tokens the later one counts.
    const auto is_other = [&](const Slot& entry) {
      return entry.id >= 0 && (entry.hash != static_cast<uint32_t>(hash >> 32) || token(entry.id) != tokens_[id]);
    };
    while (is_other(slots_[slot])) slot = (slot + 1) & mask_;
    slots_[slot] = {static_cast<uint32_t>(hash >> 32), static_cast<int32_t>(id)};
  }
}

int32_t Vocabulary::find(std::string_view token) const {
  const uint64_t hash = hash_bytes(token);
  for (size_t slot = hash & mask_;; slot = (slot + 1) & mask_) {
    const Slot& entry = slots_[slot];
    if (entry.id < 0) return -1;
    if (entry.hash == static_cast<uint32_t>(hash >> 32) && tokens_[static_cast<size_t>(entry.id)] == token) {
      return entry.id;
    }
  }
}

std::vector<std::string> read_vocabulary(const base::JsonObject& json) {
  std::vector<std::string> tokens(json.node().size());
  std::vector<bool> taken(tokens.size());
  for (const auto& [token, value] : json.node().get_ref<const base::JsonValue::Node::object_t&>()) {
    if (!value.is_number_integer()) json.at(token).as<int64_t>();  // throws
    const int64_t id =
        value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX ? INT64_MAX : value.get<int64_t>();
    const int64_t most = std::min(kMaxTokenId, static_cast<int64_t>(2 * json.node().size() + kMaxGaps));
    if (id < 0 || id > most) json.at(token).fail("has id " + value.dump() + ", out of range");
    if (token.size() > kMaxTokenBytes) json.fail("has a token of " + std::to_string(token.size()) + " bytes, too long");
    const size_t index = static_cast<size_t>(id);
    if (index >= tokens.size()) {
      tokens.resize(index + 1);
      taken.resize(index + 1);
    }
    if (taken[index]) json.at(token).fail("has id " + value.dump() + ", which \"" + tokens[index] + "\" has too");
    taken[index] = true;
    tokens[index] = token;
  }
  return tokens;
}

}  // namespace vsr::text
