#include "routing/rewrite/request_tools.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/error.h"
#include "routing/request/chat_request.h"
#include "routing/request/request_members.h"
#include "routing/rewrite/request_splice.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;
using Kind = JsonNode::Kind;

constexpr size_t kMostTools = 1024;
constexpr auto kLists = std::to_array<std::string_view>({"tools", "functions"});
constexpr auto kCallTypes = std::to_array<std::string_view>(
    {"tool_use", "tool_call", "function_call", "tool_result", "server_tool_use", "function_call_output"});

template <class Range, class T>
bool holds(const Range& range, const T& value) {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

DefinedTool tool_of(const JsonNode& node, const std::string& path) {
  DefinedTool tool;
  if (!node.is(Kind::kObject)) fail_json_type(node, path, "an object");
  const KnownMembers members(node, path, {"type", "name", "description", "function"});
  std::string_view description = members.string("description");
  if (const JsonNode* function = members.object("function")) {
    const KnownMembers inside(*function, path + ".function", {"name", "description"});
    if (!inside.string("name").empty()) tool.names.emplace_back(inside.string("name"));
    if (!inside.string("description").empty()) description = inside.string("description");
  }
  if (!members.string("name").empty()) tool.names.emplace_back(members.string("name"));
  if (tool.names.empty() && !members.string("type").empty()) tool.names.emplace_back(members.string("type"));
  tool.text = tool.names.empty() ? "" : tool.names.front();
  if (!description.empty()) tool.text.append(tool.text.empty() ? "" : ": ").append(description);
  return tool;
}

KnownMembers tool_members(const JsonNode& root) {
  return {root, "", {"messages", "tools", "functions", "tool_choice", "function_call", "parallel_tool_calls"}};
}

// What becomes of one list of tools.
struct ListEdit {
  std::string text = {};                // what is kept, joined by commas
  size_t before = 0, after = 0;         // how many there were, and are
  std::vector<std::string> names = {};  // of what is kept
};

ListEdit edit_list(std::string_view body, const JsonNode* list, std::string_view name, const std::vector<bool>& kept) {
  ListEdit edit;
  if (list == nullptr) return edit;
  for (const JsonNode& item : list->children()) {
    const size_t at = edit.before++;
    if (at < kept.size() && !kept[at]) continue;
    ++edit.after;
    edit.text.append(edit.text.empty() ? "" : ",").append(body.substr(item.begin, item.end - item.begin));
    const DefinedTool tool = tool_of(item, element_path(name, at));
    edit.names.insert(edit.names.end(), tool.names.begin(), tool.names.end());
  }
  return edit;
}

// The function that a choice names; empty: none that is known.
std::string chosen_name(const JsonNode& choice) {
  const JsonNode* function = choice.find("function");
  const JsonNode* name = function != nullptr ? function->find("name") : choice.find("name");
  return name != nullptr && name->is(Kind::kString) ? std::string(name->text) : std::string();
}

// A choice in words (auto, none, required) holds of any tools.
bool names_what_is_gone(const JsonNode* choice, const std::vector<std::string>& names) {
  return choice != nullptr && choice->is(Kind::kObject) && !holds(names, chosen_name(*choice));
}

class HistoryStrip {
 public:
  explicit HistoryStrip(std::string_view body) : body_(body) {}

  // The messages without calls and results; nothing where there are none.
  std::optional<std::string> write(const JsonNode& messages) {
    std::string text;
    size_t index = 0;
    for (const JsonNode& message : messages.children()) {
      const std::string left = stripped(message, element_path("messages", index++));
      if (!left.empty()) text.append(text.empty() ? "" : ",").append(left);
    }
    if (!changed_) return std::nullopt;
    if (text.empty()) {
      fail(Status::kInvalidArgument,
           "request: messages hold calls of tools and their results alone, which are stripped");
    }
    return "[" + text + "]";
  }

 private:
  // Empty: nothing is left of it.
  std::string stripped(const JsonNode& message, const std::string& path) {
    if (!message.is(Kind::kObject)) fail_json_type(message, path, "an object");
    const KnownMembers members(message, path, {"role", "content", "tool_calls", "function_call"});
    const std::string role = base::ascii_lower(members.string("role"));
    if (role == "tool" || role == "function") return dropped();
    const bool calls = members["tool_calls"] != nullptr || members["function_call"] != nullptr;
    const JsonNode* content = members["content"];
    size_t parts = 0;
    const auto rest = content != nullptr ? parts_without_calls(*content, parts) : std::nullopt;
    if (!calls && !rest) return std::string(bytes(message));
    const bool says_nothing = content == nullptr || (content->is(Kind::kString) && content->text.empty()) ||
                              (content->is(Kind::kArray) && parts == 0);
    if (says_nothing) return dropped();
    changed_ = true;
    ObjectEdit edit(&message);
    edit.remove({"tool_calls"});
    edit.remove({"function_call"});
    if (rest) edit.set({"content"}, *rest);
    std::vector<Splice> splices = edit.splices();
    for (Splice& splice : splices) {
      splice.begin -= message.begin;
      splice.end -= message.begin;
    }
    return apply_splices(bytes(message), std::move(splices));
  }

  // Nothing: the parts stay as they are. `left` counts them.
  std::optional<std::string> parts_without_calls(const JsonNode& content, size_t& left) const {
    if (!content.is(Kind::kArray)) return std::nullopt;
    std::string text;
    bool gone = false;
    for (const JsonNode& part : content.children()) {
      const JsonNode* type = part.find("type");
      if (type != nullptr && type->is(Kind::kString) && holds(kCallTypes, type->text)) {
        gone = true;
        continue;
      }
      ++left;
      text.append(text.empty() ? "" : ",").append(bytes(part));
    }
    if (!gone) return std::nullopt;
    return "[" + text + "]";
  }

  std::string dropped() {
    changed_ = true;
    return {};
  }
  std::string_view bytes(const JsonNode& node) const { return body_.substr(node.begin, node.end - node.begin); }

  std::string_view body_;
  bool changed_ = false;
};

}  // namespace

