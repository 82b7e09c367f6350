// Pieces of the text of a manifest.
#pragma once

#include <string>
#include <string_view>

namespace mezzo::manifests {

/// The shortest digits, without an exponent, that are read as this number again.
std::string number_text(double value);

/// A percentage: with its sign where it could be taken for a fraction.
std::string percent_text(double value);

/// A key and its value; without a value the head of a block.
std::string line(int depth, std::string_view key, const std::string& value);

/// A block whose keys are one deeper; nothing when it has none.
std::string block(int depth, std::string_view key, const std::string& inside);

}  // namespace mezzo::manifests
