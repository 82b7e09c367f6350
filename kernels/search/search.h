// The interface of a search over a plane, for any engine and any error to minimise.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "kernels/band/team.h"
#include "kernels/search/area.h"

namespace mezzo::search {

/// The result of a round.
struct Round {
  uint64_t changed = 0;    ///< pixels, each time that one changed
  uint64_t error = 0;      ///< the minimised error, after the round
  bool last_stage = true;  ///< of searches that go through several
};

/// Whether a round gained less than half a percent of the error.
constexpr bool is_settled(uint64_t before, uint64_t after) {
  return 200 * (before - after) < before;
}

/// A search of an area, which must outlive it.
class Search {
 public:
  virtual ~Search() = default;

  /// The minimised error, now.
  virtual uint64_t error() const = 0;

  /// Improves every place of the area once, and never makes the error larger. `pause` is called
  /// from time to time by the calling thread, with the part of the round that is done, 0..1; it may
  /// throw, after which only finish() may be called. Throws Error where a device fails.
  virtual Round round(Team& team, const std::function<void(double part)>& pause) = 0;

  /// The name of the next round's stage, where a search goes through several.
  virtual std::string_view stage() const { return {}; }

  /// Copies the bits back to the area, in the search's present state.
  virtual void finish() = 0;

  /// The error for people: per pixel, of 255.
  virtual double of_255(uint64_t error) const = 0;
};

/// Begins a search of the area; throws Error kOutOfMemory where a device has no room for it.
using MakeSearch = std::function<std::unique_ptr<Search>(const Area& area, Team& team)>;

}  // namespace mezzo::search
