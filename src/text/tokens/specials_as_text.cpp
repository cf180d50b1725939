#include "text/tokens/specials_as_text.h"

namespace vsr::text {

thread_local bool SpecialsAsText::active_ = false;

SpecialsAsText::SpecialsAsText(bool active) : before_(active_) { active_ = active; }
SpecialsAsText::~SpecialsAsText() { active_ = before_; }

}  // namespace vsr::text
