// How much of a plate is verified before it gets its name, by the names that manifests have for it. A header
// alone: manifests include it, and know no more of TIFF.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mezzo::tiff {

/// Each proves what those before it do.
enum class VerifyLevel { kBytes, kDecode, kRecompute };

struct VerifyLevelInfo {
  VerifyLevel level;
  std::string_view name;
  std::string_view proof;  ///< of a plate that passed, for reports
};

inline constexpr VerifyLevelInfo kVerifyLevels[] = {
    {VerifyLevel::kBytes, "bytes", "the strips read back are those that were coded"},
    {VerifyLevel::kDecode, "decode", "the rows read back are those that were halftoned"},
    {VerifyLevel::kRecompute, "recompute", "recomputed with the reference, and equal"},
};

/// All of them, in the order of the enumeration.
constexpr std::span<const VerifyLevelInfo> verify_levels() {
  return kVerifyLevels;
}

constexpr const VerifyLevelInfo& info_of(VerifyLevel level) {
  return kVerifyLevels[static_cast<size_t>(level)];
}

constexpr std::string_view to_string(VerifyLevel level) {
  return info_of(level).name;
}

/// The level of that name; nothing when there is none.
constexpr std::optional<VerifyLevel> verify_level_named(std::string_view name) {
  for (const VerifyLevelInfo& info : kVerifyLevels) {
    if (info.name == name) return info.level;
  }
  return std::nullopt;
}

}  // namespace mezzo::tiff
