#include "manifests/fields.h"

namespace mezzo::manifests {
namespace {

std::vector<std::string_view> order_names() {
  return {"oldest", "newest", "smallest", "largest", "name"};
}

std::vector<std::string_view> redrop_names() {
  return {"skip", "print"};
}

std::vector<std::string_view> clash_names() {
  return {"refuse", "replace"};
}

std::vector<std::string_view> ticket_names() {
  return {"optional", "required"};
}

const Field kFolderFields[] = {
    {.name = "plates",
     .scopes = kInFolder,
     .type = FieldType::kFolder,
     .summary = "folder from which output.path starts; relative to the hot folder",
     .default_json = "\".\""},
    {.name = "stability",
     .scopes = kInFolder,
     .type = FieldType::kMap,
     .summary = "when a new file counts as complete",
     .inside = kInStability},
    {.name = "looks",
     .scopes = kInStability,
     .type = FieldType::kInteger,
     .summary = "number of looks at a file over which its size and times must not change",
     .minimum = 2,
     .maximum = 100,
     .default_json = "2"},
    {.name = "every",
     .scopes = kInStability,
     .type = FieldType::kDuration,
     .summary = "time between looks",
     .minimum = 100,
     .maximum = kHour,
     .default_json = "\"2 s\""},
    {.name = "age",
     .scopes = kInStability,
     .type = FieldType::kDuration,
     .summary = "time since the last change of the file",
     .minimum = 0,
     .maximum = kDay,
     .default_json = "\"3 s\""},
    {.name = "scan",
     .scopes = kInFolder,
     .type = FieldType::kDuration,
     .summary = "longest time between scans of the whole folder",
     .minimum = 100,
     .maximum = kDay,
     .default_json = "\"10 s\""},
    {.name = "poll",
     .scopes = kInFolder,
     .type = FieldType::kBoolean,
     .summary = "look at the folder every scan, for network shares, which send no notices",
     .default_json = "false"},
    {.name = "order",
     .scopes = kInFolder,
     .type = FieldType::kChoice,
     .summary = "which of the waiting jobs begins first",
     .choices = order_names,
     .default_json = "\"oldest\""},
    {.name = "hours",
     .scopes = kInFolder,
     .type = FieldType::kTimeWindows,
     .summary = "local time in which jobs may begin; left out: always"},
    {.name = "throttle",
     .scopes = kInFolder,
     .type = FieldType::kInteger,
     .summary = "most jobs of the folder at one time; 0: as many as there are workers",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "0"},
    {.name = "tries",
     .scopes = kInFolder,
     .type = FieldType::kInteger,
     .summary = "attempts at a job whose worker dies, before the job fails",
     .minimum = 1,
     .maximum = 100,
     .default_json = "3"},
    {.name = "stall",
     .scopes = kInFolder,
     .type = FieldType::kDuration,
     .summary = "time without progress after which a worker is stopped",
     .minimum = kSecond,
     .maximum = 7 * kDay,
     .default_json = "\"10 min\""},
    {.name = "separations",
     .scopes = kInFolder,
     .type = FieldType::kMap,
     .summary = "files that are the inks of one page each",
     .inside = kInSeparations},
    {.name = "inks",
     .scopes = kInSeparations,
     .type = FieldType::kInks,
     .summary = "names of the inks; a page needs all of them",
     .is_required = true},
    {.name = "pattern",
     .scopes = kInSeparations,
     .type = FieldType::kInkPattern,
     .summary =
         "pattern of the file names, with {page} and {ink}; files that fit it belong to a set",
     .default_json = "\"{page}_{ink}.tif\""},
    {.name = "wait",
     .scopes = kInSeparations,
     .type = FieldType::kDuration,
     .summary = "time after which an incomplete set is moved to incomplete/",
     .minimum = 100,
     .maximum = 30 * kDay,
     .default_json = "\"15 min\""},
    {.name = "tickets",
     .scopes = kInFolder,
     .type = FieldType::kChoice,
     .summary = "whether pages may come without a ticket that names them",
     .choices = ticket_names,
     .default_json = "\"optional\""},
    {.name = "redrops",
     .scopes = kInFolder,
     .type = FieldType::kChoice,
     .summary = "whether files with the content of an earlier job, whose plates still stand, are "
                "skipped or printed again",
     .choices = redrop_names,
     .default_json = "\"skip\""},
    {.name = "name_clashes",
     .scopes = kInFolder,
     .type = FieldType::kChoice,
     .summary =
         "whether a page fails whose plates would replace those of another page, or they are "
         "replaced",
     .choices = clash_names,
     .default_json = "\"refuse\""},
    {.name = "keep",
     .scopes = kInFolder,
     .type = FieldType::kMap,
     .summary = "how long files of finished jobs are kept; 0 s: for ever",
     .inside = kInKeep},
    {.name = "done",
     .scopes = kInKeep,
     .type = FieldType::kDuration,
     .summary = "inputs of jobs that were printed",
     .minimum = 0,
     .maximum = 36500 * kDay,
     .default_json = "\"7 days\""},
    {.name = "failed",
     .scopes = kInKeep,
     .type = FieldType::kDuration,
     .summary = "inputs of jobs that failed",
     .minimum = 0,
     .maximum = 36500 * kDay,
     .default_json = "\"30 days\""},
    {.name = "reserve",
     .scopes = kInFolder,
     .type = FieldType::kByteSize,
     .summary = "space to leave free on the disk of the plates; jobs wait for it",
     .minimum = 0,
     .maximum = 1024 * kTiB,
     .default_json = "\"2 GiB\""},
};

}  // namespace

std::span<const Field> folder_fields() {
  return kFolderFields;
}

}  // namespace mezzo::manifests
