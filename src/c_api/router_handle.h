// What the handles of routing hold, for the functions that take them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/caller_log.h"
#include "c_api/answer_policy.h"
#include "c_api/boundary.h"
#include "engine/engine.h"
#include "routing/router.h"
#include "vsr/router.h"

namespace vsr::c_api {

// What a router was opened with, for when its file is read again.
struct RouterSource {
  std::string path;
  bool lenient = false;
  bool validate_models = false;
  bool own_models = false;
  bool logs = false;
  std::shared_ptr<const engine::Engine> engine = {};  // null: the default engine, or own models
  std::string mask_key = {};                          // of placeholders in masked requests
};

}  // namespace vsr::c_api

struct vsr_router {
  std::shared_ptr<const vsr::routing::Router> router;
  std::shared_ptr<const vsr::c_api::RouterSource> source;
  std::shared_ptr<vsr::base::CallerLog> log;
};

// Moved, never copied: the views point to the strings of `routed`.
struct vsr_decision {
  explicit vsr_decision(vsr::routing::Routed made);
  vsr_decision(vsr_decision&&) = default;

  vsr::routing::Routed routed;
  std::vector<vsr_signal> signals;
  std::vector<vsr_header> headers;
  std::unique_ptr<const vsr::c_api::AnswerPolicy> answer;  // null: nothing is asked of the answer
};

namespace vsr::c_api {

// Keeps a router while a call uses it, and passes on what was logged when the call ends, well or not.
class HeldRouter {
 public:
  explicit HeldRouter(const vsr_router* handle) : handle_(require(handle, "router")) {}
  HeldRouter(std::shared_ptr<const routing::Router> router, std::shared_ptr<base::CallerLog> log)
      : handle_{std::move(router), nullptr, std::move(log)} {}
  ~HeldRouter() {
    guard(nullptr, [this] { handle_.log->pass_on(); });
  }
  HeldRouter(const HeldRouter&) = delete;
  HeldRouter& operator=(const HeldRouter&) = delete;
  const vsr_router& handle() const { return handle_; }
  const routing::Router* operator->() const { return handle_.router.get(); }

 private:
  vsr_router handle_;
};

}  // namespace vsr::c_api
