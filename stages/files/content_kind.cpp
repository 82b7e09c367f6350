#include "stages/files/content_kind.h"

#include <algorithm>
#include <array>

namespace mezzo::files {
namespace {

using namespace std::string_view_literals;

struct Signature {
  size_t at;
  std::string_view bytes;
  std::string_view kind;
  std::string_view first = {};  ///< bytes at the start, too
};

constexpr std::string_view kTiff = "a TIFF file";
constexpr size_t kTiffHeadBytes = 8;

constexpr std::array kSignatures = {
    Signature{0, "II*\0"sv, kTiff},
    Signature{0, "MM\0*"sv, kTiff},
    Signature{0, "II+\0"sv, kTiff},
    Signature{0, "MM\0+"sv, kTiff},
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
    Signature{4, "ftypavif"sv, "an AVIF file"},
    Signature{0, "\x76\x2F\x31\x01"sv, "an OpenEXR file"},
    Signature{6, "\0\0\0\0"sv, "a BMP file", "BM"sv},
    Signature{0, "PK\x03\x04"sv, "a ZIP archive"},
    Signature{0, "\x1F\x8B"sv, "a gzip archive"},
    Signature{0, "<svg"sv, "an SVG file"},
    Signature{0, "<?xml"sv, "an XML or SVG file"},
    Signature{0, "<!doctype html"sv, "an HTML page"},
    Signature{0, "<!DOCTYPE html"sv, "an HTML page"},
    Signature{0, "<html"sv, "an HTML page"},
};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string_view kind_of_content(std::span<const std::byte> head) {
  const std::string_view text = text_of(head);
  for (const Signature& signature : kSignatures) {
    const bool is_it = text.size() > signature.at && text.starts_with(signature.first) &&
                       text.substr(signature.at).starts_with(signature.bytes);
    if (!is_it) continue;
    // A shorter one is cut, and no TIFF.
    if (signature.kind == kTiff && text.size() < kTiffHeadBytes) return {};
    return signature.kind;
  }
  return {};
}

bool begins_as_tiff(std::span<const std::byte> head) {
  return std::ranges::any_of(kSignatures, [&](const Signature& signature) {
    return signature.kind == kTiff && text_of(head).starts_with(signature.bytes);
  });
}

}  // namespace mezzo::files
