// Edits of a JSON text by splicing: members are set and removed, and every byte that no edit touches stays as it is.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "routing/request/request_json.h"

namespace vsr::routing {

// Bytes [begin, end) give way to `text`.
struct Splice {
  size_t begin, end;
  std::string text;
};

// `splices` must not overlap; of two insertions at one place the earlier in the list comes first.
std::string apply_splices(std::string_view bytes, std::vector<Splice> splices);

// A JSON string with its quotes. Ill-formed UTF-8 becomes U+FFFD.
std::string json_quoted(std::string_view text);

using JsonPath = std::vector<std::string>;

// "reasoning.effort" as {"reasoning", "effort"}.
JsonPath split_path(std::string_view dotted);

// What is to change in one object. A later change of the same member replaces an earlier one. Of a member given twice
// the last is changed and the others go, so that afterwards all parsers read the same.
class ObjectEdit {
 public:
  // The object must outlive the edit; nullptr: an object that does not exist yet.
  explicit ObjectEdit(const JsonNode* object) : object_(object) {}

  // Sets the value at `path` (not empty) to `json`; objects on the way are made when absent, or when something else
  // is in their place. New members come last.
  void set(const JsonPath& path, std::string json);
  // Removes what is at `path`, if anything is.
  void remove(const JsonPath& path);
  // The same of every way in which the object's members spell `path` but for case (param_names.h): servers disagree
  // about which of them they take.
  void remove_any_case(const JsonPath& path) { remove_any_case_from(path, 0); }

  // For an object that exists: what has to be spliced into its text.
  std::vector<Splice> splices() const;
  // For one that does not: its text.
  std::string written() const;

 private:
  struct Change {
    bool removed = false;
    std::string json = {};
    std::unique_ptr<ObjectEdit> inside = nullptr;  // changes of an object's own members
  };
  void set_from(const JsonPath& path, size_t depth, std::string json);
  void remove_from(const JsonPath& path, size_t depth);
  void remove_any_case_from(const JsonPath& path, size_t depth);
  ObjectEdit& inside(const std::string& name);
  Change& change(const std::string& name);
  static void splice_value(std::vector<Splice>& splices, const JsonNode& member, const Change& change);
  std::string added_members(bool after_another) const;

  const JsonNode* object_;
  std::map<std::string, Change, std::less<>> changes_;
  std::vector<std::string> order_;  // of changes, as they were first made
};

}  // namespace vsr::routing
