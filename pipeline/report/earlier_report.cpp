#include "pipeline/report/earlier_report.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <functional>
#include <map>
#include <utility>

#include "manifests/json/members.h"
#include "pipeline/report/page_picture.h"
#include "pipeline/report/report_json.h"
#include "pipeline/report/report_page.h"
#include "pipeline/run/result_json.h"
#include "pipeline/wall_time.h"
#include "stages/files/input_file.h"

namespace mezzo::report {
namespace {

// A report has up to some 20 KiB a sheet, most of it the timeline, and a job may have 10,000 sheets.
// Anyone may have written the file, so it is read a sheet at a time.
constexpr uint64_t kMostFileBytes = 256 << 20;
constexpr size_t kMostSheetBytes = 256 << 10;
constexpr uint64_t kMostPageBytes = 16 << 20;  // of report.html more is never written
constexpr size_t kPieceBytes = 64 << 10;

constexpr double kLongestSeconds = 1e9;    // 30 years
constexpr double kShortestSeconds = 1e-6;  // that a report can say beside 0
constexpr uint64_t kMostPixels = 1'000'000'000'000'000'000;

struct EarlierSheet {
  run::SheetResult result;
  std::string outcome;
};

void describe(json::Members& members, EarlierSheet& sheet) {
  run::describe(members, sheet.result);
  members("outcome", sheet.outcome);
}

struct EarlierReport {
  std::string finished;
  double seconds = 0;
  std::optional<MadeBefore> made;
  uint64_t made_pixels = 0;                   ///< by the run of this report itself
  std::map<size_t, run::SheetResult> sheets;  ///< those wanted, by their index in the result
};

void describe(json::Members& members, EarlierReport& report) {
  members.head("report", kReportVersion, 1);
  members("finished", report.finished);
  members("seconds", report.seconds);
  members("made", report.made);
}

/// The pieces of a file that lives at least as long.
json::NextPiece pieces_of(const files::InputFile& file) {
  return [&file, at = uint64_t{0}]() mutable {
    std::string piece(std::min<uint64_t>(kPieceBytes, file.size() - at), '\0');
    file.read(at, std::as_writable_bytes(std::span(piece)));
    at += piece.size();
    return piece;
  };
}

/// The same for a sheet in both reports, wherever it is in the order of the job.
std::string key_of(const run::SheetResult& sheet) {
  std::string key = json::valid_utf8(sheet.input);
  for (const uint32_t page : sheet.pages) key += "\n" + std::to_string(page);
  for (const run::PlateResult& plate : sheet.plates) key += "\n" + json::valid_utf8(plate.path);
  return key + "\n" + plates_key(sheet);
}

bool is_time(double seconds) {
  return seconds == 0 || (seconds >= kShortestSeconds && seconds <= kLongestSeconds);
}

bool is_activity(const run::Activity& activity) {
  return is_time(activity.begin) && is_time(activity.end) && is_time(activity.busy_seconds) &&
         activity.begin <= activity.end;
}

/// Whether a run can have taken these times.
bool are_times(const run::SheetResult& sheet) {
  return is_time(sheet.seconds) && is_time(sheet.begin_seconds) &&
         std::ranges::all_of(sheet.stages, is_time) &&
         sheet.timeline.size() <= run::Timeline::kStages * run::Timeline::kSlots &&
         std::ranges::all_of(sheet.timeline, is_activity);
}

bool is_run(const MadeBefore& made) {
  return is_time(made.seconds) && made.pixels > 0 && made.pixels <= kMostPixels &&
         parse_utc(made.finished).has_value();
}

EarlierReport read_report(const std::string& path,
                          const run::JobResult& result,
                          files::FileSystem& files) {
  std::multimap<std::string, size_t> wanted;
  for (size_t i = 0; i < result.sheets.size(); ++i) {
    if (result.sheets[i].already_done) wanted.emplace(key_of(result.sheets[i]), i);
  }
  EarlierReport report;
  const auto take_sheet = [&](const json::Value& value) {
    auto sheet = json::from_value<EarlierSheet>(value, json::Reading::kLenient);
    if (sheet.outcome != "good" || !are_times(sheet.result)) return;
    if (!sheet.result.already_done) report.made_pixels += sheet.result.pixels;
    const auto [begin, end] = wanted.equal_range(key_of(sheet.result));
    sheet.result.plates.clear();
    sheet.result.notes.clear();
    sheet.result.warnings.clear();
    sheet.result.side_files.clear();
    for (auto known = begin; known != end; ++known) {
      report.sheets.emplace(known->second, sheet.result);
    }
    wanted.erase(begin, end);
  };
  const files::InputFile file(path, kMostFileBytes, files);
  const json::Value rest =
      json::parse_items(pieces_of(file), "sheets", kMostSheetBytes, take_sheet);
  json::read_value(rest, json::Reading::kLenient, report);
  return report;
}

void take_over_times(const EarlierReport& report, run::JobResult& result, ReportData& data) {
  const bool made_nothing =
      result.all_good() && std::ranges::all_of(result.sheets, &run::SheetResult::already_done);
  for (const auto& [index, before] : report.sheets) {
    run::SheetResult& sheet = result.sheets[index];
    sheet.input_bytes = before.input_bytes;
    sheet.seconds = before.seconds;
    sheet.stages = before.stages;
    sheet.verified = before.verified;
    if (!made_nothing) continue;
    sheet.begin_seconds = before.begin_seconds;
    sheet.timeline = before.timeline;
  }
  if (!made_nothing || report.sheets.empty()) return;
  data.made = report.made.value_or(MadeBefore{report.finished, report.seconds, report.made_pixels});
  if (!is_run(*data.made)) data.made.reset();
}

std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const size_t at = text.find(begin);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + begin.size());
  return text.substr(0, text.find(end));
}

