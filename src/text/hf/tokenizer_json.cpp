#include "text/hf/tokenizer_json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "text/hf/models/load_model.h"
#include "text/hf/normalizers/load_normalizer.h"
#include "text/hf/pipeline.h"
#include "text/hf/pre_tokenizers/load_pre_tokenizer.h"

namespace vsr::text {

std::shared_ptr<const Tokenizer> load_tokenizer_json(const base::JsonObject& json) {
  PipelineParts parts;
  if (json.contains("version") && json.required<std::string>("version") != "1.0") {
    json.at("version").fail_unsupported("is \"" + json.required<std::string>("version") + "\", expected \"1.0\"");
  }
  if (json.contains("normalizer")) parts.normalizer = load_normalizer(json.required<base::JsonObject>("normalizer"));
  if (json.contains("pre_tokenizer")) {
    parts.pre_tokenizers = load_pre_tokenizer(json.required<base::JsonObject>("pre_tokenizer"));
  }
  parts.model = load_model(json.required<base::JsonObject>("model"), parts.pre_tokenizers.byte_level);
  std::vector<AddedToken> added;
  if (json.contains("added_tokens")) added = read_added_tokens(json.at("added_tokens"), parts.model->vocabulary());
  size_t vocab_size = parts.model->vocabulary().size();
  for (const AddedToken& token : added) vocab_size = std::max(vocab_size, static_cast<size_t>(token.id) + 1);
  parts.added = std::make_unique<AddedTokens>(std::move(added), parts.normalizer.get(), json.path());
  if (json.contains("post_processor")) {
    parts.post_processor = load_post_processor(json.required<base::JsonObject>("post_processor"), vocab_size);
  }
  if (json.contains("decoder")) parts.decoder = load_decoder(json.required<base::JsonObject>("decoder"));
  return std::make_shared<Pipeline>(std::move(parts));
}

}  // namespace vsr::text
