// The tools that a request defines for its model: which of them reach it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "routing/config/plugins.h"

namespace vsr::routing {

// Of `tools` and `functions` of a body, and of a database of tools.
struct DefinedTool {
  // `function.name` and `name`, whichever there are, else the type; empty: it has none of these.
  std::vector<std::string> names = {};
  std::string text = {};  // name and description, for comparison with the question
  bool chosen = false;    // the request's `tool_choice` or `function_call` names it
  bool old = false;       // of `functions`
};

// What becomes of a body's tools.
struct ToolsEdit {
  std::vector<bool> kept = {};          // of `tools`, one for each that defined_tools() found; empty: all
  std::vector<bool> kept_old = {};      // of `functions`
  std::vector<std::string> added = {};  // definitions as JSON
  bool strip_history = false;
  bool limited = false;  // the model may call what is kept and nothing else
};

// In the order of `tools`, then `functions`. A plain text has none. Throws kParse for a body that is no request, and
// for a member given twice or in another case; kLimit beyond 1,024.
std::vector<DefinedTool> defined_tools(std::string_view body);

// Similarities of the question to texts, in their order.
using Similarities = std::function<std::vector<double>(const std::vector<std::string>&)>;

// Those of the allowed that are not blocked. Case is ignored where something is blocked, and a tool without a name
// goes.
void keep_listed(const std::vector<std::string>& allow, const std::vector<std::string>& block,
                 const std::vector<DefinedTool>& tools, std::vector<bool>& kept);
// Of those kept, the ones near to the question, by `nearness`, and the one that is chosen. Asks for no similarity where
// none is left.
void keep_near(const ToolNearness& nearness, const std::vector<DefinedTool>& tools, const Similarities& similarities,
               std::vector<bool>& kept);

// Writes what is kept of all tools into the edit.
void set_kept(ToolsEdit& edit, const std::vector<DefinedTool>& tools, const std::vector<bool>& kept);

// The body with these tools. `tool_choice` and its like go where they name what is gone, all of them with the last
// tool; so does what `chat_template_kwargs` says of tools, past which a template would not look. Without history,
// messages of tools go, and of the others calls and results; those of which nothing is left go too. An edit that
// changes nothing gives the same bytes. Throws kInvalidArgument where no message is left.
std::string edit_tools(std::string_view body, const ToolsEdit& edit, std::vector<std::string>& notes);

}  // namespace vsr::routing