std::string_view attribute(std::string_view tag, const std::string& name) {
  return between(tag, " " + name + "=\"", "\"");
}

uint32_t number(std::string_view text) {
  uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string image_uri(std::string_view tag) {
  const std::string uri(attribute(tag, "src"));
  return is_image_uri(uri) ? uri : "";
}

/// The pictures of a page, from the element that sheet_section() writes for it.
PagePicture picture_of(std::string_view element) {
  PagePicture picture;
  picture.page = number(attribute(element, "data-page"));
  for (size_t at = 0; (at = element.find("<img ", at)) != std::string_view::npos; ++at) {
    const std::string_view tag = element.substr(at, element.substr(at).find('>'));
    const uint32_t width = number(attribute(tag, "width"));
    const uint32_t height = number(attribute(tag, "height"));
    if (tag.find("data-x=") != std::string_view::npos) {
      picture.dots = image_uri(tag);
      picture.dots_width_px = width;
      picture.dots_height_px = height;
      picture.dots_x = number(attribute(tag, "data-x"));
      picture.dots_y = number(attribute(tag, "data-y"));
    } else {
      (picture.contone.empty() ? picture.contone : picture.plate) = image_uri(tag);
      picture.width_px = width;
      picture.height_px = height;
    }
  }
  return picture;
}

struct SheetPictures {
  size_t pages = 0;  ///< of the sheet
  std::vector<PagePicture> pictures;
};

/// By the plates of their sheet.
using Pictures = std::map<std::string, SheetPictures>;

/// Gives `take` the elements of pictures in the text, which keeps what may be the start of another.
void take_elements(std::string& text, const std::function<void(std::string_view)>& take) {
  constexpr std::string_view kBegin = "<div class=\"pictures\" ";
  size_t at = 0;
  for (;;) {
    const size_t begin = text.find(kBegin, at);
    if (begin == std::string::npos) {
      at = std::max(at, text.size() - std::min(text.size(), kBegin.size()));
      break;
    }
    at = begin;
    const size_t end = text.find("</div>", begin);
    if (end == std::string::npos) break;
    take(std::string_view(text).substr(begin, end - begin));
    at = end;
  }
  text.erase(0, at);
}

Pictures read_pictures(const std::string& path, const ReportData& data) {
  Pictures known;
  for (const run::SheetResult& sheet : data.result.sheets) {
    if (!sheet.already_done || sheet.index >= kMostSections) continue;
    size_t& pages = known[plates_key(sheet)].pages;
    pages = std::max(pages, data.plan.sheets[sheet.index].pages.size());
  }
  size_t bytes = 0;
  const auto take = [&](std::string_view element) {
    const auto found = known.find(std::string(attribute(element, "data-plates")));
    if (found == known.end() || bytes > kMostPictureBytes) return;
    PagePicture picture = picture_of(element);
    auto& [pages, pictures] = found->second;
    const bool is_known = std::ranges::count(pictures, picture.page, &PagePicture::page) > 0;
    if (is_known || picture.page >= pages || picture.contone.empty()) return;
    bytes += bytes_of(picture);
    pictures.push_back(std::move(picture));
  };
  const files::InputFile file(path, kMostPageBytes, *data.plan.files);
  const json::NextPiece next = pieces_of(file);
  std::string text;
  for (std::string piece = next(); !piece.empty(); piece = next()) {
    take_elements(text += piece, take);
    if (text.size() > kMostPictureBytes) break;
  }
  return known;
}

void take_over_pictures(const Pictures& known, size_t bytes, ReportData& data) {
  for (const run::SheetResult& sheet : data.result.sheets) {
    const auto found = known.find(plates_key(sheet));
    if (!sheet.already_done || found == known.end() || sheet.index >= kMostSections) continue;
    for (const PagePicture& picture : found->second.pictures) {
      if (picture.page >= data.plan.sheets[sheet.index].pages.size()) continue;
      bytes += bytes_of(picture);
      if (bytes > kMostPictureBytes) {
        data.pictures_left_out = true;
        return;
      }
      data.pictures[sheet.index].push_back(picture);
    }
  }
}

void take_over_notes(run::JobResult& result, const plan::JobPlan& plan) {
  for (run::SheetResult& sheet : result.sheets) {
    if (!sheet.already_done) continue;
    for (const PageInfo& info : plan.sheets[sheet.index].infos) {
      sheet.notes.insert(sheet.notes.end(), info.notes.begin(), info.notes.end());
    }
    std::ranges::sort(sheet.notes);
    sheet.notes.erase(std::unique(sheet.notes.begin(), sheet.notes.end()), sheet.notes.end());
  }
}

}  // namespace

void take_over(const std::string& folder,
               size_t picture_bytes,
               run::JobResult& result,
               ReportData& data) {
  if (std::ranges::none_of(result.sheets, &run::SheetResult::already_done)) return;
  take_over_notes(result, data.plan);
  files::FileSystem& files = *data.plan.files;
  try {
    take_over_times(read_report(folder + "/report.json", result, files), result, data);
    take_over_pictures(read_pictures(folder + "/report.html", data), picture_bytes, data);
  } catch (const std::exception&) {
    // There is none, or another file has its name: the plates are right all the same.
  }
}

}  // namespace mezzo::report
