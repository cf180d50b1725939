#include "routing/tool_plan.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vsr::routing {
namespace {

double cosine(std::span<const float> a, std::span<const float> b) {
  double both = 0, of_a = 0, of_b = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    both += double{a[i]} * b[i];
    of_a += double{a[i]} * a[i];
    of_b += double{b[i]} * b[i];
  }
  return of_a > 0 && of_b > 0 ? both / std::sqrt(of_a * of_b) : 0;
}

class ToolPlan {
 public:
  ToolPlan(const RouterParts& parts, std::string_view body, RequestReading& reading)
      : parts_(parts), reading_(reading), tools_(defined_tools(body)), kept_(tools_.size(), true) {}

  ToolsEdit make(const Plugins& plugins) {
    if (plugins.tools) limit(*plugins.tools);
    if (plugins.tool_selection) select(*plugins.tool_selection);
    set_kept(edit_, tools_, kept_);
    return std::move(edit_);
  }

 private:
  void limit(const ToolsPlugin& plugin) {
    using Mode = ToolsPlugin::Mode;
    edit_.strip_history = plugin.strip_history;
    edit_.limited = plugin.mode != Mode::kPassthrough;
    if (plugin.mode == Mode::kNone) {
      kept_.assign(tools_.size(), false);
      return;
    }
    if (plugin.mode == Mode::kFiltered) keep_listed(plugin.allow, plugin.block, tools_, kept_);
    if (plugin.by_question) keep_near(parts_.config.tools, tools_, similarities(), kept_);
  }

  void select(const ToolSelectionPlugin& plugin) {
    if (plugin.add) {
      add(plugin);
    } else {
      keep_near(plugin.nearness, tools_, similarities(), kept_);
    }
  }

  void add(const ToolSelectionPlugin& plugin) {
    std::set<std::string> taken;
    for (const DefinedTool& tool : tools_) taken.insert(tool.names.begin(), tool.names.end());
    const auto& all = parts_.signals.tool_database(plugin.database).tools();
    std::vector<DefinedTool> listed;
    for (const auto& tool : all) listed.push_back({.names = {tool.name}});
    std::vector<bool> allowed(all.size(), true);
    keep_listed(plugin.nearness.allow, plugin.nearness.block, listed, allowed);
    const TextId question = asked();
    reading_.compute({.embeddings = {question}});
    std::vector<std::pair<double, size_t>> near;
    for (size_t i = 0; i < all.size(); ++i) {
      const double similarity = reading_.similarities(question)[all[i].place];
      if (allowed[i] && similarity >= plugin.nearness.least && !taken.contains(all[i].name))
        near.emplace_back(-similarity, i);
    }
    std::sort(near.begin(), near.end());
    const auto most = static_cast<size_t>(plugin.nearness.most);
    if (most > 0 && near.size() > most) near.resize(most);
    for (const auto& [similarity, i] : near) edit_.added.push_back(all[i].json);
  }

  Similarities similarities() {
    return [this](const std::vector<std::string>& texts) {
      const TextId question = asked();
      std::vector<TextId> ids;
      for (const std::string& text : texts) ids.push_back(reading_.own(text));
      std::vector<TextId> needed = ids;
      needed.push_back(question);
      reading_.compute({.embeddings = needed});
      std::vector<double> near;
      for (const TextId id : ids) near.push_back(cosine(reading_.vector(question), reading_.vector(id)));
      return near;
    };
  }
  TextId asked() { return reading_.decisive(TextScope::kLastUser); }

  const RouterParts& parts_;
  RequestReading& reading_;
  const std::vector<DefinedTool> tools_;
  std::vector<bool> kept_;
  ToolsEdit edit_;
};

}  // namespace

bool compares_tools(const Decision& decision) {
  const auto& tools = decision.plugins.tools;
  return decision.plugins.tool_selection || (tools && tools->by_question && tools->mode != ToolsPlugin::Mode::kNone);
}

std::optional<ToolsEdit> plan_tools(const RouterParts& parts, const Decision& decision, std::string_view body,
                                    RequestReading& reading) {
  if (!decision.plugins.tools && !decision.plugins.tool_selection) return std::nullopt;
  return ToolPlan(parts, body, reading).make(decision.plugins);
}

}  // namespace vsr::routing
