// YAML read from files that people write: every error names file, line and column, as in
// `router.yaml:12:7: "threshold" is a list, expected a number`. For one thread: nodes of a document share what was
// read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace YAML {
class Node;
}

namespace vsr::base {

class YamlNode {
 public:
  // The value of a key; throws kParse when absent, or when this is not a map.
  YamlNode required(const std::string& key) const;
  // A key that is absent or null gives nothing.
  std::optional<YamlNode> optional(const std::string& key) const;
  // Throws kParse for a key that is not among these, suggesting the nearest.
  void allow_keys(const std::vector<std::string_view>& keys) const;

  std::vector<std::pair<std::string, YamlNode>> entries() const;  // of a map, in the file's order
  std::vector<YamlNode> items() const;                            // of a list
  std::string as_string() const;                                  // any scalar
  double as_number() const;
  int64_t as_integer() const;
  bool as_bool() const;
  bool is_map() const;
  bool is_list() const;
  bool is_scalar() const;
  bool is_null() const;

  std::string where() const;  // "file:line:column"
  // Throws kParse: `<where>: "<key>" <what>`.
  [[noreturn]] void fail(std::string_view what) const;
  // Throws kUnsupported: `<where>: <what>`.
  [[noreturn]] void fail_unsupported(std::string_view what) const;
  // The key that this is the value of, "keywords[2]" for an item; empty for the document.
  const std::string& name() const { return name_; }
  // Where it is in the document: "providers.models[2].pricing"; empty for the document.
  const std::string& path() const { return path_; }
  // Whether a single value is written in quotes, and so a string whatever it looks like.
  bool is_quoted() const;

  // Which values were asked for by required(), optional(), entries() or items() is kept for the whole document, by
  // whichever node it was. The values of keys that were not, and lists whose items were not; none below another.
  std::vector<YamlNode> unread() const;
  // Counts all that is below as read.
  void mark_read() const;

 private:
  struct Document;
  YamlNode(std::shared_ptr<Document> document, std::shared_ptr<const YAML::Node> node, std::string name,
           std::string path);
  YamlNode child(const YAML::Node& node, const std::string& name, const std::string& suffix) const;
  YamlNode child(const YAML::Node& node, const std::string& key) const;
  YamlNode item(const YAML::Node& node, size_t index) const;
  bool is_read() const;
  void find_unread(std::vector<YamlNode>& found) const;
  [[noreturn]] void expected(std::string_view what) const;
  void require_map() const;

  std::shared_ptr<Document> document_;
  std::shared_ptr<const YAML::Node> node_;
  std::string name_;
  std::string path_;
  friend YamlNode parse_yaml(std::string_view text, const std::string& path);
};

// Parses one document. Throws kParse for what is not YAML, for a key given twice and for absurd nesting; an empty
// document is an empty map.
YamlNode parse_yaml(std::string_view text, const std::string& path);
YamlNode read_yaml_file(const std::string& path);

}  // namespace vsr::base
