#include "pipeline/watch/folder/plate_space.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "pipeline/text.h"
#include "stages/files/file_system.h"

namespace mezzo::watch {
namespace {

constexpr std::chrono::seconds kEvery{5};

}  // namespace

void PlateSpace::check(const std::string& label,
                       const std::string& plates,
                       uint64_t reserve_bytes,
                       SteadyTime now) {
  if (checked_ && now - *checked_ < kEvery) return;
  checked_ = now;
  const auto bytes = files::free_space(files::FileSystem::real(), plates + "/plate.tif");
  const bool was_full = !shortage_.empty();
  shortage_.clear();
  if (bytes && *bytes < reserve_bytes) {
    shortage_ = fmt::format("waits for space: {} free where the plates go, and {} stay free",
                            bytes_text(*bytes),
                            bytes_text(reserve_bytes));
    if (!was_full) spdlog::warn("{}: {}", label, shortage_);
  } else if (was_full) {
    spdlog::info("{}: there is space again", label);
  }
}

std::optional<SteadyTime> PlateSpace::next_check(SteadyTime now) const {
  if (shortage_.empty()) return std::nullopt;
  // A check in the past is overdue because no worker was free, so no job could have begun either.
  return std::max(*checked_, now) + kEvery;
}

}  // namespace mezzo::watch
