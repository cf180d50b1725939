#include "facts/pii_entity.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace vsr::facts {
namespace {

constexpr auto kTypeNames = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"EMAIL", "EMAIL_ADDRESS"},
    {"PHONE", "PHONE_NUMBER"},
    {"TELEPHONE", "PHONE_NUMBER"},
    {"SSN", "US_SSN"},
    {"IBAN", "IBAN_CODE"},
    {"IP", "IP_ADDRESS"},
    {"CARD", "CREDIT_CARD"},
    {"CREDIT_CARD_NUMBER", "CREDIT_CARD"},
    {"NAME", "PERSON"},
    {"PER", "PERSON"},
    {"ORG", "ORGANIZATION"},
    {"LOC", "LOCATION"},
    {"GPE", "LOCATION"},
    {"ADDRESS", "STREET_ADDRESS"},
    {"DATE", "DATE_TIME"},
    {"DOMAIN_NAME", "URL"},
});

// Unions of overlapping entities of one type. A union is validated if the one that covers it all is.
std::vector<PiiEntity> unite(std::vector<PiiEntity> entities) {
  std::sort(entities.begin(), entities.end(), [](const PiiEntity& a, const PiiEntity& b) {
    return std::tie(a.type, a.begin, b.end) < std::tie(b.type, b.begin, a.end);
  });
  std::vector<PiiEntity> united;
  for (PiiEntity& entity : entities) {
    if (united.empty() || united.back().type != entity.type || entity.begin >= united.back().end) {
      united.push_back(std::move(entity));
      continue;
    }
    PiiEntity& last = united.back();
    const bool inside = entity.end <= last.end;
    const bool covers = entity.begin == last.begin && entity.end >= last.end;
    last.validated = (last.validated && inside) || (entity.validated && covers);
    last.end = std::max(last.end, entity.end);
    last.score = std::max(last.score, entity.score);
  }
  return united;
}

// Drops what lies inside a validated entity of another type. Entities are in the order of the text.
std::vector<PiiEntity> drop_explained(const std::vector<PiiEntity>& entities) {
  std::vector<PiiEntity> kept;
  std::vector<const PiiEntity*> validated;
  for (const PiiEntity& entity : entities) {
    if (entity.validated) validated.push_back(&entity);
  }
  // The validated entity that reaches furthest among those that begin no later than the one at hand.
  const PiiEntity* furthest = nullptr;
  size_t next = 0;
  for (const PiiEntity& entity : entities) {
    for (; next < validated.size() && validated[next]->begin <= entity.begin; ++next) {
      if (furthest == nullptr || validated[next]->end > furthest->end) furthest = validated[next];
    }
    const bool explained = furthest != nullptr && !entity.validated && entity.end <= furthest->end;
    if (!explained) kept.push_back(entity);
  }
  return kept;
}

}  // namespace

std::string canonical_pii_type(std::string_view type) {
  if (type.size() > 2 && type[1] == '-') type.remove_prefix(2);
  std::string name;
  for (const char c : type) {
    const bool separates = c == ' ' || c == '-';
    name.push_back(separates ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  }
  for (const auto& [other, ours] : kTypeNames) {
    if (name == other) return std::string(ours);
  }
  return name;
}

std::vector<PiiEntity> merge_entities(std::vector<PiiEntity> entities) {
  for (PiiEntity& entity : entities) entity.type = canonical_pii_type(entity.type);
  std::vector<PiiEntity> united = unite(std::move(entities));
  std::sort(united.begin(), united.end(), [](const PiiEntity& a, const PiiEntity& b) {
    return std::tie(a.begin, b.end, a.type) < std::tie(b.begin, a.end, b.type);
  });
  return drop_explained(united);
}

}  // namespace vsr::facts
