#include "pipeline/run/result_json.h"

#include <cmath>
#include <limits>

#include "manifests/json/members.h"

namespace mezzo::run {
namespace {

struct Seconds {
  double& seconds;
};

struct StagesByName {
  StageSeconds& stages;
};

void transfer(json::Slot& slot, Seconds value) {
  if (slot.reads()) {
    json::transfer(slot, value.seconds);
  } else {
    slot.put(rounded(value.seconds));
  }
}

/// Stages that this program does not know are passed over, here and in timelines.
void transfer(json::Slot& slot, StagesByName value) {
  if (!slot.reads()) return slot.put(stage_seconds(value.stages));
  std::map<std::string, double> seconds;
  json::transfer(slot, seconds);
  for (size_t i = 0; i < kStageNames.size(); ++i) {
    const auto found = seconds.find(std::string(kStageNames[i]));
    if (found != seconds.end()) value.stages[i] = found->second;
  }
}

}  // namespace

static void transfer(json::Slot& slot, Activity& activity) {
  double* const times[] = {&activity.begin, &activity.end, &activity.busy_seconds};
  if (!slot.reads()) {
    json::Value list = json::Value::list();
    list.push_back(activity.stage);
    for (const double* time : times) list.push_back(rounded(*time));
    return slot.put(std::move(list));
  }
  const auto* list = slot.in().items();
  if (list == nullptr || list->size() < 4) return slot.fail("is not an activity");
  json::Slot stage(list->front(), slot, 0);
  activity.stage = stage.whole(std::numeric_limits<uint64_t>::max(), 0);
  for (size_t i = 0; i < 3; ++i) {
    json::Slot time((*list)[i + 1], slot, i + 1);
    json::transfer(time, *times[i]);
  }
}

void describe_content(json::Members& members, std::string& sum) {
  std::optional<std::string> by_xxh3, by_sum;
  if (!members.reads()) by_sum = sum;
  members("content_sum", by_sum);
  if (!members.reads()) return;
  members("content_xxh3", by_xxh3);
  sum = by_sum ? *by_sum : by_xxh3.value_or("");
}

static void describe(json::Members& members, SideFileResult& file) {
  members("kind", file.kind);
  members("path", file.path);
  uint32_t page = file.page + 1;
  members("page", page);
  if (members.reads()) file.page = page - 1;
  members("file_bytes", file.file_bytes);
  members("width_px", file.width_px);
  members("height_px", file.height_px);
  members("dpi", file.dpi);
  members("colours", file.colours);
  members("zones_path", file.zones_path);
  members("error", file.error);
  members("already_done", file.already_done);
}

static void describe(json::Members& members, PlateResult& plate) {
  members("ink", plate.ink);
  members("path", plate.path);
  members("compression", plate.compression);
  members("file_bytes", plate.file_bytes);
  describe_content(members, plate.content_sum);
  members("coverage_percent", plate.coverage_percent);
  std::optional<uint64_t> paper, solid, mended;
  if (const auto& protection = plate.protection) {
    paper = protection->paper_px;
    solid = protection->solid_px;
    mended = protection->mended_px;
  }
  members("protected_paper_px", paper);
  members("protected_solid_px", solid);
  members("mended_px", mended);
  if (members.reads() && paper) {
    plate.protection = {*paper, solid.value_or(0), mended.value_or(0)};
  }
  std::optional<uint64_t> printed, knocked_out;
  if (const auto& linework = plate.linework) {
    printed = linework->printed_px;
    knocked_out = linework->knocked_out_px;
  }
  members("linework_printed_px", printed);
  members("linework_knocked_out_px", knocked_out);
  std::optional<std::vector<uint64_t>> drops;
  if (!plate.drops.empty()) drops = plate.drops;
  members("drops_px", drops);
  members("volume_ml", plate.volume_ml);
  members("ink_cm2", plate.ink_cm2);
  members("ink_ml", plate.ink_ml);
  if (members.reads()) plate.drops = drops.value_or(std::vector<uint64_t>());
  if (members.reads() && printed) plate.linework = {*printed, knocked_out.value_or(0)};
}

/// Those that version 0.1 wrote have `verified` alone.
static void describe_verified(json::Members& members, std::optional<tiff::VerifyLevel>& level) {
  bool is_recomputed = level == tiff::VerifyLevel::kRecompute;
  std::optional<std::string> name;
  if (level) name = to_string(*level);
  members("verified", is_recomputed);
  members("verified_by", name);
  if (!members.reads()) return;
  if (name) level = tiff::verify_level_named(*name);
  if (is_recomputed) level = tiff::VerifyLevel::kRecompute;
}

static void describe(json::Members& members, InkAmount& ink) {
  members("limit_percent", ink.limit_percent);
  members("only_checked", ink.only_checked);
  members("px", ink.pixels);
  members("above_px", ink.above_px);
  members("changed_px", ink.changed_px);
  members("mean_percent", ink.mean_percent);
  members("most_percent", ink.most_percent);
  members("mean_after_percent", ink.mean_after_percent);
  members("most_after_percent", ink.most_after_percent);
}

void describe(json::Members& members, SheetResult& result) {
  members("input", result.input);
  members("pages", PageNumbers{result.pages});
  members("pixels", result.pixels);
  members("input_bytes", result.input_bytes);
  members("begin_seconds", Seconds{result.begin_seconds});
  members("seconds", Seconds{result.seconds});
  members("stage_seconds", StagesByName{result.stages});
  describe_verified(members, result.verified);
  members("already_done", result.already_done);
  members("ink_limit", result.ink);
  members("notes", result.notes);
  members("timeline", result.timeline);
  members("plates", result.plates);
  std::optional<std::vector<SideFileResult>> side_files;
  std::optional<std::vector<std::string>> warnings;
  if (!result.side_files.empty()) side_files = result.side_files;
  if (!result.warnings.empty()) warnings = result.warnings;
  members("side_files", side_files);
  members("warnings", warnings);
  if (members.reads()) {
    result.side_files = side_files.value_or(std::vector<SideFileResult>());
    result.warnings = warnings.value_or(std::vector<std::string>());
    std::erase_if(result.timeline,
                  [](const Activity& activity) { return activity.stage >= kStageNames.size(); });
  }
}

void transfer(json::Slot& slot, PageNumbers numbers) {
  if (!slot.reads()) return slot.put(page_numbers(numbers.pages));
  const auto* list = slot.in().items();
  if (list == nullptr) return slot.fail("is not a list");
  numbers.pages.clear();
  for (size_t i = 0; i < list->size(); ++i) {
    const uint64_t page = (*list)[i].whole().value_or(0);
    if (page - 1 >= std::numeric_limits<uint32_t>::max()) {
      return json::Slot((*list)[i], slot, i).fail("is not a page");
    }
    numbers.pages.push_back(static_cast<uint32_t>(page - 1));
  }
}

json::Value page_numbers(const std::vector<uint32_t>& pages) {
  json::Value list = json::Value::list();
  for (const uint32_t page : pages) list.push_back(uint64_t{page} + 1);
  return list;
}

json::Value stage_seconds(const StageSeconds& stages) {
  json::Value object = json::Value::object();
  for (size_t i = 0; i < stages.size(); ++i) object[kStageNames[i]] = rounded(stages[i]);
  return object;
}

double rounded(double seconds) {
  return std::round(1e6 * seconds) / 1e6;
}

}  // namespace mezzo::run