std::vector<DefinedTool> defined_tools(std::string_view body) {
  std::vector<DefinedTool> tools;
  if (!is_json_request(body)) return tools;
  const RequestJson json(body);
  const KnownMembers members = tool_members(json.root());
  std::vector<std::string> chosen;
  for (const char* name : {"tool_choice", "function_call"}) {
    const JsonNode* choice = members[name];
    if (choice != nullptr && choice->is(Kind::kObject)) chosen.push_back(chosen_name(*choice));
  }
  for (const std::string_view name : kLists) {
    const JsonNode* list = members.array(name);
    if (list == nullptr) continue;
    size_t index = 0;
    for (const JsonNode& node : list->children()) {
      if (tools.size() == kMostTools) fail(Status::kLimit, "request: more than ", kMostTools, " tools");
      DefinedTool tool = tool_of(node, element_path(name, index++));
      tool.old = name == kLists[1];
      tool.chosen =
          std::any_of(tool.names.begin(), tool.names.end(), [&](const auto& each) { return holds(chosen, each); });
      tools.push_back(std::move(tool));
    }
  }
  return tools;
}

void keep_listed(const std::vector<std::string>& allow, const std::vector<std::string>& block,
                 const std::vector<DefinedTool>& tools, std::vector<bool>& kept) {
  if (allow.empty() && block.empty()) return;
  const auto allowed = [&](const std::string& name) { return allow.empty() || holds(allow, name); };
  const auto blocked = [&](const std::string& name) {
    return std::any_of(block.begin(), block.end(),
                       [&](const std::string& each) { return base::ascii_lower(each) == base::ascii_lower(name); });
  };
  for (size_t i = 0; i < tools.size(); ++i) {
    const auto& names = tools[i].names;
    const bool known = !names.empty() && std::all_of(names.begin(), names.end(), allowed) &&
                       std::none_of(names.begin(), names.end(), blocked);
    kept[i] = kept[i] && known;
  }
}

