// Which heads an architecture's checkpoints may have, by the first entry of "architectures".
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/nn/heads.h"
#include "models/architecture.h"

namespace vsr::models {

struct HeadForm {
  std::string_view architecture;
  std::optional<core::HeadKind> kind = std::nullopt;  // none: a checkpoint without a head that classifies
  std::vector<std::string_view> ignored = {};         // tensors that only this form has, and vsr does not need
};

// The form of the checkpoint. Throws kUnsupported, naming `family`, where there is none.
const HeadForm& head_form_of(const ModelSource& source, std::span<const HeadForm> forms, std::string_view family);

}  // namespace vsr::models
