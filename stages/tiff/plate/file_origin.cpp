#include "stages/tiff/plate/file_origin.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>

#include "stages/files/content_kind.h"
#include "stages/files/input_file.h"
#include "stages/files/rename.h"
#include "stages/tiff/plate/software_tag.h"

namespace mezzo::tiff {
namespace {

constexpr size_t kHeadBytes = 4096;

/// Texts that identify this program's files, in their first kHeadBytes.
constexpr std::array<std::string_view, 11> kMarks = {
    std::string_view("tEXtSoftware\0mezzotint", 22),  // PNG
    "\n%mezzotint\n",                                 // PDF
    "<!-- mezzotint -->",                             // SVG
    "name=\"generator\" content=\"mezzotint",         // HTML
    "/mezzotint-thresholds",                          // PostScript
    "/CIP3AdmSoftware (mezzotint",                    // PPF
    "zone,left_mm,right_mm,",                         // CSV: the ink zones of a PPF
    "ORIGINATOR \"mezzotint",                         // CGATS
    "\"type\":\"report\",\"program\":\"mezzotint ",   // report.json
    "mezzotint colour table\n",
    "# Made by mezzotint",  // YAML
};

FileOrigin origin_of_content(const std::string& path, files::FileSystem& files) {
  const files::InputFile file(path, std::numeric_limits<uint64_t>::max(), files);
  std::string head(std::min<uint64_t>(file.size(), kHeadBytes), '\0');
  if (head.empty()) return FileOrigin::kUnreadable;
  file.read(0, std::as_writable_bytes(std::span(head)));
  if (files::begins_as_tiff(std::as_bytes(std::span(head)))) {
    const SoftwareTag tag = software_tag_of(file);
    if (!tag.is_readable) return FileOrigin::kUnreadable;
    if (tag.software != "mezzotint" && !tag.software.starts_with("mezzotint ")) {
      return FileOrigin::kForeign;
    }
    return tag.bits_per_sample < 8 ? FileOrigin::kPlate : FileOrigin::kOther;
  }
  const bool is_marked = std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return head.find(mark) != std::string::npos; });
  return is_marked ? FileOrigin::kOther : FileOrigin::kForeign;
}

}  // namespace

FileOrigin origin_of_file(const std::string& path, files::FileSystem& files) {
  struct stat found {};
  if (files.status(path, found) != 0 || !S_ISREG(found.st_mode)) return FileOrigin::kNone;
  FileOrigin origin = FileOrigin::kUnreadable;
  try {
    origin = origin_of_content(path, files);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it stays kUnreadable
  }
  const bool is_ours = origin == FileOrigin::kPlate || origin == FileOrigin::kOther;
  const bool is_left = !is_ours && files::is_abandoned_placeholder(files, path);
  return is_left ? FileOrigin::kNone : origin;
}

Error replaced_error(const std::string& path, FileOrigin origin, const std::string& remedy) {
  const char* what = "this file was not written by mezzotint";
  if (origin == FileOrigin::kPlate) what = "this file is a plate";
  if (origin == FileOrigin::kOther) what = "this file of mezzotint is not a plate";
  if (origin == FileOrigin::kUnreadable) what = "this file is empty or cannot be read";
  return Error(ErrorKind::kUsage,
               path + ": " + what + ", and would be replaced",
               "give another name, or " + remedy);
}

}  // namespace mezzo::tiff
