// What the tag of a plate says of the settings of its page: each piece is written and read back side by side.
//
// The pieces are a format for ever: a plate of years ago is read by them, and the journal compares them. A new piece
// comes last and says nothing for the usual value, so that the digests of earlier jobs still hold.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "manifests/job.h"

namespace mezzo::plan {

struct PlateText {
  std::string_view key;  ///< "crop="
  /// What stands behind the key; nothing where the settings change nothing.
  std::optional<std::string> (*write)(const manifests::PageSettings&);
  /// Throws Error(kUnsupported) for what write() does not write.
  void (*read)(std::string_view text, manifests::PageSettings&);
  /// Set: the piece is in the line if, and only if, this holds of what was read in front of it.
  bool (*belongs)(const manifests::PageSettings&) = nullptr;
};

/// In the order of the line, with what is not of the settings alone in between: the plate's own tones and inks
/// together, `output`, the colours of the page, then what comes in front of the mapping of inks and behind it.
std::span<const PlateText> output_texts();
std::span<const PlateText> texts_before_inks();
std::span<const PlateText> texts_behind_inks();

/// "identity", or the settings: "invert gamma 1.2 curve 0:0 50:56 100:100".
std::string tone_text(const ToneSettings& tone);
ToneSettings tone_in(std::string_view text);

/// "0 7 14 21 pl, overlap 100, packed".
std::string levels_text(const LevelSettings& levels);
/// Of a plate: with the bit, where it has one: "0 40 100 %, overlap 100, planes, bit 1".
std::string plate_levels_text(const LevelSettings& levels);
LevelSettings levels_in(std::string_view text);

/// Pieces of a text, for readers of other parts of the line.
std::vector<std::string_view> pieces_of(std::string_view text, std::string_view separator);
std::string name_among(std::string_view text, const std::vector<std::string_view>& names);
uint32_t number_within(uint32_t least, uint32_t most, std::string_view text);
[[noreturn]] void refuse_words(std::string_view words);

}  // namespace mezzo::plan
