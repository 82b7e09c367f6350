// The name of a job: 1 to 100 letters, digits, spaces and . _ - that begin with a letter or a digit
// and do not end with a space, so that it can be part of a path and of a message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "manifests/path_template.h"

namespace mezzo::manifests {

/// The mistake in the name of a job; nothing when it is good.
std::optional<TemplateProblem> check_job_name(std::string_view name);

/// A good name made of any text, such as a file's name; a good one is unchanged.
std::string as_job_name(std::string_view text);

}  // namespace mezzo::manifests
