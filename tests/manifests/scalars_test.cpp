#include "manifests/scalars.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace mezzo::test::scalars_test {
namespace {

/// One reading of one text: what comes out, or "refused".
struct Case {
  const char* reader;
  std::string text;
  std::string result;
};

template <typename T, typename Show>
std::string shown(const manifests::Parsed<T>& parsed, const Show& show) {
  EXPECT_EQ(parsed.value.has_value(), parsed.problem.empty());
  return parsed.value ? show(*parsed.value) : "refused";
}

std::string read(const std::string& reader, const std::string& text) {
  const auto whole = [](uint64_t value) { return std::to_string(value); };
  const auto real = [](double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", value);
    return std::string(buffer);
  };
  if (reader == "integer") return shown(manifests::parse_integer(text), whole);
  if (reader == "number") return shown(manifests::parse_number(text), real);
  if (reader == "from -1") return shown(manifests::parse_number_from(-1, false, text), real);
  if (reader == "whole from -1") return shown(manifests::parse_number_from(-1, true, text), real);
  if (reader == "from 0") return shown(manifests::parse_number_from(0, false, text), real);
  if (reader == "percent") return shown(manifests::parse_percent(text), real);
  if (reader == "size") return shown(manifests::parse_byte_size(text), whole);
  if (reader == "length") return shown(manifests::parse_length(text), whole);
  if (reader == "boolean") {
    return shown(manifests::parse_boolean(text), [](bool b) { return b ? "true" : "false"; });
  }
  if (reader == "sha256") {
    return shown(manifests::parse_sha256(text), [](const std::string& s) { return s; });
  }
  if (reader == "choice") {
    constexpr std::string_view kNames[] = {"spiral", "serpentine"};
    return shown(manifests::parse_choice(kNames, text), whole);
  }
  if (reader == "is number") return manifests::reads_as_number(text) ? "yes" : "no";
  return shown(manifests::parse_page_ranges(text), [](const std::vector<uint32_t>& pages) {
    std::string list;
    for (const uint32_t page : pages) list += (list.empty() ? "" : " ") + std::to_string(page);
    return list;
  });
}

const std::string kHex32 = "0123456789abcdef0123456789abcdef";

const Case kCases[] = {
    {"from -1", "-1", "-1"},
    {"from -1", "-0.5", "-0.5"},
    {"from -1", "0.25", "0.25"},
    {"from -1", "-0", "0"},
    {"from -1", "--1", "refused"},
    {"from -1", "-", "refused"},
    {"whole from -1", "-1", "-1"},
    {"whole from -1", "12", "12"},
    {"whole from -1", "-1.0", "refused"},
    {"from 0", "-1", "refused"},
    {"from 0", "1", "1"},
    {"integer", "0", "0"},
    {"integer", "7", "7"},
    {"integer", "1200", "1200"},
    {"integer", "18446744073709551615", "18446744073709551615"},
    {"integer", "18446744073709551616", "refused"},
    {"integer", "", "refused"},
    {"integer", "010", "refused"},
    {"integer", "00", "refused"},
    {"integer", "0x10", "refused"},
    {"integer", "0o17", "refused"},
    {"integer", "+1", "refused"},
    {"integer", "-1", "refused"},
    {"integer", "1_000", "refused"},
    {"integer", "1e3", "refused"},
    {"integer", "1.0", "refused"},
    {"integer", " 1", "refused"},
    {"integer", "1 ", "refused"},
    {"integer", "\xD9\xA3", "refused"},  // an Arabic digit three
    {"number", "2", "2"},
    {"number", "0.85", "0.84999999999999998"},
    {"number", "10.50", "10.5"},
    {"number", "0", "0"},
    {"number", ".5", "refused"},
    {"number", "5.", "refused"},
    {"number", "1,5", "refused"},
    {"number", "01.5", "refused"},
    {"number", "1e3", "refused"},
    {"number", ".nan", "refused"},
    {"number", "nan", "refused"},
    {"number", ".inf", "refused"},
    {"number", "inf", "refused"},
    {"number", "-2", "refused"},
    {"number", "0x1p3", "refused"},
    {"number", "1.2.3", "refused"},
    {"length", "3 mm", "3000"},
    {"length", "3mm", "3000"},
    {"length", "0 mm", "0"},
    {"length", "2.5 mm", "2500"},
    {"length", "0.001 mm", "1"},
    {"length", "0.125mm", "125"},
    {"length", "210.50 mm", "210500"},
    {"length", "1000000 mm", "1000000000"},
    {"length", "1000001 mm", "refused"},
    {"length", "0.0001 mm", "refused"},
    {"length", "3", "refused"},
    {"length", "mm", "refused"},
    {"length", " mm", "refused"},
    {"length", "3  mm", "refused"},
    {"length", "3. mm", "refused"},
    {"length", ".5 mm", "refused"},
    {"length", "1.2.3 mm", "refused"},
    {"length", "-1 mm", "refused"},
    {"length", "03 mm", "refused"},
    {"length", "1,5 mm", "refused"},
    {"length", "1e3 mm", "refused"},
    {"length", "3 cm", "refused"},
    {"length", "3 MM", "refused"},
    {"percent", "50%", "50"},
    {"percent", "50", "50"},
    {"percent", "12.5 %", "12.5"},
    {"percent", "150%", "150"},
    {"percent", "0%", "0"},
    {"percent", "%", "refused"},
    {"percent", "50%%", "refused"},
    {"percent", "50  %", "refused"},
    {"percent", "% 50", "refused"},
    {"percent", "-5%", "refused"},
    {"percent", "050%", "refused"},
    {"percent", "0", "0"},
    {"percent", "0.0", "0"},
    {"percent", "0.5", "refused"},
    {"percent", "1", "refused"},
    {"percent", "1%", "1"},
    {"percent", "0.5 %", "0.5"},
    {"percent", "1.5", "1.5"},
    {"boolean", "true", "true"},
    {"boolean", "false", "false"},
    {"boolean", "True", "refused"},
    {"boolean", "yes", "refused"},
    {"boolean", "on", "refused"},
    {"boolean", "off", "refused"},
    {"boolean", "no", "refused"},
    {"boolean", "1", "refused"},
    {"boolean", "", "refused"},
    {"choice", "spiral", "0"},
    {"choice", "serpentine", "1"},
    {"choice", "Spiral", "refused"},
    {"choice", "spiral ", "refused"},
    {"choice", "s", "refused"},
    {"choice", "1", "refused"},
    {"choice", "", "refused"},
    {"size", "1048576", "1048576"},
    {"size", "0", "0"},
    {"size", "1 GiB", "1073741824"},
    {"size", "256MiB", "268435456"},
    {"size", "512 MB", "512000000"},
    {"size", "4KiB", "4096"},
    {"size", "3 KB", "3000"},
    {"size", "2 GB", "2000000000"},
    {"size", "1 TB", "1000000000000"},
    {"size", "2 TiB", "2199023255552"},
    {"size", "16777215 TiB", "18446742974197923840"},
    {"size", "16777216 TiB", "refused"},
    {"size", "18446744073709551616", "refused"},
    {"size", "1 gb", "refused"},
    {"size", "1G", "refused"},
    {"size", "1 B", "refused"},
    {"size", "1.5 GiB", "refused"},
    {"size", "1  GiB", "refused"},
    {"size", "1 GiB ", "refused"},
    {"size", "1 ", "refused"},
    {"size", " 1", "refused"},
    {"size", "GiB", "refused"},
    {"size", "", "refused"},
    {"size", "-1 GiB", "refused"},
    {"size", "01 GiB", "refused"},
    {"sha256", kHex32 + kHex32, kHex32 + kHex32},
    {"sha256", "ABCDEF00" + kHex32 + kHex32.substr(8), "abcdef00" + kHex32 + kHex32.substr(8)},
    {"sha256", kHex32, "refused"},
    {"sha256", kHex32 + kHex32 + "0", "refused"},
    {"sha256", kHex32 + kHex32.substr(1) + "g", "refused"},
    {"sha256", "", "refused"},
    {"pages", "1", "0"},
    {"pages", "7", "6"},
    {"pages", "1-3", "0 1 2"},
    {"pages", "1-3, 7", "0 1 2 6"},
    {"pages", "1-3,7,9-10", "0 1 2 6 8 9"},
    {"pages", " 2 - 3 ", "1 2"},
    {"pages", "4096", "4095"},
    {"pages", "5-5", "4"},
    {"pages", "0", "refused"},
    {"pages", "0-3", "refused"},
    {"pages", "4097", "refused"},
    {"pages", "1-99999999999999999999", "refused"},
    {"pages", "3-1", "refused"},
    {"pages", "7, 1-3", "refused"},
    {"pages", "1, 1", "refused"},
    {"pages", "1-3, 3", "refused"},
    {"pages", "1,", "refused"},
    {"pages", ",1", "refused"},
    {"pages", "1-", "refused"},
    {"pages", "-3", "refused"},
    {"pages", "1-2-3", "refused"},
    {"pages", "01", "refused"},
    {"pages", "all", "refused"},
    {"pages", "", "refused"},
    {"is number", "12", "yes"},
    {"is number", "-3", "yes"},
    {"is number", "010", "yes"},
    {"is number", "0x1F", "yes"},
    {"is number", "0o17", "yes"},
    {"is number", "1e5", "yes"},
    {"is number", "1.", "yes"},
    {"is number", ".5", "yes"},
    {"is number", "-.inf", "yes"},
    {"is number", ".NaN", "yes"},
    {"is number", ".", "no"},
    {"is number", "", "no"},
    {"is number", "1-3", "no"},
    {"is number", "0xg", "no"},
    {"is number", "e5", "no"},
    {"is number", "1.2.3", "no"},
    {"is number", "a1", "no"},
    {"is number", "+", "no"},
};

TEST(Scalars, ReadExactlyWhatTheTableSays) {
  EXPECT_GE(std::size(kCases), 60U);
  for (const Case& c : kCases) {
    EXPECT_EQ(read(c.reader, c.text), c.result) << c.reader << " '" << c.text << "'";
  }
}

TEST(Scalars, WriteLengthsAsTheyAreRead) {
  for (const uint64_t length : {0U, 1U, 10U, 900U, 1'000U, 2'540U, 3'000U, 25'400U, 100'000'000U}) {
    EXPECT_EQ(manifests::parse_length(manifests::length_text(length)).value, length);
  }
  EXPECT_EQ(manifests::length_text(2'500), "2.5 mm");
  EXPECT_EQ(manifests::length_text(30'001), "30.001 mm");
}

TEST(Scalars, SayWhatWasFoundAndWhatToDo) {
  const auto size = manifests::parse_byte_size("1.5 GiB");
  EXPECT_EQ(size.problem, "must be a size such as 512 MiB or 1 GiB, found '1.5 GiB'");
  EXPECT_EQ(size.hint, "write a whole number, of a smaller unit: 1536 MiB, not 1.5 GiB");
  EXPECT_EQ(manifests::parse_length("3").problem, "must be a length such as 3 mm, found '3'");
  EXPECT_EQ(manifests::parse_length("3").hint, "write 3 mm");
  EXPECT_EQ(manifests::parse_length("1 in").hint,
            "lengths are in millimetres; an inch has 25.4 mm");
  EXPECT_EQ(manifests::parse_length("1.2345 mm").hint,
            "a thousandth of a millimetre is the finest step");
  EXPECT_EQ(manifests::parse_length("2,5 mm").hint, "write a point, not a comma: 0.5");
  const auto percent = manifests::parse_percent("0,5");
  EXPECT_EQ(percent.problem, "must be a percentage such as 50% or 12.5, found '0,5'");
  EXPECT_EQ(percent.hint, "write a point, not a comma: 0.5");
  EXPECT_EQ(manifests::parse_percent("0.07").hint,
            "write 7% if it is a fraction, or 0.07% if it is a percentage");
  const auto pages = manifests::parse_page_ranges("3-1");
  EXPECT_EQ(pages.problem, "must name pages such as 3 or 1-3, 7, found '3-1'");
  EXPECT_EQ(pages.hint, "a range runs upwards, from first to last");
  const auto digest = manifests::parse_sha256("abc");
  EXPECT_EQ(digest.problem, "must be the 64 hexadecimal digits of a SHA-256, found 3 of them");
  EXPECT_EQ(digest.hint, "sha256sum FILE prints them");
  EXPECT_EQ(manifests::parse_boolean("yes").hint, "write true");
  EXPECT_EQ(manifests::parse_integer("010").hint, "leave out the leading zero");
}

}  // namespace
}  // namespace mezzo::test::scalars_test
