// Words of the field, and of other programs, for what has another name here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mezzo::spelling {

struct Synonym {
  std::string_view name;     ///< in lower case, with '-' between words
  std::string_view meaning;  ///< a key, a value, a method, an option or a topic of help
};

/// All synonyms. A name may have several meanings; the first that exists at a place counts there.
std::span<const Synonym> synonyms();

/// The name in lower case, with '-' for '_' and for spaces: as names are compared when one is guessed.
std::string folded(std::string_view name);

/// The first of `candidates` that `name` is a synonym of, or empty.
std::string_view synonym_of(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace mezzo::spelling
