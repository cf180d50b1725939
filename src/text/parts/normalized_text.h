// A text under normalisation, and where each of its bytes comes from in the original.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/parts/span.h"

namespace vsr::text {

// Well-formed UTF-8. Immutable; rewriting makes a new one.
class NormalizedText {
 public:
  // A part of the original that begins at `origin` of it; the bytes are borrowed.
  NormalizedText(std::string_view part, size_t origin) : borrowed_(part), origin_(static_cast<uint32_t>(origin)) {}

  std::string_view view() const { return owns_ ? std::string_view(owned_) : borrowed_; }
  bool empty() const { return view().empty(); }

  // The span in the original of the character that holds this byte.
  Span source(size_t byte) const;
  // From the source of the first byte to that of the last one. An empty span is returned as it is, as Hugging Face
  // does.
  Span source(Span span) const;

 private:
  friend class TextBuilder;
  std::string_view borrowed_;
  std::string owned_;
  bool owns_ = false;
  uint32_t origin_ = 0;
  // One per byte. Empty while every character represents the one at the same distance from the origin.
  std::vector<Span> sources_;
};

// Builds the successor of a text, character by character.
class TextBuilder {
 public:
  explicit TextBuilder(const NormalizedText& from) : from_(from) { out_.owned_.reserve(from.view().size() + 16); }

  void append(std::string_view character, Span source);
  void append(char32_t character, Span source);
  // Copies characters of the old text with their sources.
  void copy(size_t begin, size_t end);

  size_t size() const { return out_.owned_.size(); }
  NormalizedText take();

 private:
  bool keeps_distance(size_t bytes, Span source) const {
    return source.begin == from_.origin_ + out_.owned_.size() && source.end - source.begin == bytes;
  }
  void materialize();
  void copy_aligned(size_t begin, size_t end);

  const NormalizedText& from_;
  NormalizedText out_{{}, 0};
  bool aligned_ = false;  // sources are being written
};

// Replays edits as Hugging Face's `transform` does, so that the sources come out equal to its alignments: each output
// character says how it relates to the characters of the old text that have not been consumed yet.
class TextTransform {
 public:
  explicit TextTransform(const NormalizedText& from) : from_(from), builder_(from) {}

  // change 0: replaces the next old character. -n: replaces it and drops the n that follow. 1: is inserted.
  void emit(char32_t character, ptrdiff_t change);
  // Keeps the characters up to this byte of the old text as they are.
  void keep(size_t end);
  NormalizedText take() { return builder_.take(); }

 private:
  void consume(size_t characters);

  const NormalizedText& from_;
  TextBuilder builder_;
  size_t position_ = 0;  // in the old text
};

struct Edit {
  char32_t character;
  ptrdiff_t change;
};

}  // namespace vsr::text
