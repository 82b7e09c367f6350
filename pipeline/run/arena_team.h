// A team of the threads of a oneTBB arena.
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <cstdint>
#include <functional>

#include "kernels/band/team.h"

namespace mezzo::run {

/// Idle threads of the arena join in; a busy arena leaves the caller to do it alone.
class ArenaTeam final : public Team {
 public:
  explicit ArenaTeam(tbb::task_arena& arena) : arena_(arena) {}
  uint32_t size() const override { return static_cast<uint32_t>(arena_.max_concurrency()); }
  void run(const std::function<void()>& member) override {
    arena_.execute([&] {
      tbb::parallel_for(
          uint32_t{0}, size(), [&](uint32_t) { member(); }, tbb::simple_partitioner());
    });
  }

 private:
  tbb::task_arena& arena_;
};

}  // namespace mezzo::run
