#include "pipeline/report/earlier_report.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <map>
#include <utility>

#include "manifests/json/members.h"
#include "pipeline/report/page_picture.h"
#include "pipeline/report/report_json.h"
#include "pipeline/report/report_page.h"
#include "pipeline/run/result_json.h"
#include "stages/files/input_file.h"

namespace mezzo::report {
namespace {

constexpr uint64_t kMostFileBytes = 16 << 20;  // of report.html more is never written

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
  std::vector<EarlierSheet> sheets;
};

void describe(json::Members& members, EarlierReport& report) {
  members.head("report", 1);
  members("finished", report.finished);
  members("seconds", report.seconds);
  members("made", report.made);
  members("sheets", report.sheets);
}

std::string content_of(const std::string& path, files::FileSystem& files) {
  const files::InputFile file(path, kMostFileBytes, files);
  std::string text(file.size(), '\0');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

/// The same for a sheet in both reports, wherever it is in the order of the job.
std::string key_of(const run::SheetResult& sheet) {
  std::string key = json::valid_utf8(sheet.input);
  for (const uint32_t page : sheet.pages) key += "\n" + std::to_string(page);
  return key + "\n" + plates_key(sheet);
}

/// The run that made the plates, when the run of `report` did.
MadeBefore made_by(const EarlierReport& report) {
  MadeBefore made{report.finished, report.seconds, 0};
  for (const EarlierSheet& sheet : report.sheets) {
    if (sheet.outcome == "good" && !sheet.result.already_done) made.pixels += sheet.result.pixels;
  }
  return made;
}

void take_over_times(const EarlierReport& report, run::JobResult& result, ReportData& data) {
  std::map<std::string, const run::SheetResult*> known;
  for (const EarlierSheet& sheet : report.sheets) {
    if (sheet.outcome == "good") known.emplace(key_of(sheet.result), &sheet.result);
  }
  const bool made_nothing =
      result.all_good() && std::ranges::all_of(result.sheets, &run::SheetResult::already_done);
  size_t found = 0;
  for (run::SheetResult& sheet : result.sheets) {
    const auto before = known.find(key_of(sheet));
    if (!sheet.already_done || before == known.end()) continue;
    ++found;
    sheet.input_bytes = before->second->input_bytes;
    sheet.seconds = before->second->seconds;
    sheet.stages = before->second->stages;
    sheet.verified = before->second->verified;
    if (!made_nothing) continue;
    sheet.begin_seconds = before->second->begin_seconds;
    sheet.timeline = before->second->timeline;
  }
  if (!made_nothing || found == 0) return;
  data.made = report.made ? *report.made : made_by(report);
  if (data.made->pixels == 0) data.made.reset();
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

/// By the plates of their sheet.
std::map<std::string, std::vector<PagePicture>> pictures_of(std::string_view page) {
  std::map<std::string, std::vector<PagePicture>> pictures;
  constexpr std::string_view kBegin = "<div class=\"pictures\" ";
  for (size_t at = 0; (at = page.find(kBegin, at)) != std::string_view::npos; ++at) {
    const std::string_view element = page.substr(at, page.substr(at).find("</div>"));
    std::vector<PagePicture>& of_sheet = pictures[std::string(attribute(element, "data-plates"))];
    PagePicture picture = picture_of(element);
    const bool is_known = std::ranges::count(of_sheet, picture.page, &PagePicture::page) > 0;
    if (!is_known && !picture.contone.empty()) of_sheet.push_back(std::move(picture));
  }
  return pictures;
}

void take_over_pictures(const std::string& page, size_t bytes, ReportData& data) {
  const auto known = pictures_of(page);
  for (const run::SheetResult& sheet : data.result.sheets) {
    const auto found = known.find(plates_key(sheet));
    if (!sheet.already_done || found == known.end() || sheet.index >= kMostSections) continue;
    for (const PagePicture& picture : found->second) {
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
    const std::string text = content_of(folder + "/report.json", files);
    take_over_times(
        json::from_value<EarlierReport>(json::parse(text), json::Reading::kLenient), result, data);
    take_over_pictures(content_of(folder + "/report.html", files), picture_bytes, data);
  } catch (const std::exception&) {
    // There is none, or another file has its name: the plates are right all the same.
  }
}

}  // namespace mezzo::report
