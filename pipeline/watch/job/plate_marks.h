// Whether the plates of an earlier job still stand as it made them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/watch/job/job_store.h"
#include "stages/files/file_mark.h"

namespace mezzo::watch {

/// The marks of the plates as they are now; that of a plate that is not there is empty.
std::vector<files::FileMark> marks_of(const std::vector<PlateView>& plates);

/// Why the plates of the job cannot be taken for its result any longer, as the end of "made again:";
/// empty when all stand unchanged. Of a job from before marks were kept, plates of the name will do.
std::string lost_plates(const StoredJob& job);

/// Deletes the plates of the job that stand unchanged in `folder` or below it. Returns how many.
size_t remove_plates(const StoredJob& job, const std::string& folder);

}  // namespace mezzo::watch
