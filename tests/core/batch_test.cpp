#include "core/batch/batch.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/byte_tokenizer.h"

using namespace vsr::core;
using vsr::test::ByteTokenizer;

namespace {

std::vector<vsr::text::Encoding> encode(const std::vector<std::string>& texts) {
  std::vector<vsr::text::Encoding> encodings;
  for (const std::string& text : texts) {
    const auto sequence = ByteTokenizer().tokenize(text);
    encodings.push_back(ByteTokenizer().apply_template({&sequence, 0, sequence.ids.size()}, nullptr, true));
  }
  return encodings;
}

std::vector<int64_t> values(const at::Tensor& tensor) {
  return {tensor.const_data_ptr<int64_t>(), tensor.const_data_ptr<int64_t>() + tensor.numel()};
}

}  // namespace

TEST_CASE("batch: sequences are in one row without padding, positions from 0 in each", "[core][batch]") {
  const PackedBatch batch = pack(encode({"a", "", "bc"}));
  CHECK(batch.cu_seqlens == std::vector<int64_t>{0, 3, 5, 9});
  CHECK(batch.sequences() == 3);
  CHECK(batch.total_tokens() == 9);
  CHECK(batch.begin(2) == 5);
  CHECK(batch.length(1) == 2);
  CHECK(values(batch.input_ids) == std::vector<int64_t>{0, 'a' + 3, 1, 0, 1, 0, 'b' + 3, 'c' + 3, 1});
  CHECK(values(batch.position_ids) == std::vector<int64_t>{0, 1, 2, 0, 1, 0, 1, 2, 3});
  CHECK(values(batch.type_ids) == std::vector<int64_t>(9, 0));
}

TEST_CASE("batch: type ids of pairs are kept", "[core][batch]") {
  const ByteTokenizer tokenizer;
  const auto a = tokenizer.tokenize("a");
  const auto b = tokenizer.tokenize("b");
  const vsr::text::SequenceView pair{&b, 0, 1};
  const std::vector<vsr::text::Encoding> encodings{tokenizer.apply_template({&a, 0, 1}, &pair, true)};
  CHECK(values(pack(encodings).type_ids) == std::vector<int64_t>{0, 0, 0, 1, 1});
}

TEST_CASE("batch: neighbours of one length form a dense run", "[core][batch]") {
  const auto runs = equal_runs(pack(encode({"ab", "cd", "e", "fg"})));
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].first_row == 0);
  CHECK(runs[0].sequences == 2);
  CHECK(runs[0].length == 4);
  CHECK(runs[1].first_row == 8);
  CHECK(runs[1].sequences == 1);
  CHECK(runs[2].first_row == 11);
}
