// What the columns of a head's scores mean.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.h"

namespace vsr::models {

struct Labels {
  std::vector<std::string> names;
  bool multi_label = false;  // one sigmoid per label instead of a softmax over them
};

// id2label of config.json (else num_labels, else two labels) with names as transformers gives them.
Labels read_labels(const base::JsonObject& config);

// Names by id from an object like {"0": "benign", "1": "attack"}. Throws kParse unless the ids are 0, 1, ... without a
// gap.
std::vector<std::string> label_names(const base::JsonObject& id2label);

// "LABEL_0", "LABEL_1", ...
std::vector<std::string> numbered_labels(int64_t count);

// One sigmoid per label: `problem_type` says so, or there is but one label.
bool is_multi_label(const base::JsonObject& config, size_t labels);

}  // namespace vsr::models
