#include "pipeline/cluster/picture_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "manifests/json/members.h"
#include "pipeline/log/log.h"
#include "pipeline/report/page_picture.h"
#include "pipeline/report/report_page.h"
#include "stages/files/input_file.h"
#include "stages/files/publish.h"

namespace mezzo::cluster {
namespace {

constexpr uint64_t kMostFileBytes = 1 << 20;  // some ten times a page's file

std::string picture_path(const ClusterPlan& plan, size_t sheet, size_t page) {
  return fmt::format("{}/pictures/{}-{}.json", plan.path, sheet, page);
}

size_t pages_of(const ClusterPlan& plan) {
  size_t pages = 0;
  for (const PlannedSheet& sheet : plan.sheets) pages += sheet.page.pages.size();
  return pages;
}

/// A file of one picture.
struct KeptPicture {
  std::string input;
  report::PagePicture picture;
  std::string attempt;
};

void describe(json::Members& members, KeptPicture& kept) {
  report::PagePicture& picture = kept.picture;
  members.head("picture", 1);
  members("input", kept.input);
  members("page", picture.page);
  members("width_px", picture.width_px);
  members("height_px", picture.height_px);
  members("contone", picture.contone);
  members("plate", picture.plate);
  members("dots_width_px", picture.dots_width_px);
  members("dots_height_px", picture.dots_height_px);
  members("dots_x", picture.dots_x);
  members("dots_y", picture.dots_y);
  members("dots", picture.dots);
  members.maybe("attempt", kept.attempt);
}

}  // namespace

PictureKeeper::PictureKeeper(const ClusterPlan& plan, std::string attempt)
    : plan_(plan), attempt_(std::move(attempt)), in_full_(pages_of(plan) <= report::kPagesInFull) {}

void PictureKeeper::set_job_plan(const plan::JobPlan& job_plan, std::vector<uint32_t> sheets) {
  job_plan_ = &job_plan;
  sheets_ = std::move(sheets);
}

void PictureKeeper::page_seen(const plan::SheetPlan& sheet, size_t page, PreviewImages pictures) {
  if (!plan_.pictures) return;
  MZ_ASSERT(job_plan_ != nullptr && sheets_.size() == job_plan_->sheets.size());
  const uint32_t index = sheets_[static_cast<size_t>(&sheet - job_plan_->sheets.data())];
  if (index >= report::kMostSections) return;
  const std::string path = picture_path(plan_, index, page);
  try {
    const KeptPicture kept{
        sheet.input, report::encode_page(sheet, page, pictures, in_full_), attempt_};
    files::write_whole_file(path, json::to_text(json::to_value(kept)) + "\n");
  } catch (const std::exception& error) {
    log::warn("the report will be without a picture: {}", error.what());
  }
}

std::optional<report::PagePicture> kept_picture(const ClusterPlan& plan,
                                                size_t sheet,
                                                size_t page) {
  try {
    const files::InputFile file(picture_path(plan, sheet, page), kMostFileBytes);
    std::string text(file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    auto [input, picture, attempt] =
        json::from_value<KeptPicture>(json::parse(text), json::Reading::kOpen);
    // The plan's folder may have had another plan before.
    if (input != plan.sheets[sheet].page.input || picture.page != page) return std::nullopt;
    for (const std::string* uri : {&picture.contone, &picture.plate, &picture.dots}) {
      if (!report::is_image_uri(*uri)) return std::nullopt;
    }
    return picture;
  } catch (const std::exception&) {
    return std::nullopt;  // a report does without
  }
}

}  // namespace mezzo::cluster
