#include "embed_options.h"

#include "limits.h"
#include "numbers.h"

namespace vsr_python {

EmbedOptions::EmbedOptions(const py::dict& given)
    : task_(given["task"], "task"),
      prompt_(given["prompt"], "prompt"),
      instruction_(given["instruction"], "instruction"),
      progress(given["progress"]) {
  options_.dim = small_number(given["dim"], "dim");
  options_.layer = small_number(given["layer"], "layer");
  options_.no_normalize = flag(given["normalize"], "normalize") ? 0 : 1;
  options_.task = task_.get();
  options_.prompt = prompt_.get();
  options_.instruction = instruction_.get();
  options_.max_tokens = static_cast<size_t>(small_number(given["max_tokens"], "max_tokens"));
  options_.progress = progress.callback();
  options_.user_data = &progress;
  read_limits(given, options_);
}

}  // namespace vsr_python
