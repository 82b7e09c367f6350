#include "pipeline/report/page_picture.h"

#include "pipeline/plan/side_files.h"
#include "pipeline/report/compose.h"
#include "pipeline/report/page_jpeg.h"
#include "pipeline/report/page_png.h"

namespace mezzo::report {

namespace {

/// Of the inks that pictures have, most often those of the sheet's plates.
proof::PrintColours colours_of(const plan::SheetPlan& sheet, const PreviewImages& images) {
  std::vector<std::string> inks;
  for (size_t k = 0; k < images.inks.size(); ++k) {
    const bool is_plate = k < sheet.plates.size() && sheet.plates[k].ink == images.inks[k].name;
    inks.push_back(is_plate ? plan::print_ink_of(sheet, k) : images.inks[k].name);
  }
  const auto& press = sheet.settings.press;
  const plan::KnownColours known = plan::colours_of(press ? &*press : nullptr, inks);
  return shown_colours(known.colours, known.unknown);
}

}  // namespace

PagePicture encode_page(const plan::SheetPlan& sheet,
                        size_t page,
                        const PreviewImages& images,
                        bool in_full) {
  const proof::PrintColours colours = colours_of(sheet, images);
  ColourImage contone = compose(images.inks, &PreviewImages::Ink::contone, colours);
  ColourImage plate = compose(images.inks, &PreviewImages::Ink::plate, colours);
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
  const IndexedImage dots = compose_dots(images.inks, colours);
  picture.dots_width_px = dots.width_px;
  picture.dots_height_px = dots.height_px;
  picture.dots_x = images.dots_x;
  picture.dots_y = images.dots_y;
  picture.dots = "data:image/png;base64," + base64(png_file(dots));
  return picture;
}

size_t bytes_of(const PagePicture& picture) {
  return picture.contone.size() + picture.plate.size() + picture.dots.size();
}

bool is_image_uri(std::string_view text) {
  constexpr std::string_view kBase64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  for (const std::string_view start : {"data:image/jpeg;base64,", "data:image/png;base64,"}) {
    if (!text.starts_with(start)) continue;
    return text.find_first_not_of(kBase64, start.size()) == std::string_view::npos;
  }
  return text.empty();
}

}  // namespace mezzo::report
