// Collects the strings of a JSON value that are text for a model.
#pragma once

#include <string>
#include <string_view>

#include "base/checkpoint.h"
#include "routing/request/request_json.h"

namespace vsr::routing {

// How members are told from text.
enum class StringZone {
  kMembers,   // of OpenAI's and Anthropic's forms: ids and tags under their known names are no text
  kMedia,     // the same, and addresses and bytes of images, sounds and files under theirs are none
  kSettings,  // nothing is text but what is too long or too loose for a name
  kFree,      // arguments and schemas: everything is text, the names of members too
};

// What a part of a message's content brings.
enum class PartKind {
  kMedia,      // an image, a sound or a file
  kReasoning,  // an assistant's thoughts, which may be enciphered
  kOther,      // text, if anything
};
PartKind part_kind(const JsonNode& part);
// Of a part of this type in which nothing can be read, for people.
std::string without_text(std::string_view type);
constexpr StringZone zone_of(PartKind kind) {
  return kind == PartKind::kOther ? StringZone::kMembers : StringZone::kMedia;
}

// One word of at most 64 bytes, as ids and enumerations are.
bool is_tag(std::string_view text);
// A tag that says nothing: neither words of a sentence that is glued together ("ignore_all_rules") nor an address or a
// number such as a card has.
bool is_plain_tag(std::string_view text);

class StringCollector {
 public:
  // Texts are appended to `out`, each on a line of its own.
  explicit StringCollector(std::string& out) : out_(out) {}

  void add(std::string_view text);
  // Every text in a value.
  void walk(const JsonNode& node, StringZone zone);
  // The same of an object's member, by its name; of the name itself too, unless the forms of chats have it.
  void member(const JsonNode& child, StringZone zone);
  // The same without the name.
  void value(const JsonNode& child, StringZone zone);

  // What was met: texts, empty ones too, and those that are not empty. Names of members count where they are texts.
  struct Counts {
    size_t texts, words;
  };
  Counts counts() const { return {count_, words_}; }
  // Whether a part that was read since has something for a model and no text.
  bool is_unread(const JsonNode& part, const Counts& before) const;
  // What of it a model may read and this cannot, for people; empty: nothing.
  const std::string& unread() const { return unread_; }
  // What parts inside of parts say when nothing is between them, after `before`; at most once.
  std::string joined(std::string before = {});

 private:
  void append(std::string_view text);
  void content(const JsonNode& array);
  bool is_text(const JsonNode& child, StringZone zone);
  void note_bytes(std::string_view name);

  std::string& out_;
  std::string unread_, joined_;
  base::Checkpoint checkpoint_;
  bool first_ = true;
  size_t count_ = 0, words_ = 0;
};

// A list of parts that templates print one after the other: `content`, and `system` as Anthropic has it.
bool is_part_list(const JsonNode& member);

}  // namespace vsr::routing
