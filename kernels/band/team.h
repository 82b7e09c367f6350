// A team of threads that work on one band together.
//
// Kernels and stages start no threads; they get a Team and offer it work. Work is claimed in order
// by ticket, so a member that arrives late, or never, costs only speed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace mezzo {

class Team {
 public:
  virtual ~Team() = default;

  /// The most members that run() will use, at least 1.
  virtual uint32_t size() const = 0;

  /// Calls `member` once on each of 1 to size() threads at the same time, the calling thread among
  /// them, and returns when all calls have returned. An exception of a member is thrown again here.
  /// Members may wait for work that an earlier ticket holds, never for a particular member.
  virtual void run(const std::function<void()>& member) = 0;
};

/// A team of one: the caller.
class SoloTeam final : public Team {
 public:
  uint32_t size() const override { return 1; }
  void run(const std::function<void()>& member) override { member(); }
};

/// Calls `work(i)` for every i in [0, count), spread over the team; ascending order of start.
template <typename Work>
void for_each_index(Team& team, uint32_t count, const Work& work) {
  if (count <= 1 || team.size() == 1) {
    for (uint32_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<uint32_t> next{0};
  team.run([&] {
    for (uint32_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) work(i);
  });
}

}  // namespace mezzo
