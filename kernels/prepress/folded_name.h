// Names as people and file systems compare them: without upper and lower case, and the same however
// their accents are encoded.
#pragma once

#include <string>
#include <string_view>

namespace mezzo::prepress {

/// The characters that fold to one.
enum class Alike {
  kAsText,   ///< only the forms of Unicode (NFC, NFD)
  kAsFiles,  ///< those that a file system may take for one: case, and forms of Unicode (NFC, NFD)
  kAsWords,  ///< also those that look alike, as full-width letters and no-break spaces (NFKC)
};

/// Returns the same text for all names that count as alike, for comparing them, not for display. The rules are those
/// of Unicode: canonical equivalence (kAsText), canonical caseless matching (kAsFiles), or compatibility caseless
/// matching (kAsWords). The latter two also ignore characters that show nothing, such as a soft hyphen, and take "GRÜN"
/// for "grün" and "Weiß" for "WEISS", but not 'I' for the dotless 'ı'. Of a name that is not UTF-8 they fold only the
/// ASCII letters; kAsText leaves it as it is.
std::string folded_name(std::string_view name, Alike alike = Alike::kAsFiles);

/// How two names differ that fold to one, to follow "they differ": "in upper and lower case alone".
std::string_view difference_of_names(std::string_view a, std::string_view b);

}  // namespace mezzo::prepress
