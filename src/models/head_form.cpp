#include "models/head_form.h"

#include <string>

#include "base/error.h"

namespace vsr::models {

const HeadForm& head_form_of(const ModelSource& source, std::span<const HeadForm> forms, std::string_view family) {
  const std::string architecture = source.architecture();
  for (const HeadForm& form : forms) {
    if (form.architecture == architecture) return form;
  }
  base::fail(base::Status::kUnsupported, source.config.path(), ": architecture \"", architecture,
             "\" is not a head of ", family, " that vsr runs");
}

}  // namespace vsr::models
