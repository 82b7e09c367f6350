#include "pipeline/report/page_jpeg.h"

#include <jpeglib.h>
#include <stddef.h>
#include <stdio.h>  // before jpeglib.h, which does not include what it needs

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <memory>
#include <vector>

#include "kernels/base/error.h"
#include "pipeline/report/page_png.h"

namespace mezzo::report {
namespace {

constexpr int kQuality = 82;

struct Trouble {
  jpeg_error_mgr manager;
  jmp_buf back;
};

[[noreturn]] void give_up(j_common_ptr jpeg) {
  longjmp(reinterpret_cast<Trouble*>(jpeg->err)->back, 1);
}

void say_nothing(j_common_ptr) {}

/// False when libjpeg gave up, by a jump that passes over no destructor. `file` points to `bytes`
/// of room; when they do not suffice, to memory for free().
bool write_jpeg(
    const ColourImage& image, bool grey, JSAMPLE* row, unsigned char*& file, unsigned long& bytes) {
  jpeg_compress_struct jpeg{};
  Trouble trouble{};
  jpeg.err = jpeg_std_error(&trouble.manager);
  trouble.manager.error_exit = give_up;
  trouble.manager.output_message = say_nothing;
  if (setjmp(trouble.back) != 0) {
    jpeg_destroy_compress(&jpeg);
    return false;
  }
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, &file, &bytes);
  jpeg.image_width = image.width_px;
  jpeg.image_height = image.height_px;
  jpeg.input_components = grey ? 1 : 3;
  jpeg.in_color_space = grey ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, kQuality, TRUE);
  jpeg.optimize_coding = TRUE;
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    const Rgb* pixels = image.pixels.data() + size_t{jpeg.next_scanline} * image.width_px;
    for (size_t x = 0; x < image.width_px; ++x) {
      if (grey) {
        row[x] = pixels[x][0];
      } else {
        std::copy(pixels[x].begin(), pixels[x].end(), row + 3 * x);
      }
    }
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  return true;
}

}  // namespace

std::string jpeg_file(const ColourImage& image) {
  MZ_ASSERT(image.width_px > 0 && image.height_px > 0);
  const bool grey = std::ranges::all_of(
      image.pixels, [](const Rgb& pixel) { return pixel[0] == pixel[1] && pixel[1] == pixel[2]; });
  std::vector<JSAMPLE> row(size_t{image.width_px} * 3);
  // A picture hardly ever needs as much. Memory that libjpeg takes beyond it is lost should it then
  // give up: it does not say where its latest piece is.
  std::vector<unsigned char> room((size_t{64} << 10) + image.pixels.size() * 3);
  unsigned char* file = room.data();
  unsigned long bytes = room.size();
  const bool good = write_jpeg(image, grey, row.data(), file, bytes);
  const std::unique_ptr<unsigned char, void (*)(void*)> owner(
      good && file != room.data() ? file : nullptr, std::free);
  if (!good) {
    throw Error(ErrorKind::kOutOfMemory, "out of memory while making a picture for the report");
  }
  return {reinterpret_cast<const char*>(file), bytes};
}

std::string jpeg_uri(const ColourImage& image) {
  return "data:image/jpeg;base64," + base64(jpeg_file(image));
}

}  // namespace mezzo::report
