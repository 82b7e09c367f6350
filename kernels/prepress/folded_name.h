// Names as people and file systems compare them: without upper and lower case, and the same however
// their accents are encoded.
#pragma once

#include <string>
#include <string_view>

namespace mezzo::prepress {

/// The characters that fold to one.
enum class Alike {
  kAsText,   ///< forms of Unicode (NFC, NFD) alone
  kAsFiles,  ///< those that a file system may take for one: case, and forms of Unicode (NFC, NFD)
  kAsWords,  ///< also those that look alike, as full-width letters and no-break spaces (NFKC)
};

/// Equal for two names that differ in these ways alone: by canonical equivalence, by Unicode's canonical caseless
/// matching, or by its compatibility caseless matching, both without characters that show nothing, such as a soft
/// hyphen. "GRÜN" and "grün" are equal, and so are "Weiß" and "WEISS"; 'I' and the dotless 'ı' are
/// not. A name that is not UTF-8 folds its ASCII letters alone. For comparing only; it is no name to
/// show.
std::string folded_name(std::string_view name, Alike alike = Alike::kAsFiles);

/// How two names differ that fold to one, to follow "they differ": "in upper and lower case alone".
std::string_view difference_of_names(std::string_view a, std::string_view b);

}  // namespace mezzo::prepress
