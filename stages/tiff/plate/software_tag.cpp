#include "stages/tiff/plate/software_tag.h"

#include <tiffio.h>

#include "stages/tiff/handle.h"
#include "stages/tiff/plate/tiff_writing.h"

namespace mezzo::tiff {

SoftwareTag software_tag_of(const files::InputFile& file) {
  const Handle handle(file, file.path(), "rmc", kMaxPlateAllocation);
  if (handle.get() == nullptr) return {};
  SoftwareTag tag{.is_readable = true, .software = {}};
  const char* name = nullptr;
  if (TIFFGetField(handle.get(), TIFFTAG_SOFTWARE, &name) == 1 && name != nullptr) {
    tag.software = name;
  }
  TIFFGetFieldDefaulted(handle.get(), TIFFTAG_BITSPERSAMPLE, &tag.bits_per_sample);
  return tag;
}

}  // namespace mezzo::tiff
