#include "tools/compare/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "tools/compare/html_page.h"

namespace mezzo::compare {
namespace {

ComparePage gather(const ComparedPages& pages,
                   const std::vector<NamedReport>& reports,
                   Team& team) {
  const PageInfo& info = pages.contone.info();
  ComparePage page;
  page.title = std::filesystem::path(pages.contone.file->path()).filename().string();
  page.width_px = info.width_px;
  page.height_px = info.height_px;
  std::vector<uint32_t> planes;  // those that something is compared with, in order of mention
  size_t place = 0;              // of the first plane's choice, and the same for all
  for (size_t i = 0; i < reports.size(); ++i) {
    const uint32_t plane = pages.planes[i];
    const auto known = std::ranges::find(planes, plane);
    const auto contone = static_cast<size_t>(known - planes.begin());
    if (known == planes.end()) {
      planes.push_back(plane);
      const PageImages images = read_page_images(pages.contone, plane, team);
      if (planes.size() == 1) {
        place = images.liveliest_place();
        page.dots = images.place(place);
        page.preview_scale = images.preview_scale();
      }
      const std::string ink = info.inks.size() == 1 ? "" : ", " + info.inks[plane];
      page.contones.push_back({page.title + ink, pictures_of(images, place)});
    }
    page.halftones.push_back({reports[i].name,
                              contone,
                              reports[i].viewing,
                              reports[i].report,
                              pictures_of(read_page_images(pages.halftones[i], 0, team), place)});
  }
  return page;
}

}  // namespace

std::unique_ptr<files::PendingFile> create_html(const std::string& path,
                                                files::ExistingFile existing,
                                                const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code not_there;
    if (std::filesystem::equivalent(path, input, not_there)) {
      throw Error(
          ErrorKind::kUsage,
          fmt::format("--html {}: this is one of the files to compare; choose another name", path));
    }
  }
  return std::make_unique<files::PendingFile>(path, existing);
}

void write_comparison_html(files::PendingFile& file,
                           const ComparedPages& pages,
                           const std::vector<NamedReport>& reports,
                           Team& team) {
  std::ostringstream out;
  write_compare_page(out, gather(pages, reports, team));
  const std::string text = std::move(out).str();
  pages.contone.file->check_unchanged();
  for (const OpenPage& halftone : pages.halftones) halftone.file->check_unchanged();
  if (const int error = file.write_at(0, std::as_bytes(std::span(text))); error != 0) {
    throw files::file_error(file.path(), "writing the page", error);
  }
  file.sync();
  file.publish();
  file.commit();
}

}  // namespace mezzo::compare
