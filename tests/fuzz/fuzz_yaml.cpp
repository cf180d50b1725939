// base::yaml: any bytes are a document or an error, and every value of a document can be asked for.
#include "base/yaml.h"
#include "fuzz_target.h"

using namespace vsr;
using base::YamlNode;

namespace {

// Aliases may make a small document large; what is walked is bounded, what is parsed is not.
void walk(const YamlNode& node, int& left) {
  if (--left < 0) return;
  fuzz::demand(node.where().rfind("f.yaml:", 0) == 0, "a value knows its file");
  fuzz::accept_errors([&] { static_cast<void>(node.as_string()); });
  fuzz::accept_errors([&] { static_cast<void>(node.as_number()); });
  fuzz::accept_errors([&] { static_cast<void>(node.as_integer()); });
  fuzz::accept_errors([&] { static_cast<void>(node.as_bool()); });
  fuzz::accept_errors([&] { node.allow_keys({"vsr", "models"}); });
  if (node.is_list()) {
    for (const YamlNode& item : node.items()) walk(item, left);
  }
  if (node.is_map()) {
    for (const auto& [key, value] : node.entries()) walk(value, left);
  }
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {", a\n", "vsr:\n  models:\n    m: {path: a/b, dtype: float32}\n  tasks:\n    t: {model: m, threshold: 0.7}\n",
          "a: &a [1, two, \"three\", 'four', ~]\nb: *a\nc: |\n  text\n  more\nd: >-\n  folded\n",
          "- - 1\n  - {k: v, l: [x]}\n- ? key\n  : value\n",
          "intents:\n  pay:\n    - how do i pay\n    - \"card \\u00e9\"\n"};
}

int fuzz::runs() { return 6000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::accept_errors([&] {
    int left = 2000;
    walk(base::parse_yaml(fuzz::text_of(data, size), "f.yaml"), left);
  });
  return 0;
}
