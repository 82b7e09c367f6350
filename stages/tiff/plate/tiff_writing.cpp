#include "stages/tiff/plate/tiff_writing.h"

#include "kernels/base/error.h"
#include "stages/tiff/plate/codecs.h"

namespace mezzo::tiff {

bool set_codec(TIFF* tiff, Compression compression) {
  const Codec& codec = codec_of(compression);
  if (TIFFSetField(tiff, TIFFTAG_COMPRESSION, codec.tiff_number) != 1) return false;
  return codec.level.tag == 0 || TIFFSetField(tiff, codec.level.tag, codec.level.level) == 1;
}

void check_written(const Handle& handle, const files::PendingFile& file, std::string_view doing) {
  if (file.error_number() != 0) throw files::file_error(file.path(), doing, file.error_number());
  if (handle.messages().errors() == 0) return;
  throw Error(ErrorKind::kIo,
              file.path() + ": " + std::string(doing) +
                  " failed: libtiff says: " + handle.messages().first_error());
}

}  // namespace mezzo::tiff
