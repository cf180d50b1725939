// Random arguments, a fixed seed: whatever comes in, a call returns a status that its header lists, sets its
// out-parameter exactly when it succeeds, and explains itself when it does not.
#include <limits>

#include "support/random_arguments.h"

using namespace vsr::test;

namespace {

class Arguments : public RandomArguments {
 public:
  using RandomArguments::RandomArguments;

  const vsr_embed_options* embed_options() {
    if (chance(3)) return nullptr;
    embed_ = VSR_EMBED_OPTIONS_INIT;
    embed_.struct_size = struct_size(sizeof embed_);
    embed_.dim = number();
    embed_.layer = number();
    embed_.no_normalize = static_cast<int32_t>(below(2));
    if (chance(2)) embed_.task = name();
    if (chance(4)) embed_.prompt = name();
    if (chance(4)) embed_.instruction = name();
    if (chance(4)) embed_.max_tokens = below(40);
    return &embed_;
  }
  const vsr_classify_options* classify_options() {
    static const float kThresholds[] = {0, 0, 0.5f, 1, -1, 2, std::numeric_limits<float>::quiet_NaN()};
    if (chance(3)) return nullptr;
    classify_ = VSR_CLASSIFY_OPTIONS_INIT;
    classify_.struct_size = struct_size(sizeof classify_);
    classify_.threshold = kThresholds[below(std::size(kThresholds))];
    if (chance(2)) classify_.task = name();
    if (chance(4)) classify_.max_tokens = below(40);
    return &classify_;
  }

 private:
  vsr_embed_options embed_;
  vsr_classify_options classify_;
};

vsr_status random_call(Arguments& args, vsr_result** result, vsr_error* error) {
  const vsr_engine* engines[] = {embedder(), classifier(), tagger(), nullptr};
  const vsr_engine* engine = engines[args.below(4)];
  switch (args.below(5)) {
    case 0: {
      const vsr_str* texts = args.texts();
      return vsr_embed(engine, texts, args.count(), args.embed_options(), result, error);
    }
    case 1: {
      const vsr_str* texts = args.texts();
      const vsr_str* pairs = args.chance(2) ? nullptr : texts;
      return vsr_classify(engine, texts, pairs, args.count(), args.classify_options(), result, error);
    }
    case 2:
      return vsr_token_probs(engine, args.text(), args.classify_options(), result, error);
    case 3: {
      const vsr_str* texts = args.texts();
      return vsr_entities(engine, texts, args.count(), args.classify_options(), result, error);
    }
    default: {
      const vsr_str* texts = args.texts();
      float scores[16];
      *result = nullptr;
      // More than four texts are not there to be read, so such a count must fail before.
      const size_t n = args.count();
      return vsr_similarity_matrix(engine, texts, n, texts, n, args.embed_options(), scores, error);
    }
  }
}

}  // namespace

TEST_CASE("random arguments: every call returns a status of its header and explains a failure", "[c_api]") {
  vsr_shutdown();
  Arguments args(20250101);
  size_t succeeded = 0;
  for (int i = 0; i < 5000; ++i) {
    vsr_error error = VSR_ERROR_INIT;
    vsr_result* result = reinterpret_cast<vsr_result*>(1);
    const vsr_status status = random_call(args, &result, &error);
    INFO("call " << i << ": " << vsr_status_name(status).data << ": " << error.message);
    REQUIRE(is_expected(status));
    check_error(status, error);
    if (status == VSR_OK) {
      ++succeeded;
    } else {
      REQUIRE(result == nullptr);
    }
    vsr_result_free(result);
  }
  CHECK(succeeded > 200);
}

TEST_CASE("random arguments: pairs and long texts", "[c_api]") {
  Arguments args(7);
  vsr_tokenizer* tokenizer = nullptr;
  REQUIRE(vsr_engine_tokenizer(classifier(), nullptr, &tokenizer, nullptr) == VSR_OK);
  const TokenizerHandle owner(tokenizer);
  size_t succeeded = 0;
  for (int i = 0; i < 3000; ++i) {
    vsr_error error = VSR_ERROR_INIT;
    const vsr_str pair = args.text();
    vsr_encoding* encoding = nullptr;
    const vsr_status status = vsr_tokenizer_encode(tokenizer, args.text(), args.chance(2) ? nullptr : &pair,
                                                   static_cast<int32_t>(args.below(2)), &encoding, &error);
    INFO("call " << i << ": " << error.message);
    REQUIRE(is_expected(status));
    REQUIRE((encoding != nullptr) == (status == VSR_OK));
    if (encoding != nullptr) {
      ++succeeded;
      vsr_string* text = nullptr;
      REQUIRE(vsr_tokenizer_decode(tokenizer, vsr_encoding_ids(encoding), vsr_encoding_token_count(encoding), 0, &text,
                                   &error) == VSR_OK);
      vsr_string_free(text);
    }
    vsr_encoding_free(encoding);
  }
  CHECK(succeeded > 1000);
}
