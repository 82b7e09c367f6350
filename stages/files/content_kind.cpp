#include "stages/files/content_kind.h"

#include <array>

namespace mezzo::files {
namespace {

using namespace std::string_view_literals;

struct Signature {
  size_t at;
  std::string_view bytes;
  std::string_view kind;
};

constexpr std::array kSignatures = {
    Signature{0, "II*\0"sv, "a TIFF file"},
    Signature{0, "MM\0*"sv, "a TIFF file"},
    Signature{0, "II+\0"sv, "a TIFF file"},
    Signature{0, "MM\0+"sv, "a TIFF file"},
    Signature{0, "%PDF-"sv, "a PDF file"},
    Signature{0, "%!PS"sv, "a PostScript file"},
    Signature{0, "\xC5\xD0\xD3\xC6"sv, "an EPS file"},
    Signature{0, "\xFF\xD8\xFF"sv, "a JPEG file"},
    Signature{0, "\0\0\0\x0CjP  "sv, "a JPEG 2000 file"},
    Signature{0, "\x89PNG\r\n"sv, "a PNG file"},
    Signature{0, "GIF8"sv, "a GIF file"},
    Signature{0, "8BPS"sv, "a Photoshop document"},
    Signature{8, "WEBP"sv, "a WebP file"},
    Signature{4, "ftypheic"sv, "a HEIC file"},
    Signature{0, "PK\x03\x04"sv, "a ZIP archive"},
};

}  // namespace

std::string_view kind_of_content(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  for (const Signature& signature : kSignatures) {
    if (text.size() > signature.at && text.substr(signature.at).starts_with(signature.bytes)) {
      return signature.kind;
    }
  }
  return {};
}

}  // namespace mezzo::files
