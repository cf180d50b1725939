#include "c_api/embed_options.h"

#include "c_api/boundary.h"
#include "c_api/inputs.h"

namespace vsr::c_api {
namespace {

int64_t not_negative(int32_t value, const char* name) {
  if (value < 0) base::fail(base::Status::kInvalidArgument, name, " is ", value, ", the least is 0");
  return value;
}

}  // namespace

engine::EmbedOptions read_embed(const vsr_embed_options* given) {
  const vsr_embed_options options = read_options(given, "vsr_embed_options");
  engine::EmbedOptions embed;
  embed.task = optional_string(options.task);
  embed.dim = not_negative(options.dim, "dim");
  embed.layer = not_negative(options.layer, "layer");
  embed.normalize = !read_bool(options.no_normalize, "no_normalize");
  if (options.prompt != nullptr && options.instruction != nullptr) {
    base::fail(base::Status::kInvalidArgument, "prompt and instruction are both set, expected one at most");
  }
  if (options.prompt != nullptr) embed.prompt = options.prompt;
  if (options.instruction != nullptr) embed.instruction = options.instruction;
  embed.limits = read_limits(options);
  return embed;
}

}  // namespace vsr::c_api
