// The CSV form of intents (RFC 4180): a header that names a text and a label column, then one example per record.
#include <algorithm>
#include <map>
#include <string_view>

#include "base/error.h"
#include "routing/intents/intents_source.h"

namespace vsr::routing {
namespace {

struct Record {
  size_t line = 0;
  std::vector<std::string> fields;
};

class CsvReader {
 public:
  CsvReader(std::string_view bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {
    if (bytes_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  // False at the end of the file. Blank lines are no records.
  bool next(Record& record) {
    while (at_ < bytes_.size() && (bytes_[at_] == '\n' || bytes_[at_] == '\r')) skip();
    if (at_ == bytes_.size()) return false;
    record = {line_, {}};
    do {
      record.fields.push_back(bytes_.substr(at_).starts_with('"') ? quoted_field() : plain_field());
    } while (take(','));
    if (at_ < bytes_.size() && bytes_[at_] != '\n' && bytes_[at_] != '\r') {
      fail(line_, "text after a closing quote");
    }
    return true;
  }

  [[noreturn]] void fail(size_t line, const std::string& message) const {
    base::fail(base::Status::kParse, path_, ":", line, ": ", message);
  }

 private:
  void skip() { line_ += bytes_[at_++] == '\n' ? 1 : 0; }

  bool take(char expected) {
    const bool taken = at_ < bytes_.size() && bytes_[at_] == expected;
    if (taken) ++at_;
    return taken;
  }

  std::string plain_field() {
    const size_t end = std::min(bytes_.find_first_of(",\r\n", at_), bytes_.size());
    std::string field(bytes_.substr(at_, end - at_));
    at_ = end;
    return field;
  }

  std::string quoted_field() {
    const size_t opened = line_;
    std::string field;
    for (++at_; at_ < bytes_.size(); skip()) {
      if (bytes_[at_] == '"') {
        const bool doubled = bytes_.substr(at_ + 1).starts_with('"');
        ++at_;
        if (!doubled) return field;
      }
      field += bytes_[at_];
    }
    fail(opened, "a quote is opened and never closed");
  }

  std::string_view bytes_;
  std::string path_;
  size_t at_ = 0;
  size_t line_ = 1;
};

bool is_text_column(const std::string& name) { return name == "text"; }
bool is_label_column(const std::string& name) { return name == "label" || name == "intent" || name == "category"; }

size_t find_column(const CsvReader& reader, const Record& header, bool (*is_it)(const std::string&),
                   const std::string& names) {
  for (size_t i = 0; i < header.fields.size(); ++i) {
    if (is_it(header.fields[i])) return i;
  }
  reader.fail(header.line, "the header names no column " + names);
}

const std::string& field(const CsvReader& reader, const Record& record, size_t column, const std::string& what) {
  const std::string& value = record.fields[column];
  if (value.find_first_not_of(" \t\r\n") == std::string::npos) reader.fail(record.line, what + " is empty");
  return value;
}

}  // namespace

IntentsSource parse_intents_csv(std::string_view text, const std::string& path) {
  CsvReader reader(text, path);
  Record header;
  if (!reader.next(header)) {
    base::fail(base::Status::kParse, path, ": empty, expected a header with the columns text and label");
  }
  const size_t text_column = find_column(reader, header, is_text_column, "text");
  const size_t label_column = find_column(reader, header, is_label_column, "label, intent or category");
  IntentsSource source;
  std::map<std::string, size_t> places;  // label -> index in source.intents
  std::map<std::string, size_t> lines;   // example -> line
  for (Record record; reader.next(record);) {
    if (record.fields.size() != header.fields.size()) {
      reader.fail(record.line, std::to_string(record.fields.size()) +
                                   (record.fields.size() == 1 ? " column" : " columns") + ", the header has " +
                                   std::to_string(header.fields.size()) + " (hint: quote a text with a comma)");
    }
    const std::string& example = field(reader, record, text_column, "the text");
    const std::string& label = field(reader, record, label_column, "the label");
    if (label.find('\0') != std::string::npos) reader.fail(record.line, "the label holds a NUL character");
    const auto [first, is_new] = lines.emplace(example, record.line);
    if (!is_new) reader.fail(record.line, "the same text as in line " + std::to_string(first->second));
    const auto [known, is_new_label] = places.emplace(label, source.intents.size());
    if (is_new_label) source.intents.push_back({.label = label});
    source.intents[known->second].examples.push_back(example);
  }
  if (source.intents.empty()) base::fail(base::Status::kParse, path, ": no examples after the header");
  return source;
}

}  // namespace vsr::routing
