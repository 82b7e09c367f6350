#include "pipeline/cluster/picture_keeper.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/report/page_picture.h"
#include "pipeline/report/report_page.h"
#include "stages/files/input_file.h"
#include "stages/files/publish.h"

namespace mezzo::cluster {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMostFileBytes = 1 << 20;  // some ten times what a page takes

std::string picture_path(const ClusterPlan& plan, size_t sheet, size_t page) {
  return fmt::format("{}/pictures/{}-{}.json", plan.path, sheet, page);
}

size_t pages_of(const ClusterPlan& plan) {
  size_t pages = 0;
  for (const PlannedSheet& sheet : plan.sheets) pages += sheet.page.pages.size();
  return pages;
}

Json picture_json(const std::string& input, const report::PagePicture& picture) {
  return {{"v", 1},
          {"type", "picture"},
          {"input", input},
          {"page", picture.page},
          {"width_px", picture.width_px},
          {"height_px", picture.height_px},
          {"contone", picture.contone},
          {"plate", picture.plate},
          {"dots_width_px", picture.dots_width_px},
          {"dots_height_px", picture.dots_height_px},
          {"dots_x", picture.dots_x},
          {"dots_y", picture.dots_y},
          {"dots", picture.dots}};
}

/// Whether it may be put into a page as it is: an image in base64, or nothing.
bool is_image_uri(const std::string& text) {
  constexpr std::string_view kBase64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  for (const std::string_view start : {"data:image/jpeg;base64,", "data:image/png;base64,"}) {
    if (!text.starts_with(start)) continue;
    return text.find_first_not_of(kBase64, start.size()) == std::string::npos;
  }
  return text.empty();
}

std::optional<report::PagePicture> parse_picture(const std::string& text,
                                                 const std::string& input,
                                                 size_t page) {
  const Json json = Json::parse(text);
  if (json.at("v") != 1 || json.at("type") != "picture") return std::nullopt;
  // The plan's folder may have had another plan before.
  if (json.at("input") != input || json.at("page") != page) return std::nullopt;
  report::PagePicture picture;
  picture.page = page;
  picture.width_px = json.at("width_px");
  picture.height_px = json.at("height_px");
  picture.contone = json.at("contone");
  picture.plate = json.at("plate");
  picture.dots_width_px = json.at("dots_width_px");
  picture.dots_height_px = json.at("dots_height_px");
  picture.dots_x = json.at("dots_x");
  picture.dots_y = json.at("dots_y");
  picture.dots = json.at("dots");
  for (const std::string* uri : {&picture.contone, &picture.plate, &picture.dots}) {
    if (!is_image_uri(*uri)) return std::nullopt;
  }
  return picture;
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
    Json json = picture_json(sheet.input, report::encode_page(page, pictures, in_full_));
    json["attempt"] = attempt_;
    files::write_whole_file(path, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  } catch (const std::exception& error) {
    spdlog::warn("the report will be without a picture: {}", error.what());
  }
}

std::optional<report::PagePicture> kept_picture(const ClusterPlan& plan,
                                                size_t sheet,
                                                size_t page) {
  try {
    const files::InputFile file(picture_path(plan, sheet, page), kMostFileBytes);
    std::string text(file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    return parse_picture(text, plan.sheets[sheet].page.input, page);
  } catch (const std::exception&) {
    return std::nullopt;  // a report does without
  }
}

}  // namespace mezzo::cluster
