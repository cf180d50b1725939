// routing::parse_intents_yaml, parse_intents_csv: any bytes are intents or an error; what is read has labels and
// examples.
#include <set>

#include "fuzz_target.h"
#include "routing/intents/intents_source.h"

using namespace vsr;

namespace {

void check(const routing::IntentsSource& source) {
  fuzz::demand(!source.intents.empty(), "a file without intents is an error");
  std::set<std::string> labels, examples;
  for (const routing::IntentSource& intent : source.intents) {
    fuzz::demand(!intent.label.empty() && labels.insert(intent.label).second, "each label is there once");
    fuzz::demand(!intent.examples.empty(), "each intent has examples");
    for (const std::string& example : intent.examples) {
      fuzz::demand(examples.insert(example).second, "each example is there once");
    }
  }
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {"yrule: best\ntop_k: 3\nthreshold: 0.5\nintents:\n  a: [x, y]\n  b:\n    threshold: -1\n    examples: [z]\n",
          "yintents:\n  - {label: a, examples: [\"x: y\"]}\n", "ctext,label\n\"x, \"\"y\"\"\",a\nz,b\r\n",
          "c\xEF\xBB\xBFid,intent,text\n1,a,\"x\ny\"\n"};
}

int fuzz::runs() { return 6000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  if (text.empty()) return 0;
  fuzz::accept_errors([&] {
    const std::string_view rest = text.substr(1);
    check(text[0] == 'c' ? routing::parse_intents_csv(rest, "f.csv") : routing::parse_intents_yaml(rest, "f.yaml"));
  });
  return 0;
}
