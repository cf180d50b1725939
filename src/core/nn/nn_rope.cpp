#include "core/nn/nn_rope.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "base/error.h"
#include "core/kernels/path.h"
#include "core/schedule/parallel.h"

namespace vsr::core {
namespace {

using at::Tensor;
using base::fail;
using base::JsonObject;
using base::Status;

constexpr int64_t kTokensPerPiece = 32;

// The keys of all objects as if they were one.
class Parameters {
 public:
  Parameters(const std::vector<JsonObject>& objects, const std::string& config_path)
      : objects_(objects), config_path_(config_path) {}

  std::optional<base::JsonValue> find(const std::string& key) const {
    for (const JsonObject& object : objects_) {
      if (object.contains(key)) return object.at(key);
    }
    return std::nullopt;
  }
  double number(const std::string& key) const {
    if (!find(key)) missing(key);
    return checked(*find(key));
  }
  double number(const std::string& key, double otherwise) const {
    const auto value = find(key);
    return value ? checked(*value) : otherwise;
  }
  bool flag(const std::string& key, bool otherwise) const {
    const auto value = find(key);
    return value ? value->as<bool>() : otherwise;
  }
  std::string type() const {
    for (const JsonObject& object : objects_) {
      for (const char* key : {"rope_type", "type"}) {  // "type" is the older name
        if (object.contains(key)) return object.required<std::string>(key);
      }
    }
    return "default";
  }

 private:
  [[noreturn]] void missing(const std::string& key) const {
    if (objects_.empty()) fail(Status::kParse, config_path_, ": \"", key, "\" is missing");
    objects_.front().fail("has no \"" + key + "\", which rope_type \"" + type() + "\" needs");
  }
  static double checked(const base::JsonValue& value) {
    const auto number = value.as<double>();
    if (!std::isfinite(number) || number <= 0) value.fail("is " + value.node().dump() + ", expected more than 0");
    return number;
  }

