#include "names.h"

#include <algorithm>
#include <string_view>

namespace vsr_python {

int32_t number_of_word(py::handle value, const char* name, std::span<const Word> words) {
  const CString held(value, name);
  if (held.get() == nullptr) return 0;
  const std::string_view given = held.get();
  const auto found = std::ranges::find_if(words, [&](const Word& word) { return given == word.word; });
  if (found != words.end()) return found->number;
  std::string message = std::string(name) + " is \"" + std::string(given) + "\", expected ";
  for (size_t i = 0; i < words.size(); ++i) {
    message += i == 0 ? "\"" : i + 1 == words.size() ? " or \"" : ", \"";
    message += std::string(words[i].word) + "\"";
  }
  throw StatusError(VSR_ERR_INVALID_ARGUMENT, message);
}

}  // namespace vsr_python
