#include "manifests/settings/folder_rows.h"

#include <deque>

#include "manifests/settings/make_field.h"
#include "manifests/settings/member.h"

namespace mezzo::manifests {
namespace {

using F = FolderSettings;
using FolderRow = Setting<FolderSettings>;
constexpr auto kSeparations = &F::separations;

constexpr Field duration(unsigned scopes,
                         std::string_view name,
                         double minimum,
                         double maximum,
                         std::string_view summary) {
  return ranged(FieldType::kDuration, scopes, name, minimum, maximum, summary);
}

constexpr FolderRow kPlates[] = {
    {make_field(FieldType::kFolder,
                kInFolder,
                "plates",
                "folder from which output.path starts; relative to the hot folder"),
     member<&F::plates>()},
};

constexpr Field kStabilityMap =
    map_of(kInStability, kInFolder, "stability", "when a new file counts as complete");
constexpr FolderRow kStabilityRows[] = {
    {whole(kInStability,
           "looks",
           2,
           100,
           "number of looks at a file over which its size and times must not change"),
     member<&F::looks>()},
    {duration(kInStability, "every", 100, kHour, "time between looks"), member<&F::every>()},
    {duration(kInStability, "age", 0, kDay, "time since the last change of the file"),
     member<&F::age>()},
};

constexpr std::string_view kOrders[] = {"oldest", "newest", "smallest", "largest", "name"};
constexpr FolderRow kTurns[] = {
    {duration(kInFolder, "scan", 100, kDay, "longest time between scans of the whole folder"),
     member<&F::scan>()},
    {yes_or_no(kInFolder,
               "poll",
               "look at the folder every scan, for network shares, which send no notices"),
     member<&F::poll>()},
    {one_of(kInFolder, "order", words<kOrders>, "which of the waiting jobs begins first"),
     word_of<kOrders, &F::order>()},
    {make_field(FieldType::kTimeWindows,
                kInFolder,
                "hours",
                "local time in which jobs may begin; left out: always"),
     member_or_none<&F::hours>(),
     kReserved},
    {whole(kInFolder,
           "throttle",
           0,
           1000,
           "most jobs of the folder at one time; 0: as many as there are workers"),
     member<&F::throttle>(),
     kReserved},
    {whole(kInFolder, "tries", 1, 100, "attempts at a job whose worker dies, before the job fails"),
     member<&F::tries>(),
     kReserved},
    {duration(kInFolder,
              "stall",
              kSecond,
              7 * kDay,
              "time without progress after which a worker is stopped"),
     member<&F::stall>(),
     kReserved},
};

constexpr Field kSeparationsMap =
    map_of(kInSeparations, kInFolder, "separations", "files that are the inks of one page each");
constexpr FolderRow kSeparationsRows[] = {
    {required(make_field(
         FieldType::kInks, kInSeparations, "inks", "names of the inks; a page needs all of them")),
     member<kSeparations, &SeparationSets::inks>()},
    {make_field(
         FieldType::kInkPattern,
         kInSeparations,
         "pattern",
         "pattern of the file names, with {page} and {ink}; files that fit it belong to a set"),
     member<kSeparations, &SeparationSets::pattern>()},
    {duration(kInSeparations,
              "wait",
              100,
              30 * kDay,
              "time after which an incomplete set is moved to incomplete/"),
     member<kSeparations, &SeparationSets::wait>()},
};

constexpr std::string_view kTickets[] = {"optional", "required"};
constexpr std::string_view kRedrops[] = {"skip", "print"};
constexpr std::string_view kClashes[] = {"refuse", "replace"};
constexpr FolderRow kArrivals[] = {
    {one_of(kInFolder,
            "tickets",
            words<kTickets>,
            "whether pages may come without a ticket that names them"),
     word_of<kTickets, &F::needs_tickets>()},
    {one_of(kInFolder,
            "redrops",
            words<kRedrops>,
            "whether files with the content of an earlier job, whose plates still stand, are "
            "skipped or printed again"),
     word_of<kRedrops, &F::print_again>()},
    {one_of(kInFolder,
            "name_clashes",
            words<kClashes>,
            "whether a page fails whose plates would replace those of another page, or they are "
            "replaced"),
     word_of<kClashes, &F::replaces_others>()},
};

constexpr double kMostKept = 36500 * kDay;
constexpr Field kKeepMap =
    map_of(kInKeep, kInFolder, "keep", "how long files of finished jobs are kept; 0 s: for ever");
constexpr FolderRow kKeepRows[] = {
    {duration(kInKeep, "done", 0, kMostKept, "inputs of jobs that were printed"),
     member<&F::keep_done>(),
     kReserved | kWholeSeconds},
    {duration(kInKeep, "failed", 0, kMostKept, "inputs of jobs that failed"),
     member<&F::keep_failed>(),
     kReserved | kWholeSeconds},
};

constexpr FolderRow kDisk[] = {
    {ranged(FieldType::kByteSize,
            kInFolder,
            "reserve",
            0,
            1024 * kTiB,
            "space to leave free on the disk of the plates; jobs wait for it"),
     member<&F::reserve_bytes>(),
     kReserved},
};

constexpr FolderGroup kFolderGroups[] = {{nullptr, kPlates},
                                         {&kStabilityMap, kStabilityRows},
                                         {nullptr, kTurns},
                                         {&kSeparationsMap, kSeparationsRows},
                                         {nullptr, kArrivals},
                                         {&kKeepMap, kKeepRows},
                                         {nullptr, kDisk}};

}  // namespace

std::span<const FolderGroup> folder_groups() {
  return kFolderGroups;
}

std::span<const Field> folder_fields() {
  static std::deque<std::string> defaults;  // that the fields refer to
  static const std::vector<Field> all = [] {
    std::vector<Field> fields;
    for (const FolderGroup& group : folder_groups()) {
      if (group.map != nullptr) fields.push_back(*group.map);
      for (const FolderRow& row : group.rows) {
        fields.push_back(row.field);
        if (row.field.is_required) continue;
        const SettingValue usual = row.in.get(FolderSettings());
        fields.back().default_json = defaults.emplace_back(json_of(usual, row.field.type));
      }
    }
    return fields;
  }();
  return all;
}

}  // namespace mezzo::manifests
