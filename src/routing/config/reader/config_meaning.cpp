#include "routing/config/reader/config_meaning.h"

#include <algorithm>
#include <array>

#include "base/blake2b.h"
#include "base/error.h"
#include "base/file.h"
#include "base/yaml.h"

namespace vsr::routing {
namespace {

using base::YamlNode;

// Paths, with "[]" for any item of a list. Whatever is not here decides.
constexpr auto kDecidesNothing = std::to_array<std::string_view>({
    "version",
    "listeners",
    "routing.decisions[].description",
    "global.services",
    "global.integrations.looper",
    "global.integrations.mcp",
    "global.stores",
    "vsr.cache",
    "vsr.limits",
});

std::string without_numbers(std::string_view path) {
  std::string plain;
  bool inside = false;
  for (const char c : path) {
    if (c == ']') inside = false;
    if (!inside) plain += c;
    if (c == '[') inside = true;
  }
  return plain;
}

bool decides(const YamlNode& node) {
  const std::string path = without_numbers(node.path());
  return std::find(kDecidesNothing.begin(), kDecidesNothing.end(), path) == kDecidesNothing.end();
}

// Sections that say nothing by being there.
bool is_empty_section(const YamlNode& node) {
  if (!node.is_map() || (node.path() != "vsr" && node.path() != "global")) return false;
  const auto entries = node.entries();
  return std::all_of(entries.begin(), entries.end(),
                     [](const auto& entry) { return !decides(entry.second) || entry.second.is_null(); });
}

// Only keeps records.
bool is_replay(const YamlNode& node) {
  if (!node.is_map()) return false;
  const auto type = node.optional("type");
  return type && type->is_scalar() && type->as_string() == "router_replay";
}

// Kinds of values have a word each, so that no two documents give the same bytes.
void add(const YamlNode& node, base::Blake2b& digest) {
  if (node.is_map()) {
    auto entries = node.entries();
    std::erase_if(entries, [](const auto& entry) {
      return !decides(entry.second) || entry.second.is_null() || is_empty_section(entry.second);
    });
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    digest.add_text("map");
    digest.add_number(entries.size());
    for (const auto& [key, value] : entries) {
      digest.add_text(key);
      add(value, digest);
    }
  } else if (node.is_list()) {
    auto items = node.items();
    const bool plugins = without_numbers(node.path()) == "routing.decisions[].plugins";
    if (plugins) std::erase_if(items, is_replay);
    digest.add_text("list");
    digest.add_number(items.size());
    for (const YamlNode& item : items) add(item, digest);
  } else if (node.is_scalar()) {
    digest.add_text(node.is_quoted() ? "quoted" : "plain");
    digest.add_text(node.as_string());
  } else {
    digest.add_text("null");
  }
}

void add_file(const std::string& path, base::Blake2b& digest) {
  try {
    digest.add_text(base::FileContents(path).text());
  } catch (const base::Error&) {  // whoever needs it says what is wrong with it
    digest.add_text("");
  }
}

void add_databases(const RouterConfig& config, base::Blake2b& digest) {
  for (const Decision& decision : config.decisions) {
    const auto& selection = decision.plugins.tool_selection;
    if (selection && selection->add) add_file(selection->database, digest);
  }
}

}  // namespace

std::string config_meaning(std::string_view text, const RouterConfig& config) {
  base::Blake2b digest;
  add(base::parse_yaml(text, config.path), digest);
  for (const KnowledgeBase& base : config.knowledge_bases) {
    digest.add_text(base.name);
    add_file(base.manifest, digest);
  }
  add_databases(config, digest);
  for (const Recipe& recipe : config.recipes) add_databases(*recipe.config, digest);
  return digest.finish();
}

}  // namespace vsr::routing
