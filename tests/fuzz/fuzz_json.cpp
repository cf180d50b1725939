// base::json: any bytes are a document or an error, and a document can be read through the views and written again.
#include "base/json.h"
#include "fuzz_target.h"

using namespace vsr;
using base::JsonObject;
using base::JsonValue;

namespace {

void read_as_everything(const JsonValue& value) {
  fuzz::accept_errors([&] { static_cast<void>(value.as<int64_t>()); });
  fuzz::accept_errors([&] { static_cast<void>(value.as<int32_t>()); });
  fuzz::accept_errors([&] { static_cast<void>(value.as<uint8_t>()); });
  fuzz::accept_errors([&] { static_cast<void>(value.as<double>()); });
  fuzz::accept_errors([&] { static_cast<void>(value.as<bool>()); });
  fuzz::accept_errors([&] { static_cast<void>(value.as<std::string>()); });
  fuzz::accept_errors([&] { static_cast<void>(value.as<std::vector<float>>()); });
  fuzz::accept_errors([&] { static_cast<void>(value.as<std::map<std::string, std::string>>()); });
}

void walk(const JsonValue& value) {
  read_as_everything(value);
  if (value.is_array()) {
    for (const JsonValue& item : value.items()) walk(item);
  }
  if (value.is_object()) {
    const JsonObject object(value);
    for (const std::string& key : object.keys()) walk(object.at(key));
  }
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {R"({"a": [1, -2.5, 1e3, true, null, "text \u00e9 \ud83d\ude42"], "b": {"c": {}}, "d": []})",
          R"([[[[1]]], {"k": "v"}, 18446744073709551615, -9223372036854775808, ""])",
          R"({"id2label": {"0": "a", "1": "b"}, "hidden_size": 32, "layer_norm_eps": 1e-12})"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::accept_errors([&] {
    const JsonValue value = base::parse_json(fuzz::text_of(data, size), "f.json");
    walk(value);
    const std::string written = value.node().dump();
    fuzz::demand(base::parse_json(written, "g.json").node() == value.node(), "a written document reads the same");
  });
  return 0;
}
