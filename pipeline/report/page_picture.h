// The pictures of a page as a report holds them: 20 to 60 KiB a page, less for jobs of many.
#pragma once

#include <cstddef>
#include <string_view>

#include "pipeline/report/report_data.h"
#include "stages/preview.h"

namespace mezzo::report {

/// Pages of a job whose pictures are shown in full: at up to 60 KiB each, less than 10 MB. Those of
/// longer jobs have half the sides, and no dots.
inline constexpr size_t kPagesInFull = 160;

/// The most that the pictures of a report may take, so that it can be mailed.
inline constexpr size_t kMostPictureBytes = 7'500'000;

/// `page` is that of the sheet. Throws Error(kOutOfMemory).
PagePicture encode_page(const plan::SheetPlan& sheet,
                        size_t page,
                        const PreviewImages& images,
                        bool in_full);

/// Bytes that the picture adds to a report.
size_t bytes_of(const PagePicture& picture);

/// Whether a picture that was read back may be put into a page as it is: an image in base64, or
/// nothing.
bool is_image_uri(std::string_view text);

}  // namespace mezzo::report
