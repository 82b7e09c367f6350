// A directory of a TIFF file as libtiff is to see it: with the values of the tags that are needed alone.
//
// libtiff reads the values of every tag into memory, known or not, and each decoder has a handle of its
// own. Programs leave XMP packets of many MiB and whole layered pictures in tags, and a small file may
// have thousands of tags that share the same bytes. So entries that nothing here asks for, and those
// larger than they can sensibly be, become empty ones in what libtiff reads. Internal to stages/tiff.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stages/files/byte_store.h"

namespace mezzo::tiff {

/// What a directory is read for.
enum class TagUse {
  kDescription,  ///< all that describes a page
  kDecoding,     ///< the samples alone: without profile and image resources
};

/// The most bytes of a profile, beyond which a page is refused, and of Photoshop's image resources, beyond
/// which its extra channels have no names.
inline constexpr uint64_t kMostProfileTagBytes = 16ULL << 20;
inline constexpr uint64_t kMostResourceTagBytes = 8ULL << 20;

/// The bytes of a directory.
struct LeanDirectory {
  uint64_t offset = 0;
  std::vector<std::byte> bytes;  ///< empty: as in the file

  /// Puts those of them in `to` that belong there, which was read from `at` on.
  void overlay(uint64_t at, std::span<std::byte> to) const;
};

/// The directory at `offset` of a file of that kind. One that cannot be read, or has more entries than
/// libtiff takes, is left as it is.
LeanDirectory lean_directory(const files::ByteStore& store,
                             uint64_t offset,
                             bool is_big_tiff,
                             bool is_big_endian,
                             TagUse use);

}  // namespace mezzo::tiff
