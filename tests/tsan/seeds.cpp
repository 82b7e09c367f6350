// Races that are there on purpose, in pages that run through the pipeline's own executor: with
// ThreadSanitizer each must be found, and the page without one must pass.
//
//   seeds none|counter|scratch|late|ticket

#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <thread>

#include "pipeline/run/graph_executor.h"
#include "tests/support/memory_page.h"

namespace mezzo::test {
namespace {

/// Ink where the sample and the sums of the rows above say so. Right by itself; others derive from it.
class RowSums : public Halftoner {
 public:
  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t) const override {
    return std::make_unique<State>();
  }

  void run(const SampleBand& in,
           const ToneCurve&,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override {
    std::vector<uint32_t> sums(in.rows);
    for_each_index(team, in.rows, [&](uint32_t y) {
      const uint8_t* row = in.row8(y);
      sums[y] = std::accumulate(row, row + in.width_px, 0U);
    });
    uint32_t& above = dynamic_cast<State&>(*state).sum;
    for (uint32_t y = 0; y < in.rows; ++y) {
      above += sums[y];
      std::fill_n(out.row(y), bit_row_bytes(out.width_px), static_cast<uint8_t>(above));
    }
    band_is_done(in, out, team);
  }

 private:
  struct State final : HalftonerState {
    uint32_t sum = 0;
  };
  virtual void band_is_done(const SampleBand&, const BitBand&, Team&) const {}
};

/// Planes count their bands together.
class Counter final : public RowSums {
  void band_is_done(const SampleBand&, const BitBand&, Team&) const override { ++bands_; }
  mutable uint64_t bands_ = 0;
};

/// Planes share a buffer, each for the length of a band.
class Scratch final : public RowSums {
  void band_is_done(const SampleBand& in, const BitBand&, Team&) const override {
    std::copy_n(in.row8(0), shared_.size(), shared_.begin());
  }
  mutable std::array<uint8_t, 64> shared_{};
};

/// The bits are written to once more after they were handed over.
class Late final : public RowSums {
  void start(const SampleBand& in,
             const ToneCurve& curve,
             const BitBand& out,
             HalftonerState* state,
             Team& team,
             Done done) const override {
    run(in, curve, out, state, team);
    done(nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    out.row(0)[0] ^= 1;
  }
};

/// A team's tickets, without an atomic counter.
class Ticket final : public RowSums {
  void band_is_done(const SampleBand&, const BitBand&, Team& team) const override {
    uint32_t next = 0;
    team.run([&] {
      for (; next < 20; ++next) std::this_thread::sleep_for(std::chrono::microseconds(50));
    });
  }
};

MemoryPage& page() {
  static PageInfo info;
  info.width_px = 400;
  info.height_px = 800;
  info.inks = {"cyan", "magenta", "yellow", "black"};
  const MemoryReader::Plane plane(size_t{info.width_px} * info.height_px, std::byte{90});
  static MemoryPage the_page(info, std::vector<MemoryReader::Plane>(info.inks.size(), plane));
  return the_page;
}

bool run(const Halftoner& halftoner) {
  run::SimpleExecutor simple;
  const Outcome expected = page().run(simple, RowSums(), 40);
  for (uint64_t seed = 0; seed < 3; ++seed) {
    run::GraphExecutor graph({.threads = 8, .shuffle_seed = seed});
    if (page().run(graph, halftoner, 40) != expected) return false;
  }
  return true;
}

}  // namespace
}  // namespace mezzo::test

int main(int count, char** arguments) {
  using namespace mezzo::test;  // NOLINT(google-build-using-namespace)
  std::map<std::string, std::unique_ptr<mezzo::Halftoner>> seeds;
  seeds["none"] = std::make_unique<RowSums>();
  seeds["counter"] = std::make_unique<Counter>();
  seeds["scratch"] = std::make_unique<Scratch>();
  seeds["late"] = std::make_unique<Late>();
  seeds["ticket"] = std::make_unique<Ticket>();
  const auto seed = count == 2 ? seeds.find(arguments[1]) : seeds.end();
  if (seed == seeds.end()) return 64;
  const bool same = run(*seed->second);
  if (!same) std::puts("other bits than without a race");
  return same ? 0 : 1;
}
