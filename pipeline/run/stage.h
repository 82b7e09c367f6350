// The stages of a page whose times are measured.
#pragma once

#include <array>
#include <string_view>

namespace mezzo::run {

enum class Stage { kRead, kHalftone, kDevice, kCut, kEncode, kWrite, kSeal };

inline constexpr std::array<std::string_view, 7> kStageNames = {
    "read",      ///< and decode, and digest
    "halftone",  ///< on the CPU, or handing bands to a GPU
    "GPU",  ///< from handing over a band to its bits; bands overlap, so this is not time of a thread
    "cut",  ///< bits into strips
    "encode",
    "write",
    "seal",  ///< to the disk, read back and compared
};

using StageSeconds = std::array<double, kStageNames.size()>;

}  // namespace mezzo::run
