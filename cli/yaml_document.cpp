#include "yaml_document.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>

#include <sstream>

#include "failure.h"

namespace vsr::cli {
namespace {

// Hears of documents and nothing else.
class OneDocument : public YAML::EventHandler {
 public:
  explicit OneDocument(const std::string& path) : path_(path) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (seen_) {
      // Where no value can begin, yaml-cpp 0.7 finds empty documents at one place without end.
      const bool stuck = mark.pos == first_.pos;
      throw Failure(yaml_place(path_, mark) + (stuck ? ": no value can begin here" : ": a second document"));
    }
    seen_ = true;
    first_ = mark;
  }
  bool seen() const { return seen_; }

  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  const std::string& path_;
  YAML::Mark first_;
  bool seen_ = false;
};

}  // namespace

std::string yaml_place(const std::string& path, const YAML::Mark& mark) {
  if (mark.is_null()) return path;
  return path + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
}

YAML::Node load_yaml_document(const std::string& bytes, const std::string& path) {
  try {
    std::istringstream stream(bytes);
    YAML::Parser parser(stream);
    OneDocument document(path);
    while (parser.HandleNextDocument(document)) continue;
    if (!document.seen()) throw Failure(path + ": the file is empty");
    return YAML::Load(bytes);
  } catch (const YAML::DeepRecursion& error) {
    throw Failure(yaml_place(path, error.mark) + ": nested too deeply");
  } catch (const YAML::Exception& error) {
    throw Failure(yaml_place(path, error.mark) + ": " + error.msg);
  }
}

}  // namespace vsr::cli
