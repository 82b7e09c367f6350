// The settings of a job's pages, and where each was written, for `mezzotint check`.
#pragma once

#include "manifests/job.h"

namespace mezzo::cli {

/// Pages with the same settings are listed once. With `all`, values that are built in are listed, too.
void print_settings(const manifests::Job& job, bool all);

/// Likewise, as lines of JSON of the type "settings".
void print_settings_json(const manifests::Job& job, bool all);

}  // namespace mezzo::cli
