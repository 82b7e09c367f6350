// The template of a plate's path: its check, and the names that replace its braces.
//
// As a user writes it, a template is relative, stays below the manifest's folder, ends in .tif or
// .tiff and may hold {stem}, {page}, {ink}, {label}, {n}, {job}, {date}, {time} and {id}. A resolved template has
// its folder, stem and job put in; braces that came with them are doubled, so only the others are
// still to be replaced. put_start() and plate_path() of job.h do that.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mezzo::manifests {

struct JobStart;

/// The problem completes a sentence that begins with the setting's name, as in scalars.h.
struct TemplateProblem {
  size_t offset = 0;  ///< of the first wrong byte
  std::string problem;
  std::string hint;
};
std::optional<TemplateProblem> check_plate_template(std::string_view text);

/// Likewise for a file beside the plates of a page, with another suffix, and without {ink}, {label} and
/// {n}. `example` is a good one.
std::optional<TemplateProblem> check_file_template(std::string_view text,
                                                   std::span<const std::string_view> suffixes,
                                                   std::string_view example);

/// Checks a pattern of names of files, which must have {page} and {ink}.
std::optional<TemplateProblem> check_ink_pattern(std::string_view text);

/// `text` is a checked template. The result is normalised: no double slash, no `.` component.
std::string resolve_plate_template(std::string_view text,
                                   const std::string& folder,
                                   const std::string& stem,
                                   const std::string& job);

/// Stands for the name of an ink in a path.
inline constexpr std::string_view kInkName = "{ink}";

/// Returns the resolved template of a path in which kInkName alone is replaced; other braces are part of
/// its name. A relative path is below `folder`.
std::string resolve_ink_template(std::string_view text, const std::string& folder);

/// Whether a resolved template has {date}, {time} or {id}.
bool has_start(std::string_view resolved);

/// A resolved template with the start of its job.
std::string with_start(std::string_view resolved, const JobStart& start);

/// A resolved template for messages, relative to the folder when it is below it.
std::string shown_template(const std::string& resolved, const std::string& folder);

/// The text, quoted for a resolved template.
std::string with_doubled_braces(std::string_view text);

}  // namespace mezzo::manifests
