// Who asks, as far as the config declares that it reads it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "routing/config/context_reads.h"
#include "routing/request/request_context.h"

namespace vsr::base {
class Blake2b;
}

namespace vsr::routing {

// The only way to a request's context. Asking for what is not declared throws kInternal: it would decide about the
// request without being part of the response cache's key. Its arguments outlive it.
class ContextView {
 public:
  ContextView(const RequestContext& context, const ContextReads& reads) : context_(context), reads_(reads) {}

  const std::string& user() const;
  const std::vector<std::string>& groups() const;
  // nullptr: absent. `name` in lower case.
  const std::string* header(const std::string& name) const;
  const std::string* metadata(const std::string& key) const;

  // All that is declared, so that two requests with the same digest look the same through this view.
  void add_to(base::Blake2b& digest) const;

 private:
  const RequestContext& context_;
  const ContextReads& reads_;
};

}  // namespace vsr::routing
