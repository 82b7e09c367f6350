// Pages and jobs for the tests of plans.
#pragma once

#include <filesystem>
#include <string>

#include "manifests/job.h"
#include "manifests/path_template.h"
#include "tests/stages/tiff/read/raw_tiff.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {

/// A file of so many pages, 8 x 4 pixels each: grey, or with 4 planes CMYK.
inline void write_pages(const std::string& path, uint32_t pages, uint32_t planes = 1) {
  RawTiff tiff;
  for (uint32_t i = 0; i < pages; ++i) {
    RawTags tags = plain_tags();
    tags[258].assign(planes, 8);
    tags[262] = {planes == 4 ? 5U : 1U};
    tags[273] = {tiff.size()};
    tags[277] = {planes};
    tags[279] = {32 * planes};
    tiff.append(std::string(32 * planes, static_cast<char>(40 * i)));
    tiff.add_directory(tags);
  }
  tiff.save(path);
}

/// A page of a job as resolve() gives it.
inline manifests::JobPage job_page(const std::string& folder,
                                   const std::string& input,
                                   const std::string& plate) {
  manifests::JobPage page;
  page.input = folder + "/" + input;
  page.stem = std::filesystem::path(input).stem().string();
  page.settings.halftone.engine = Engine::kCpu;
  page.settings.output.path = manifests::resolve_plate_template(plate, folder, page.stem, "job");
  page.place = {3, 5};
  return page;
}

/// Another working folder, for a while.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& path) { std::filesystem::current_path(path); }
  ~WorkingFolder() { std::filesystem::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
};

}  // namespace mezzo::test
