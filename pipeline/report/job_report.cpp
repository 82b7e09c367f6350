#include "pipeline/report/job_report.h"

#include <span>
#include <utility>

#include "pipeline/report/compose.h"
#include "pipeline/report/page_jpeg.h"
#include "pipeline/report/page_png.h"
#include "pipeline/report/report_json.h"
#include "pipeline/report/report_page.h"
#include "stages/publish.h"

namespace mezzo {
namespace {

constexpr size_t kPagesInFull = 160;  // of a job: at up to 60 KiB each, less than 10 MB
constexpr size_t kMostPictureBytes = 7'500'000;

PagePicture encoded(size_t page, const PreviewImages& images, bool in_full) {
  ColourImage contone = compose(images.inks, &PreviewImages::Ink::contone);
  ColourImage plate = compose(images.inks, &PreviewImages::Ink::plate);
  if (!in_full) {
    contone = halved(contone);
    plate = halved(plate);
  }
  PagePicture picture;
  picture.page = page;
  picture.width_px = contone.width_px;
  picture.height_px = contone.height_px;
  picture.contone = jpeg_uri(contone);
  picture.plate = jpeg_uri(plate);
  if (!in_full) return picture;
  const IndexedImage dots = compose_dots(images.inks);
  picture.dots_width_px = dots.width_px;
  picture.dots_height_px = dots.height_px;
  picture.dots_x = images.dots_x;
  picture.dots_y = images.dots_y;
  picture.dots = "data:image/png;base64," + base64(png_file(dots));
  return picture;
}

void write_file(const std::string& path, const std::string& text, FileSystem& files) {
  PendingFile file(path, ExistingFile::kReplace, files);
  if (const int error = file.write_at(0, std::as_bytes(std::span(text))); error != 0) {
    throw file_error(path, "writing the report", error);
  }
  file.sync();
  file.publish();
  file.settle();
}

}  // namespace

JobReport::JobReport(const JobPlan& plan, std::string folder)
    : plan_(plan), folder_(std::move(folder)), pictures_(plan.sheets.size()) {
  for (const SheetPlan& sheet : plan.sheets) pages_ += sheet.pages.size();
  // Removed again here.
  const PendingFile can_be_written(folder_ + "/report.html", ExistingFile::kReplace, *plan.files);
}

void JobReport::page_seen(const SheetPlan& sheet, size_t page, PreviewImages pictures) {
  {
    const std::lock_guard lock(mutex_);
    if (left_out_) return;
  }
  PagePicture picture = encoded(page, pictures, pages_ <= kPagesInFull);
  const auto bytes_of = [](const PagePicture& one) {
    return one.contone.size() + one.plate.size() + one.dots.size();
  };
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

void JobReport::write(const JobResult& result, const std::optional<Failure>& not_started) {
  const std::lock_guard lock(mutex_);
  const ReportData data{
      plan_, result, not_started, std::chrono::system_clock::now(), pictures_, left_out_};
  write_file(folder_ + "/report.json", report_json(data), *plan_.files);
  write_file(folder_ + "/report.html", report_page(data), *plan_.files);
}

}  // namespace mezzo
