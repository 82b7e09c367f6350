// Overlap accounts (account.h) along a piece of a row, plane after plane: the `Others` of the scalar
// row kernel.
//
// The field of an account takes one row of memory: a pixel needs it to the left, in its own row, and
// up-right, in the row above, so the row at hand overwrites the row above column by column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/diffusion/rules/rule.h"
#include "kernels/diffusion/together/account.h"

namespace mezzo::diffusion::together {

/// The fields of all accounts of a group of planes at the row above, kept from band to band.
class OwedRows {
 public:
  OwedRows(uint32_t width_px, uint32_t inks)
      : width_(static_cast<int>(width_px)),
        stride_(size_t{width_px} + 2),
        owed_(stride_ * accounts_before(inks)) {}

  /// Column 0 of the field of an account; columns -1 and width_px are there, too, and stay 0.
  int16_t* field(uint32_t plane, uint32_t earlier) {
    return owed_.data() + (accounts_before(plane) + earlier) * stride_ + 1;
  }

  /// The column before this one, which may lie outside the page; held in -1 .. width_px.
  int before(int column) const { return std::clamp(column - 1, -1, width_); }

 private:
  int width_;
  size_t stride_;
  std::vector<int16_t> owed_;
};

/// What the planes with accounts left at the pixels of a piece of a row, for those after them.
class EarlierInks {
 public:
  explicit EarlierInks(size_t columns) : pixels_(columns) {}

  /// Begins a piece, whose first column is `first`. Plane 0 writes all that the others read.
  void begin(int first) { first_ = first; }

  struct Pixel {
    int16_t beyond_tone[kMostAccounts] = {};  ///< D of each plane
    int16_t tones = 0;                        ///< sum of t
    int16_t errors = 0;                       ///< sum of e
  };
  Pixel& at(int x) { return pixels_[static_cast<size_t>(x - first_)]; }

 private:
  int first_ = 0;
  std::vector<Pixel> pixels_;
};

/// The accounts of one plane, which has kAccounts of them, as a row goes on.
template <Rule R, uint32_t kAccounts>
class RowAccounts {
 public:
  /// The row's next column is `begin`. `owed` and `earlier` must outlive this.
  RowAccounts(OwedRows& owed, uint32_t plane, EarlierInks& earlier, LightTones light, int begin)
      : earlier_(&earlier), is_side_by_side_(light == LightTones::kSideBySide) {
    for (uint32_t j = 0; j < kAccounts; ++j) {
      field_[j] = owed.field(plane, j);
      owed_[j] = field_[j][owed.before(begin)];
    }
  }

  int lowered(int x, int tone) {
    if constexpr (kAccounts == 0) return 0;  // the rule alone
    const EarlierInks::Pixel& earlier = earlier_->at(x);
    int sum = 0;
    for (uint32_t j = 0; j < kAccounts; ++j) {
      owed_[j] = owed_here(owed_[j], field_[j][x + 1]);
      sum += term(owed_[j], earlier.beyond_tone[j], tone);
    }
    light_ = is_side_by_side_ ? lightness(tone, earlier.tones) : 0;
    return lowered_at(tone, lowered_by(sum, light_part(earlier.errors, light_)));
  }

  void settle(int x, int tone, const Decision& decision) {
    EarlierInks::Pixel& here = earlier_->at(x);
    const int own = beyond_tone(tone, decision.ink);
    for (uint32_t j = 0; j < kAccounts; ++j) {
      owed_[j] = owed_after(owed_[j], own, here.beyond_tone[j], light_);
      field_[j][x] = static_cast<int16_t>(owed_[j]);
    }
    if constexpr (kAccounts < kMostAccounts) {
      here.beyond_tone[kAccounts] = static_cast<int16_t>(own);
      const int tones = kAccounts == 0 ? 0 : here.tones, errors = kAccounts == 0 ? 0 : here.errors;
      here.tones = static_cast<int16_t>(tones + tone);
      here.errors = static_cast<int16_t>(errors + error_of<R>(decision.residue));
    }
  }

 private:
  static constexpr size_t kRoom = std::max(kAccounts, 1U);

  EarlierInks* earlier_;
  bool is_side_by_side_;
  int16_t* field_[kRoom] = {};
  int owed_[kRoom] = {};  ///< to the left, and between the two calls a
  int light_ = 0;         ///< l of the pixel
};

/// Calls `use(std::integral_constant<uint32_t, n>())`, n the number of accounts of the plane.
template <typename Use>
void with_accounts_of(uint32_t plane, const Use& use) {
  static_assert(kMostAccounts == 3);
  switch (accounts_of(plane)) {
    case 0:
      return use(std::integral_constant<uint32_t, 0>());
    case 1:
      return use(std::integral_constant<uint32_t, 1>());
    case 2:
      return use(std::integral_constant<uint32_t, 2>());
    default:
      return use(std::integral_constant<uint32_t, 3>());
  }
}

}  // namespace mezzo::diffusion::together
