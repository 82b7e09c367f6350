#include "pipeline/report/job_report.h"

#include <utility>

#include "pipeline/report/earlier_report.h"
#include "pipeline/report/page_picture.h"
#include "pipeline/report/report_json.h"
#include "pipeline/report/report_page.h"
#include "pipeline/report/thumbnail.h"
#include "pipeline/run/ink_use.h"
#include "stages/files/publish.h"
#include "stages/tiff/plate/file_origin.h"

namespace mezzo::report {
namespace {

/// Throws Error(kUsage) if a file of the report would replace one that mezzotint did not write. The CSV file and
/// the thumbnail have no mark: beside a report of mezzotint they are taken for its own.
void refuse_foreign_files(const std::string& folder, files::FileSystem& files) {
  for (const char* name : {"/report.json", "/report.html"}) {
    if (tiff::origin_of_file(folder + name, files) == tiff::FileOrigin::kOther) return;
  }
  for (const char* name : {"report.json", "report.html", "ink_use.csv", kThumbnailName}) {
    const std::string path = folder + "/" + name;
    if (tiff::may_replace(tiff::origin_of_file(path, files), tiff::FileOrigin::kOther)) continue;
    throw Error(ErrorKind::kUsage,
                path + ": this file is no report of mezzotint, and would be replaced",
                "give the report another folder, or move the file away");
  }
}

}  // namespace

JobReport::JobReport(const plan::JobPlan& plan, std::string folder)
    : plan_(plan), folder_(std::move(folder)), pictures_(plan.sheets.size()) {
  for (const plan::SheetPlan& sheet : plan.sheets) pages_ += sheet.pages.size();
  refuse_foreign_files(folder_, *plan.files);
  // Removed again here.
  const files::PendingFile can_be_written(
      folder_ + "/report.html", files::ExistingFile::kReplace, *plan.files);
}

void JobReport::page_seen(const plan::SheetPlan& sheet, size_t page, PreviewImages pictures) {
  {
    const std::lock_guard lock(mutex_);
    if (left_out_) return;
  }
  PagePicture picture = encode_page(sheet, page, pictures, pages_ <= kPagesInFull);
  const size_t bytes = bytes_of(picture);
  const std::lock_guard lock(mutex_);
  // A sheet that waited for space on its disk is made from its start.
  auto& pictures_of_sheet = pictures_[static_cast<size_t>(&sheet - plan_.sheets.data())];
  std::erase_if(pictures_of_sheet, [&](const PagePicture& one) {
    if (one.page == page) picture_bytes_ -= bytes_of(one);
    return one.page == page;
  });
  if (left_out_ || picture_bytes_ + bytes > kMostPictureBytes) {
    left_out_ = true;
    return;
  }
  picture_bytes_ += bytes;
  pictures_of_sheet.push_back(std::move(picture));
}

void JobReport::write(const run::JobResult& result,
                      const std::optional<run::Failure>& not_started) {
  const std::lock_guard lock(mutex_);
  run::JobResult whole = result;
  ReportData data{
      plan_, whole, not_started, std::chrono::system_clock::now(), pictures_, left_out_};
  take_over(folder_, picture_bytes_, whole, data);
  write_report(folder_, data);
}

void write_report(const std::string& folder, const ReportData& data) {
  files::FileSystem& files = *data.plan.files;
  files::write_whole_file(folder + "/report.json", report_json(data), files);
  files::write_whole_file(folder + "/report.html", report_page(data), files);
  const std::vector<run::InkUse> ink_use = run::ink_use_of(data.result.sheets);
  const std::string table = folder + "/ink_use.csv";
  if (ink_use.empty()) {
    files.unlink(table);  // of an earlier report
  } else {
    files::write_whole_file(table, run::ink_use_csv(ink_use), files);
  }
  const std::string thumbnail = folder + "/" + kThumbnailName;
  const std::string picture = thumbnail_file(data);
  if (picture.empty()) {
    files.unlink(thumbnail);  // of an earlier report
  } else {
    files::write_whole_file(thumbnail, picture, files);
  }
}

}  // namespace mezzo::report
