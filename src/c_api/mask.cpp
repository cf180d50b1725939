// vsr/mask.h: personal data out of requests and back into answers.
#include "vsr/mask.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "c_api/boundary.h"
#include "c_api/guard_handle.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"
#include "c_api/mask_handle.h"
#include "engine/inference/engine_inference.h"

using vsr::guard::Mask;
using vsr::guard::Stream;
using vsr::guard::StreamOptions;

namespace {

using vsr::base::fail;
using vsr::base::Status;
using vsr::c_api::check_array;
using vsr::c_api::guard_new;
using vsr::c_api::optional_string;
using vsr::c_api::read_bool;
using vsr::c_api::read_text;
using vsr::c_api::require;
using vsr::c_api::required_string;

std::string bytes_of(const vsr_str& given, const char* name) {
  return given.data == nullptr && given.size == 0 ? std::string() : std::string(read_text(given, name));
}

vsr::guard::MaskOptions read_mask(const vsr_engine* engine, const vsr_mask_options& given) {
  vsr::c_api::check_reserved(given.reserved, "vsr_mask_options.reserved");
  vsr::guard::MaskOptions options;
  options.key = bytes_of(given.key, "options.key");
  options.tenant = bytes_of(given.tenant, "options.tenant");
  options.pii_task = optional_string(given.pii_task);
  if (!(given.threshold >= 0 && given.threshold <= 1)) {
    fail(Status::kInvalidArgument, "options.threshold is ", given.threshold, ", expected 0 to 1");
  }
  if (given.threshold > 0) options.threshold = given.threshold;
  check_array(given.types, given.type_count, "options.types", "options.type_count");
  for (size_t i = 0; i < given.type_count; ++i) {
    options.types.insert(required_string(given.types[i], ("options.types[" + std::to_string(i) + "]").c_str()));
  }
  if (engine != nullptr || !options.pii_task.empty()) {
    options.models = vsr::engine::inference_of(vsr::c_api::engine_of(engine));
  }
  return options;
}

}  // namespace

vsr_status vsr_mask_create(const vsr_engine* engine, const vsr_mask_options* options, vsr_mask** out_mask,
                           vsr_error* error) {
  return guard_new(out_mask, "out_mask", error, [&] {
    const auto given = vsr::c_api::read_options(options, "vsr_mask_options");
    const bool fails = read_bool(given.fail_on_unknown, "options.fail_on_unknown");
    return vsr::c_api::make_mask(std::make_shared<const Mask>(read_mask(engine, given)), fails);
  });
}

vsr_status vsr_mask_text(const vsr_mask* mask, vsr_str text, int64_t deadline_ms, const vsr_cancel* cancel,
                         vsr_string** out_text, vsr_error* error) {
  return guard_new(out_text, "out_text", error, [&] {
    return require(mask, "mask").mask->text(read_text(text, "text"), vsr::c_api::read_limits(deadline_ms, cancel));
  });
}

vsr_status vsr_mask_request(const vsr_mask* mask, vsr_str request, int64_t deadline_ms, const vsr_cancel* cancel,
                            vsr_string** out_request, vsr_error* error) {
  return guard_new(out_request, "out_request", error, [&] {
    const auto limits = vsr::c_api::read_limits(deadline_ms, cancel);
    return require(mask, "mask").mask->request(read_text(request, "request"), limits);
  });
}

vsr_status vsr_mask_restore(const vsr_mask* mask, vsr_str text, vsr_string** out_text, vsr_error* error) {
  return guard_new(out_text, "out_text", error,
                   [&] { return require(mask, "mask").mask->restored(read_text(text, "text")); });
}

vsr_status vsr_mask_stream(const vsr_mask* mask, int32_t format, vsr_guard** out_guard, vsr_error* error) {
  return guard_new(out_guard, "out_guard", error, [&] {
    vsr_guard_options given = VSR_GUARD_OPTIONS_INIT;
    given.format = format;
    given.no_grounding = 1;
    StreamOptions options = vsr::c_api::read_guard_options(&given);
    options.restoring = require(mask, "mask").restoring;
    options.closed = options.restoring->fail_on_unknown;
    options.hold_ms = 0;  // the rest of a placeholder comes, or the answer's end
    return std::make_unique<Stream>(vsr::guard::FactSet::make({}, nullptr, {}), std::move(options));
  });
}

vsr_status vsr_mask_describe(const vsr_mask* mask, vsr_string** out_json, vsr_error* error) {
  return guard_new(out_json, "out_json", error, [&] {
    const auto& placeholders = *require(mask, "mask").mask->placeholders();
    nlohmann::ordered_json json = {{"masked", placeholders.size()}, {"types", nlohmann::ordered_json::object()}};
    for (const auto& [type, count] : placeholders.counts()) json["types"][type] = count;
    return json.dump();
  });
}

void vsr_mask_free(vsr_mask* mask) { vsr::c_api::free_handle(mask); }
