// Photoshop's files of curves: .acv, points with a spline between them, and .amp, tables of 256 levels.
// Both are binary, of big-endian numbers, and know no names of inks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mezzo::curve {

/// Level of level; a level has fractions between points.
using LevelTable = std::array<double, 256>;

bool is_acv(std::string_view bytes);
bool is_amp(std::string_view bytes);

/// The tables, or a sentence with the mistake: {master, channel 1, channel 2, ..}.
std::variant<std::vector<LevelTable>, std::string> parse_acv(std::string_view bytes);
std::variant<std::vector<LevelTable>, std::string> parse_amp(std::string_view bytes);

}  // namespace mezzo::curve
