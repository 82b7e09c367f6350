// The stages of a search with the tone form: coarse and quick ones first. The same on every engine.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/search/form.h"
#include "kernels/search/search.h"

namespace mezzo::search {

enum class Stage {
  kMoves,       ///< direct binary search
  kEveryOther,  ///< windows that begin at an even row and column of the page
  kEveryWindow,
};

constexpr std::string_view name_of(Stage stage) {
  switch (stage) {
    case Stage::kMoves:
      return "moves";
    case Stage::kEveryOther:
      return "every second window";
    case Stage::kEveryWindow:
      break;
  }
  return "all windows";
}

/// The stage that a search is in. One that is not the last ends when a round gains less than half a
/// percent of the error, or changes nothing.
class Stages {
 public:
  explicit Stages(const FormSettings& settings)
      : has_windows_(settings.windows != FormWindows::kNone),
        stage_(settings.moves ? Stage::kMoves : Stage::kEveryOther) {}

  /// Of the next round.
  Stage now() const { return stage_; }

  /// Ends a round, of `changed` pixels and with the errors before and after it. Returns what
  /// Search::round() does.
  Round end_round(uint64_t changed, uint64_t before, uint64_t after) {
    const Stage stage = stage_;
    const bool is_last = stage == Stage::kEveryWindow || !has_windows_;
    if (!is_last && (changed == 0 || is_settled(before, after))) {
      stage_ = stage == Stage::kMoves ? Stage::kEveryOther : Stage::kEveryWindow;
    }
    return {changed, after, is_last};
  }

 private:
  bool has_windows_;
  Stage stage_;
};

}  // namespace mezzo::search
