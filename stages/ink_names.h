// Names of inks: those of plates, as people gave them, and those that suit the names of files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mezzo {

/// The names of `count` inks, for messages, reports and tags: `found` as UTF-8 (other bytes are taken
/// for Latin-1) without controls, at most 255 bytes each. An ink without a name, or with that of
/// another, gets the name that it has in files.
std::vector<std::string> ink_names(const std::vector<std::string>& found, uint32_t count);

/// For each ink a name of lower-case letters, digits, '_' and '-', unlike the others, never empty.
std::vector<std::string> ink_file_names(const std::vector<std::string>& inks);

}  // namespace mezzo
