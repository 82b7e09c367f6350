#include "pipeline/report/thumbnail.h"

#include <algorithm>
#include <string_view>

#include "pipeline/report/page_png.h"
#include "pipeline/report/report_page.h"

namespace mezzo::report {

std::string thumbnail_file(const ReportData& data) {
  const size_t sheets = std::min(data.pictures.size(), kMostSections);
  for (size_t i = 0; i < sheets; ++i) {
    if (data.pictures[i].empty() || outcome_of(data, i) != Outcome::kGood) continue;
    const std::string_view uri = data.pictures[i].front().contone;
    return from_base64(uri.substr(uri.find(',') + 1));
  }
  return "";
}

}  // namespace mezzo::report
