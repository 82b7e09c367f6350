// Kinds of files by their first bytes.
#include "stages/files/content_kind.h"

#include <gtest/gtest.h>

#include <string>

namespace mezzo::files::content_kind_test {
namespace {

using namespace std::string_literals;

std::string kind_of(const std::string& head) {
  return std::string(kind_of_content(std::as_bytes(std::span(head))));
}

TEST(ContentKind, IsNamed) {
  EXPECT_EQ(kind_of("%PDF-1.7"), "a PDF file");
  EXPECT_EQ(kind_of("BM\x36\x10\0\0\0\0\0\0\x36\0\0\0"s), "a BMP file");
  EXPECT_EQ(kind_of("<svg xmlns='http"), "an SVG file");
  EXPECT_EQ(kind_of("<?xml version='1"), "an XML or SVG file");
  EXPECT_EQ(kind_of("<!DOCTYPE html>\n"), "an HTML page");
  EXPECT_EQ(kind_of("<html><head>"), "an HTML page");
  EXPECT_EQ(kind_of("\x1F\x8B\x08\0\0\0\0\0"s), "a gzip archive");
  EXPECT_EQ(kind_of("\x76\x2F\x31\x01\x02\0\0\0"s), "an OpenEXR file");
  EXPECT_EQ(kind_of("\0\0\0\x20"
                    "ftypavif\0\0\0\0"s),
            "an AVIF file");
  EXPECT_EQ(kind_of("II*\0\x08\0\0\0"s), "a TIFF file");
}

TEST(ContentKind, IsNotGuessed) {
  EXPECT_EQ(kind_of(""), "");
  EXPECT_EQ(kind_of("BMW: the name of a job"), "") << "a text";
  EXPECT_EQ(kind_of("II*\0"s), "") << "too short to be a TIFF file";
  EXPECT_EQ(kind_of("mezzotint: 1\njob"), "");
}

TEST(ContentKind, FindsTheStartOfATiffThatIsCutOff) {
  const auto begins = [](const std::string& head) {
    return begins_as_tiff(std::as_bytes(std::span(head)));
  };
  for (const std::string& head : {"II*\0"s, "MM\0*"s, "II+\0\x08"s, "MM\0+\0\x08\0\0\0"s}) {
    EXPECT_TRUE(begins(head)) << head;
  }
  for (const std::string& head : {""s, "II*"s, "%PDF-1.7"s}) EXPECT_FALSE(begins(head)) << head;
}

}  // namespace
}  // namespace mezzo::files::content_kind_test
