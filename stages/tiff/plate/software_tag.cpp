#include "stages/tiff/plate/software_tag.h"

#include <tiffio.h>

#include <limits>

#include "kernels/base/error.h"
#include "stages/files/input_file.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/plate/codec.h"

namespace mezzo::tiff {

std::string software_of(const std::string& path) {
  try {
    const files::InputFile file(path, std::numeric_limits<uint64_t>::max());
    const Handle handle(file, path, "rmc", kMaxPlateAllocation);
    const char* name = nullptr;
    const bool has_name = handle.get() != nullptr &&
                          TIFFGetField(handle.get(), TIFFTAG_SOFTWARE, &name) == 1 &&
                          name != nullptr;
    return has_name ? name : "";
  } catch (const Error&) {
    return {};
  }
}

}  // namespace mezzo::tiff
