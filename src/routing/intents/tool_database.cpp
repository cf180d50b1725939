#include "routing/intents/tool_database.h"

#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"

namespace vsr::routing {
namespace {

using Json = nlohmann::ordered_json;
using base::fail;
using base::Status;

constexpr size_t kMostTools = 10'000;

std::string member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Json read_list(const std::string& path, const std::string& where) {
  try {
    const base::FileContents file(path);
    Json list = Json::parse(file.text(), nullptr, false);
    if (!list.is_array()) fail(Status::kParse, path, ": is no JSON list of tools");
    if (list.size() > kMostTools) fail(Status::kLimit, path, ": ", list.size(), " tools, at most ", kMostTools);
    return list;
  } catch (const base::Error& error) {
    fail(error.status(), where, ": tools_db_path: ", error.what());
  }
}

}  // namespace

ToolDatabase::ToolDatabase(const std::string& path, const std::string& where, CandidateBank& bank) {
  std::set<std::string> seen;
  size_t index = 0;
  for (const Json& entry : read_list(path, where)) {
    const std::string place = where + ": tools_db_path: " + path + ": [" + std::to_string(index++) + "]";
    if (!entry.is_object()) fail(Status::kParse, place, " is no map");
    const Json& tool = entry.contains("tool") ? entry["tool"] : entry;
    if (!tool.is_object()) fail(Status::kParse, place, ".tool is no map");
    const bool nested = tool.contains("function") && tool["function"].is_object();
    const Json& function = nested ? tool["function"] : tool;
    const std::string name = member(function, "name");
    if (name.empty()) fail(Status::kParse, place, " has no name");
    if (!seen.insert(name).second) fail(Status::kParse, place, ".name is \"", name, "\", which is given twice");
    std::string description = member(entry, "description");
    if (description.empty()) description = member(function, "description");
    const std::string text = description.empty() ? name : name + ": " + description;
    tools_.push_back({name, tool.dump(-1, ' ', false, Json::error_handler_t::replace), bank.add(text)});
  }
}

}  // namespace vsr::routing