void keep_near(const ToolNearness& nearness, const std::vector<DefinedTool>& tools, const Similarities& similarities,
               std::vector<bool>& kept) {
  keep_listed(nearness.allow, nearness.block, tools, kept);
  std::vector<size_t> left;
  std::vector<std::string> texts;
  for (size_t i = 0; i < tools.size(); ++i) {
    if (!kept[i]) continue;
    left.push_back(i);
    texts.push_back(tools[i].text);
  }
  if (left.empty()) return;
  const std::vector<double> near = similarities(texts);
  std::vector<size_t> order(left.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return near[a] > near[b]; });
  const auto enough =
      static_cast<size_t>(std::count_if(near.begin(), near.end(), [&](double each) { return each >= nearness.least; }));
  const auto preserved = std::min(static_cast<size_t>(nearness.preserved), left.size());
  size_t stay = std::max(enough, preserved);
  if (stay == 0 && !nearness.none_if_far) return;
  if (nearness.most > 0) stay = std::min(stay, std::max(static_cast<size_t>(nearness.most), preserved));
  for (size_t rank = stay; rank < order.size(); ++rank) {
    const size_t tool = left[order[rank]];
    kept[tool] = tools[tool].chosen;
  }
}

void set_kept(ToolsEdit& edit, const std::vector<DefinedTool>& tools, const std::vector<bool>& kept) {
  for (size_t i = 0; i < tools.size(); ++i) (tools[i].old ? edit.kept_old : edit.kept).push_back(kept[i]);
}

std::string edit_tools(std::string_view body, const ToolsEdit& edit, std::vector<std::string>& notes) {
  const RequestJson json(body);
  const JsonNode& root = json.root();
  const KnownMembers members = tool_members(root);
  ObjectEdit changes(&root);
  std::vector<std::string> names;  // of what reaches the model
  size_t before = 0, kept = 0;
  for (const std::string_view name : kLists) {
    const bool old = name == kLists[1];
    ListEdit list = edit_list(body, members.array(name), name, old ? edit.kept_old : edit.kept);
    before += list.before;
    kept += list.after;
    names.insert(names.end(), list.names.begin(), list.names.end());
    const bool adds = !old && !edit.added.empty();
    if (list.before == list.after && !adds) continue;
    if (adds) {
      for (const std::string& tool : edit.added) list.text.append(list.text.empty() ? "" : ",").append(tool);
    }
    if (list.text.empty()) {
      changes.remove({std::string(name)});
    } else {
      changes.set({std::string(name)}, "[" + list.text + "]");
    }
  }
  const bool none = kept == 0 && edit.added.empty();
  for (const char* name : {"tool_choice", "function_call", "parallel_tool_calls"}) {
    const bool gone = none ? before > 0 || edit.limited : kept < before && names_what_is_gone(members[name], names);
    if (gone) changes.remove({name});
  }
  if (edit.limited) {
    for (const char* name : {"tools", "functions"}) changes.remove_any_case({"chat_template_kwargs", name});
  }
  if (edit.strip_history) {
    const JsonNode* messages = members.array("messages");
    const auto left = messages != nullptr ? HistoryStrip(body).write(*messages) : std::nullopt;
    if (left) {
      changes.set({"messages"}, *left);
      notes.emplace_back("calls of tools and their results are stripped");
    }
  }
  if (kept < before)
    notes.push_back("tools: " + std::to_string(kept) + " of " + std::to_string(before) + " reach the model");
  if (!edit.added.empty()) notes.push_back("tools: " + std::to_string(edit.added.size()) + " added");
  return apply_splices(body, changes.splices());
}

}  // namespace vsr::routing
