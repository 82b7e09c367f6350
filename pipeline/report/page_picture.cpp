#include "pipeline/report/page_picture.h"

#include "pipeline/report/compose.h"
#include "pipeline/report/page_jpeg.h"
#include "pipeline/report/page_png.h"

namespace mezzo::report {

PagePicture encode_page(size_t page, const PreviewImages& images, bool in_full) {
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
