// YAML text as a small tree of nodes, each with its line and column.
//
// The tree is built from yaml-cpp's events, and limits are enforced while events arrive, so hostile
// text cannot cost much time or memory. The surprising features of YAML are refused: anchors,
// aliases, tags, merge keys, duplicate keys, second documents, texts over several lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/source_text.h"

namespace mezzo::manifests {

inline constexpr size_t kMaxYamlDepth = 16;
inline constexpr size_t kMaxYamlNodes = 20'000;
inline constexpr size_t kMaxYamlTextBytes = 4096;
inline constexpr size_t kMaxYamlKeys = 256;  // of one map

struct YamlNode {
  enum class Kind {
    kNull,  ///< nothing written, or `null` or `~`
    kText,  ///< a scalar of any type
    kList,
    kMap,
  };
  Kind kind = Kind::kNull;
  bool is_quoted = false;   ///< a text that was written in quotes
  bool is_refused = false;  ///< has a diagnostic already
  Place place;
  std::string text;             ///< of a text
  std::vector<YamlNode> items;  ///< of a list; of a map the values, in the order of writing
  std::string key;              ///< when it is a value of a map
  Place key_place;
};

struct YamlTree {
  std::optional<YamlNode> root;         ///< missing when reading stopped early
  std::vector<Diagnostic> diagnostics;  ///< when there are none, there is a root
};

/// Reads exactly one document. Never throws on any text. `beginning` completes the advice for an
/// empty one: "begin with ...".
YamlTree parse_yaml(const SourceText& source, const std::string& beginning);

/// The items of a map as lines of YAML that are read as the same tree, indented by so many steps of two
/// spaces.
std::string block_text(const YamlNode& map, int depth);

/// The text in double quotes, as YAML reads it.
std::string in_double_quotes(std::string_view text);

}  // namespace mezzo::manifests
