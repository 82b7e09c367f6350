// A GPU that fails at a given call of CUDA, for tests.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "kernels/gpu/context.h"

namespace mezzo::test {

class FaultAt final : public gpu::CallWatch {
 public:
  /// The k-th call from now on (from 1) fails, once; 0: none.
  void set(uint64_t call, Fault fault = Fault::kOutOfMemory) {
    fault_ = fault;
    call_ = call == 0 ? 0 : calls_ + call;
  }

  uint64_t calls() const { return calls_; }

  std::optional<Fault> next_call() override {
    return ++calls_ == call_ ? std::optional(fault_.load()) : std::nullopt;
  }

 private:
  std::atomic<uint64_t> calls_{0};
  std::atomic<uint64_t> call_{0};
  std::atomic<Fault> fault_{Fault::kFailed};
};

/// A context whose calls may fail.
struct FaultyContext {
  std::shared_ptr<FaultAt> fault = std::make_shared<FaultAt>();
  gpu::Context context{{.watch = fault}};
};

}  // namespace mezzo::test
