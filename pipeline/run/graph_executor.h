// Runs the stages of a page as a oneTBB flow graph: reading, halftoning, encoding and writing
// overlap, several pages can be in one arena, and the number of bands in flight is bounded by
// tokens.
#pragma once

#include <memory>
#include <optional>

#include "pipeline/run/page_run.h"

namespace mezzo::run {

class GraphExecutor final : public Executor {
 public:
  struct Options {
    uint32_t threads = 1;
    /// Set: delays node bodies at random, from this seed, so that tests see other orders of work.
    std::optional<uint64_t> shuffle_seed;
  };

  /// Starts the threads. Throws Error(kOutOfMemory) when they cannot be had.
  explicit GraphExecutor(const Options& options);
  ~GraphExecutor() override;

  /// May be called from several threads at once; all share the arena's threads.
  void run(PageRun& page, const std::function<void(uint64_t)>& on_band) override;

  Team& team() override;

 private:
  struct Arena;
  Options options_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace mezzo::run
