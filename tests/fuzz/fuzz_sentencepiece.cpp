// text::load_spm: any file is a sentencepiece model or an error, and an accepted one keeps its promises on texts.
#include "fuzz_target.h"
#include "support/spm_writer.h"
#include "text/sentencepiece/spm_tokenizer.h"

using namespace vsr;

namespace {

const std::string_view kTexts[] = {"", " a  aab ", "caf\xC3\xA9 \xE4\xBD\xA0 \xF0\x9F\x99\x82 ab ab", "\xFF\xE2\x82 a",
                                   std::string_view("a\0b", 3)};

void check(const text::Tokenizer& tokenizer, std::string_view text) {
  const text::TokenSequence sequence = tokenizer.tokenize(text);
  fuzz::demand(sequence.ids.size() == sequence.offsets.size(), "a sequence's vectors are of one length");
  size_t done = 0;
  for (size_t i = 0; i < sequence.ids.size(); ++i) {
    fuzz::demand(sequence.ids[i] >= 0 && static_cast<size_t>(sequence.ids[i]) < tokenizer.vocab_size(),
                 "ids are of the vocabulary");
    const text::Span span = sequence.offsets[i];
    fuzz::demand(done <= span.begin && span.begin <= span.end && span.end <= text.size(), "offsets rise");
    done = span.begin;
  }
  static_cast<void>(tokenizer.decode(sequence.ids, true));
}

// A map of one rule: "a" becomes "b c".
std::string small_map() {
  const auto unit = [](uint32_t value) {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xFF));
    return bytes;
  };
  std::vector<uint32_t> units(256);
  units[0] = 1U << 10;  // children from unit 1 on
  units[1 ^ 'a'] = 'a' | 1U << 8 | 2U << 10;
  units[1 ^ 'a' ^ 2] = 1U << 31;  // the replacement at 0
  std::string map = unit(1024);
  for (const uint32_t value : units) map += unit(value);
  return map + std::string("b c\0", 4);
}

std::string model(uint64_t type, bool bytes) {
  std::string result = test::spm_model(type,
                                       {{"<unk>", 0, 2},
                                        {"<s>", 0, 3},
                                        {"\xE2\x96\x81", -2},
                                        {"a", -1},
                                        {"b", -1},
                                        {"ab", -1.5F},
                                        {"aab", -2, 5},
                                        {"aa", -1.8F, 5},
                                        {"caf", 0, 4},
                                        {"\xE2\x96\x81 a", -4}},
                                       test::bytes_field(2, small_map()));
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (unsigned byte = 0; bytes && byte < 256; ++byte) {
    const std::string token = {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
    result += test::spm_piece({token, 0, 6});
  }
  return result + test::bytes_field(2, test::number_field(35, bytes));
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  std::vector<std::string> list;
  for (const uint64_t type : {1, 2, 3, 4}) list.push_back(model(type, false));
  list.push_back(model(1, true));
  list.push_back(model(2, true));
  return list;
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::accept_errors([&] {
    const fuzz::MemoryFile file(fuzz::text_of(data, size));
    const auto tokenizer = text::load_spm(file.path());
    for (const std::string_view text : kTexts) check(*tokenizer, text);
  });
  return 0;
}
