// The kind of a file by its name in a hot folder (page, ticket or neither), and names for moved
// files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mezzo::watch {

enum class NameKind {
  kIgnored,  ///< hidden, or the name of an unfinished file: .x ~$x x.tmp x.part ...
  kPage,     ///< *.tif, *.tiff
  kTicket,   ///< *.yaml, *.yml
  kOther,
};

NameKind kind_of_name(std::string_view name);

/// done, failed, incomplete, reports and folder.yaml.
bool is_layout_name(std::string_view name);

/// Why a job cannot have the name, as the end of a sentence; nothing when it can.
std::optional<std::string> name_problem(std::string_view name);

/// `suffix` in lower case; that of the name in any.
bool ends_with(std::string_view name, std::string_view suffix);

/// The name with '_' for every unprintable byte, as UTF-8 of at most 240 bytes.
std::string printable_name(std::string_view name);

/// The name without .tif, .tiff, .yaml or .yml.
std::string_view stem_of(std::string_view name);

/// "a.tif", "a (2).tif", "a (3).tif" for 1, 2, 3, and `tail` after it; cut where it would be
/// longer than a name can be.
std::string numbered_name(const std::string& name, size_t number, std::string_view tail = {});

/// The name as `name` of a job's manifest may be: letters, digits and " ._-", about 100 bytes.
std::string job_name_for(std::string_view name);

}  // namespace mezzo::watch
