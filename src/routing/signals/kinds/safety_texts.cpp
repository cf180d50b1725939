#include "routing/signals/kinds/safety_texts.h"

namespace vsr::routing {

std::vector<LabelProbabilities> windows_of(const std::string& task, const std::vector<TextId>& texts,
                                           const RequestReading& reading) {
  std::vector<LabelProbabilities> all;
  for (const TextId text : texts) {
    const std::vector<LabelProbabilities> windows = reading.windows(task, text);
    all.insert(all.end(), windows.begin(), windows.end());
  }
  return all;
}

}  // namespace vsr::routing