  const std::vector<JsonObject>& objects_;
  const std::string& config_path_;
};

// The reference computes in float32, and at position 30,000 the last bit of a frequency shows: do the same.
Tensor powers_of(double theta, int64_t head_dim) {
  const Tensor exponents = at::arange(0, head_dim, 2, at::TensorOptions().dtype(at::kFloat)).div_(head_dim);
  return at::pow(theta, exponents);
}

Tensor unscaled(double theta, int64_t head_dim) { return powers_of(theta, head_dim).reciprocal_(); }

// Fast dimensions stay, slow ones are divided by the factor, those between are blended.
Tensor llama3_frequencies(const Parameters& parameters, double theta, const RopeDefaults& defaults) {
  const Tensor base = unscaled(theta, defaults.head_dim);
  const double factor = parameters.number("factor");
  const double low = parameters.number("low_freq_factor");
  const double high = parameters.number("high_freq_factor");
  const double context =
      parameters.number("original_max_position_embeddings", static_cast<double>(defaults.max_position_embeddings));
  if (high <= low) {
    parameters.find("high_freq_factor")->fail("is not above low_freq_factor");
  }
  const Tensor wavelength = base.reciprocal().mul_(2 * std::numbers::pi);
  const Tensor smooth = wavelength.reciprocal().mul_(context).sub_(low).div_(high - low);
  const Tensor blended = (1 - smooth).mul_(base).div_(factor).add_(smooth.mul(base));
  const Tensor slow = at::where(wavelength.gt(context / low), base.div(factor), base);
  return at::where(wavelength.ge(context / high).logical_and_(wavelength.le(context / low)), blended, slow);
}

double yarn_magnitude(double factor, double mscale) {
  return factor <= 1 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

double yarn_attention_factor(const Parameters& parameters, double factor) {
  if (parameters.find("attention_factor")) return parameters.number("attention_factor");
  if (parameters.find("mscale") && parameters.find("mscale_all_dim")) {
    return yarn_magnitude(factor, parameters.number("mscale")) /
           yarn_magnitude(factor, parameters.number("mscale_all_dim"));
  }
  return yarn_magnitude(factor, 1);
}

// The dimension that makes `rotations` full turns over `context` tokens.
double yarn_dimension(double rotations, double theta, double head_dim, double context) {
  return head_dim * std::log(context / (rotations * 2 * std::numbers::pi)) / (2 * std::log(theta));
}

Rope yarn(const Parameters& parameters, double theta, const RopeDefaults& defaults) {
  const double context =
      parameters.number("original_max_position_embeddings", static_cast<double>(defaults.max_position_embeddings));
  const double factor = parameters.number("factor", static_cast<double>(defaults.max_position_embeddings) / context);
  const auto head_dim = static_cast<double>(defaults.head_dim);
  double low = yarn_dimension(parameters.number("beta_fast", 32), theta, head_dim, context);
  double high = yarn_dimension(parameters.number("beta_slow", 1), theta, head_dim, context);
  if (parameters.flag("truncate", true)) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, head_dim - 1);
  if (low == high) high += 0.001;

  const Tensor powers = powers_of(theta, defaults.head_dim);
  const Tensor ramp = at::arange(defaults.head_dim / 2, powers.options()).sub_(low).div_(high - low).clamp_(0, 1);
  const Tensor kept = 1 - ramp;
  Tensor frequencies = powers.mul(factor).reciprocal_().mul_(1 - kept).add_(powers.reciprocal().mul_(kept));
  return {std::move(frequencies), yarn_attention_factor(parameters, factor)};
}

Rope scaled(const std::string& type, const Parameters& parameters, double theta, const RopeDefaults& defaults,
            const std::string& config_path) {
  if (type == "default") return {unscaled(theta, defaults.head_dim), 1};
  if (type == "linear") return {unscaled(theta, defaults.head_dim).div_(parameters.number("factor")), 1};
  if (type == "llama3") return {llama3_frequencies(parameters, theta, defaults), 1};
  if (type == "yarn") return yarn(parameters, theta, defaults);
  fail(Status::kUnsupported, config_path, ": rope_type \"", type,
       "\" is not one that vsr runs (default, linear, llama3, yarn)");
}

// YaRN's factor may be left to follow from two lengths.
double factor_of(const std::string& type, const Parameters& parameters, const RopeDefaults& defaults) {
  if (type == "default") return 1;
  const auto whole = static_cast<double>(defaults.max_position_embeddings);
  return parameters.number("factor", whole / parameters.number("original_max_position_embeddings", whole));
}

template <class T>
void turn_heads(const Tensor& rows, const RopeTable& table, const RmsNorm* head_norm) {
  const int64_t half = table.cos.size(2);
  kernels::HeadRows<T> task{.rows = kernels::data<T>(rows),
                            .tokens = rows.size(0),
                            .heads = rows.size(1) / (2 * half),
                            .half = half,
                            .stride = rows.stride(0),
                            .cos = kernels::data<float>(table.cos),
                            .sin = kernels::data<float>(table.sin),
                            .norm_weight = nullptr,
                            .eps = 0};
  if (head_norm != nullptr) {
    task.norm_weight = kernels::data<float>(head_norm->weight());
    task.eps = static_cast<float>(head_norm->eps());
  }
  parallel_pieces(task.tokens, kTokensPerPiece, [&](int64_t begin, int64_t end) {
    kernels::HeadRows<T> piece = task;
    piece.rows += begin * task.stride;
    piece.cos += begin * half;
    piece.sin += begin * half;
    piece.tokens = end - begin;
    kernels::of<T>().turn_heads(piece);
  });
}

}  // namespace

void RopeTable::rotate(const Tensor& rows, const RmsNorm* head_norm) const {
  if (kernels::runs_on(rows)) {
    kernels::with_type_of(rows, [&]<class T>() { turn_heads<T>(rows, *this, head_norm); });
    return;
  }
  const int64_t half = cos.size(2);
  if (head_norm != nullptr) {
    const Tensor heads = rows.view({rows.size(0), -1, 2 * half});
    heads.copy_(head_norm->forward(heads));
  }
  const Tensor pairs = rows.view({rows.size(0), -1, 2, half});
  Tensor first = pairs.select(2, 0);
  Tensor second = pairs.select(2, 1);
  const Tensor before = first.clone();
  first.mul_(cos).addcmul_(second, sin, -1);
  second.mul_(cos).addcmul_(before, sin);
}

bool Rope::is_finite() const {
  const Tensor values = inverse_frequencies_.contiguous();
  const auto* begin = values.const_data_ptr<float>();
  return std::isfinite(attention_factor_) &&
         std::all_of(begin, begin + values.numel(), [](float value) { return std::isfinite(value); });
}

RopeTable Rope::table(const Tensor& position_ids, at::Device device) const {
  const Tensor positions = position_ids.to(device, at::kFloat);
  const Tensor angles = at::outer(positions, inverse_frequencies_.to(device)).unsqueeze(1);
  RopeTable table{angles.cos(), angles.sin()};
  if (attention_factor_ != 1) {
    table.cos.mul_(attention_factor_);
    table.sin.mul_(attention_factor_);
  }
  return table;
}

Rope read_rope(const std::vector<JsonObject>& objects, const RopeDefaults& defaults, const std::string& config_path) {
  const Parameters parameters(objects, config_path);
  if (defaults.head_dim % 2 != 0) {
    fail(Status::kParse, config_path, ": head_dim ", defaults.head_dim, " is odd, rotary embeddings turn pairs");
  }
  const double theta = parameters.number("rope_theta", defaults.rope_theta);
  if (!std::isfinite(theta) || theta <= 1) fail(Status::kParse, config_path, ": rope theta ", theta, " is not above 1");
  if (parameters.number("partial_rotary_factor", 1) != 1) {
    parameters.find("partial_rotary_factor")->fail_unsupported("is not 1, which vsr does not run");
  }
  const std::string type = parameters.type();
  Rope rope = scaled(type, parameters, theta, defaults, config_path);
  if (!rope.is_finite()) fail(Status::kParse, config_path, ": rope_type \"", type, "\" gives no finite frequencies");
  rope.info = {type, theta, factor_of(type, parameters, defaults)};
  return rope;
}

}  // namespace vsr::core
