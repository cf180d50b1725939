// Speaks to compare_with_hf.py: tokenizes what comes on standard input. A development tool, no test.
//   dump_tokens TOKENIZER < requests > answers
// Request: kind ('t' text, 'p' pair, 'd' ids to decode), add_special_tokens ('0' or '1'), then one or two blocks of
// (uint32 size, bytes). Answer: uint32 n, then n rows of int32 id, type, side, uint32 start, end; for 'd' a block.

#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include "base/error.h"
#include "text/load_tokenizer.h"

namespace {

bool read_block(std::string& block) {
  uint32_t size = 0;
  if (std::fread(&size, 4, 1, stdin) != 1) return false;
  block.resize(size);
  return size == 0 || std::fread(block.data(), 1, size, stdin) == size;
}

void write(const void* data, size_t size) {
  if (size != 0 && std::fwrite(data, 1, size, stdout) != size) std::exit(3);
}

void write_encoding(const vsr::text::Encoding& encoding) {
  const uint32_t n = static_cast<uint32_t>(encoding.size());
  write(&n, 4);
  for (size_t i = 0; i < encoding.size(); ++i) {
    const int32_t row[5] = {encoding.ids[i], encoding.type_ids[i], encoding.sides[i],
                            static_cast<int32_t>(encoding.offsets[i].begin),
                            static_cast<int32_t>(encoding.offsets[i].end)};
    write(row, sizeof(row));
  }
}

void serve(const vsr::text::Tokenizer& tokenizer) {
  std::string first, second;
  for (int kind = std::getchar(); kind != EOF; kind = std::getchar()) {
    const bool specials = std::getchar() == '1';
    if (!read_block(first) || (kind == 'p' && !read_block(second))) std::exit(2);
    if (kind == 'd') {
      std::vector<int32_t> ids(first.size() / 4);
      std::memcpy(ids.data(), first.data(), ids.size() * 4);
      const std::string text = tokenizer.decode(ids, specials);
      const uint32_t n = static_cast<uint32_t>(text.size());
      write(&n, 4);
      write(text.data(), text.size());
    } else {
      const std::string_view pair = second;
      write_encoding(tokenizer.encode(first, kind == 'p' ? &pair : nullptr, specials));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    serve(*vsr::text::load_tokenizer(argv[1]));
  } catch (const vsr::base::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
