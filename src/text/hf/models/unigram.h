// Unigram models.
#pragma once

#include <vector>

#include "base/json.h"
#include "text/hf/models/model.h"

namespace vsr::text {

// One score per id; `unk_id` is -1 when there is none.
ModelPtr make_unigram(Vocabulary vocabulary, std::vector<double> scores, int32_t unk_id, bool byte_fallback);
ModelPtr load_unigram(const base::JsonObject& json);

}  // namespace vsr::text
