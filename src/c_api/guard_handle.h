// What the handles of the guard hold, and how its options are read, for the functions that take them.
#pragma once

#include <cstddef>
#include <memory>

#include "guard/fact_set.h"
#include "guard/stream/stream.h"
#include "vsr/guard.h"

struct vsr_facts {
  std::shared_ptr<const vsr::guard::FactSet> set;
};

struct vsr_guard {
  std::unique_ptr<vsr::guard::Stream> stream;
};

namespace vsr::c_api {

// NULL is the defaults. Throws kInvalidArgument.
guard::StreamOptions read_guard_options(const vsr_guard_options* options);
// What vsr_facts_create() does with its arguments.
std::shared_ptr<const vsr::guard::FactSet> read_facts(std::shared_ptr<const inference::Inference> models,
                                                      const vsr_str* texts, size_t text_count,
                                                      const vsr_facts_options* options);

}  // namespace vsr::c_api
