// Options for settings of pages; and those of what is done to a page between its file and its plate, which `halftone`
// does, and `compare` does again.
#pragma once

#include <optional>
#include <string>

#include "manifests/job.h"
#include "tools/cli/options.h"

namespace mezzo::cli {

/// Adds the option of a setting, such as "output.resolution", or of a map of settings, such as "crop": --resolution,
/// --crop. Values, ranges and messages are those of manifests. Settings of the map that its word does not hold get
/// options of their own. `settings` holds the defaults, and must outlive the command's action; `group` is the title
/// under which help shows the options.
Option& add_setting_option(Command& command,
                           manifests::PageSettings& settings,
                           std::string_view key,
                           std::string_view group = {});

/// The options of both commands; arguments as above.
void add_chain_options(Command& command,
                       manifests::PageSettings& settings,
                       std::string_view group = {});

/// Throws Error(kUsage) for an option without effect.
void check_chain_options(const manifests::PageSettings& settings);

struct LineworkOptions {
  manifests::Linework linework;
  std::optional<std::string> overprint;  ///< "true" or "false"
};

/// `options` must outlive the command's action.
void add_linework_options(Command& command, LineworkOptions& options, std::string_view group = {});

/// The line work of the page, if it has any. Throws Error(kUsage) for options that do not fit
/// together.
std::optional<manifests::Linework> linework_of(const LineworkOptions& options);

}  // namespace mezzo::cli
