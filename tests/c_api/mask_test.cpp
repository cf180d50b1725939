#include <string>

#include "support/handles.h"
#include "support/temp_folder.h"
#include "vsr/vsr.hpp"

using namespace vsr::test;

TEST_CASE("mask: a request is masked and its answer restored through C++", "[c_api][mask]") {
  vsr::MaskOptions options;
  options.key = "k";
  options.tenant = "t";
  const vsr::Mask mask(options);
  const std::string masked = mask.text("jane.doe@example.com");
  CHECK(masked.starts_with("[EMAIL_ADDRESS_"));
  CHECK(mask.request(R"({"messages":[{"role":"user","content":"jane.doe@example.com"}]})") ==
        R"({"messages":[{"role":"user","content":")" + masked + R"("}]})");
  CHECK(mask.restore("to " + masked) == "to jane.doe@example.com");
  vsr::Guard stream = mask.stream();
  const std::string body =
      R"(data: {"choices":[{"index":0,"delta":{"content":"to )" + masked + "\"}}]}\n\ndata: [DONE]\n\n";
  std::string out;
  for (const char& c : body) out += stream.feed({&c, 1}).forward();
  out += stream.finish().forward();
  CHECK(out.find("to jane.doe@example.com") != std::string::npos);
  CHECK(mask.describe() == R"({"masked":1,"types":{"EMAIL_ADDRESS":1}})");
}

TEST_CASE("mask: what is wrong with an argument names it", "[c_api][mask]") {
  vsr_error error = VSR_ERROR_INIT;
  vsr_mask* mask = nullptr;
  vsr_mask_options options = VSR_MASK_OPTIONS_INIT;
  options.threshold = 2;
  CHECK(vsr_mask_create(nullptr, &options, &mask, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(std::string(error.message).find("threshold") != std::string::npos);
  vsr_string* text = nullptr;
  CHECK(vsr_mask_text(nullptr, str("x"), 0, nullptr, &text, &error) == VSR_ERR_INVALID_ARGUMENT);
  REQUIRE(vsr_mask_create(nullptr, nullptr, &mask, &error) == VSR_OK);
  CHECK(vsr_mask_request(mask, str("{"), 0, nullptr, &text, &error) == VSR_ERR_PARSE);
  CHECK(text == nullptr);
  vsr_guard* stream = nullptr;
  CHECK(vsr_mask_stream(mask, 9, &stream, &error) == VSR_ERR_INVALID_ARGUMENT);
  REQUIRE(vsr_mask_stream(mask, VSR_STREAM_TEXT, &stream, &error) == VSR_OK);
  vsr_mask_free(mask);  // any order
  vsr_guard_free(stream);
  vsr_mask_free(nullptr);
}

TEST_CASE("mask: a routed request leaves masked, and its mask restores the answer", "[c_api][mask]") {
  const TempFolder folder;
  const std::string path = folder.write("r.yaml", R"(version: v0.3
providers: {defaults: {default_model: m}, models: [{name: m}]}
routing:
  signals: {keywords: [{name: k, keywords: [write]}]}
  decisions:
    - {name: d, rules: {type: keyword, name: k}, modelRefs: [{model: m}],
       plugins: [{type: pii_mask, configuration: {fail_on_unknown: true}}]}
vsr: {signal_tasks: {pii: none}, cache: {}}
)");
  const vsr::Router router(path);
  const auto routed = [&](const std::string& text) {
    return router.route(R"({"model":"auto","messages":[{"role":"user","content":")" + text + R"("}]})");
  };
  const vsr::Decision decision = routed("write to jane.doe@example.com");
  const std::string request(decision.request());
  CHECK(request.find("jane.doe") == std::string::npos);
  const size_t at = request.find("[EMAIL_ADDRESS_");
  REQUIRE(at != std::string::npos);
  const std::string placeholder = request.substr(at, request.find(']', at) + 1 - at);
  const vsr::Mask mask(decision);
  CHECK(mask.restore("to " + placeholder) == "to jane.doe@example.com");
  vsr::Guard stream = mask.stream(vsr::StreamFormat::kText);
  std::string out(stream.feed("to " + placeholder).forward());
  out += stream.finish().forward();
  CHECK(out == "to jane.doe@example.com");
  // The next request's is another mask, with the same placeholder for the same value.
  const vsr::Decision next = routed("write again to jane.doe@example.com");
  CHECK(std::string(next.request()).find(placeholder) != std::string::npos);
  const vsr::Decision other = routed("hello");
  vsr_mask* none = nullptr;
  vsr_error error = VSR_ERROR_INIT;
  CHECK(vsr_decision_mask(other.get(), &none, &error) == VSR_ERR_STATE);
  CHECK(vsr_decision_mask(nullptr, &none, &error) == VSR_ERR_INVALID_ARGUMENT);
}
