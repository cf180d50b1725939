#include "routing/route_pass.h"

namespace vsr::routing {
namespace {

bool asks_models(const ModelNeeds& needs) {
  return !needs.embeddings.empty() || !needs.answers.empty() || !needs.margins.empty();
}

}  // namespace

void RoutePass::run(bool everything, const std::vector<TextId>& also) {
  bool asked = false;
  while (true) {
    const std::vector<uint32_t> ids = !evaluation_.done() ? evaluation_.needed()
                                      : everything        ? remaining()
                                                          : std::vector<uint32_t>{};
    if (ids.empty()) return;
    const base::Stopwatch watch;
    ModelNeeds needs = needs_of(ids);
    if (!asked && asks_models(needs)) {
      asked = true;
      needs.embeddings.insert(needs.embeddings.end(), also.begin(), also.end());
    }
    step(ids, needs, watch);
  }
}

void RoutePass::evaluate(const std::vector<uint32_t>& ids) { step(ids, needs_of(ids), {}); }

std::vector<uint32_t> RoutePass::remaining() const {
  std::vector<uint32_t> ids;
  const auto& leaves = evaluation_.engine().signals();
  for (uint32_t id = 0; id < leaves.size(); ++id) {
    if (!evaluation_.known(id) && !leaves[id].derived()) ids.push_back(id);
  }
  return ids;
}

ModelNeeds RoutePass::needs_of(const std::vector<uint32_t>& ids) const {
  ModelNeeds needs;
  for (const uint32_t id : ids) signals_.add_needs(id, reading_, needs);
  return needs;
}

void RoutePass::step(const std::vector<uint32_t>& ids, const ModelNeeds& needs, const base::Stopwatch& watch) {
  reading_.compute(needs);
  // The time of models is everybody's in the step.
  const double shared = ids.empty() ? 0 : watch.milliseconds() / static_cast<double>(ids.size());
  for (const uint32_t id : ids) {
    const base::Stopwatch own;
    SignalValue value = signals_.evaluate(id, reading_);
    if (id < evaluation_.engine().signals().size()) evaluation_.set(id, value);
    reports_.push_back({id, std::move(value), shared + own.milliseconds()});
  }
}

void RoutePass::settle_reports() {
  if (reports_.empty()) return;
  const auto& leaves = evaluation_.engine().signals();
  for (SignalReport& report : reports_) {
    if (report.id >= leaves.size() || leaves[report.id].partition < 0) continue;
    const auto settled = evaluation_.settled(report.id);
    if (!settled || (settled->matched == report.value.matched && settled->confidence == report.value.confidence))
      continue;
    report.value.matched = settled->matched;
    report.value.confidence = settled->confidence;
    report.value.detail += report.value.detail.empty() ? "by its partition" : " (by its partition)";
  }
  for (uint32_t id = 0; id < leaves.size(); ++id) {
    const auto settled = leaves[id].derived() ? evaluation_.settled(id) : std::nullopt;
    if (settled) reports_.push_back({id, {settled->matched, settled->confidence, settled->value, "a score's band"}, 0});
  }
}

}  // namespace vsr::routing
