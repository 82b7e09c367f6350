// Measurements: each mistake of measured/ with the whole text of its refusal in NAME.expected, and the
// forms of files that are read. To write the .expected files anew, run with MEZZOTINT_UPDATE=1.
#include "manifests/curve/read_measurement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "manifests/curve/join_wedge.h"
#include "tests/manifests/allocation_count.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::curve::read_measurement_test {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::string refusal(const manifests::Checked<Measurement>& parsed) {
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed);
  if (wrong == nullptr) return "accepted\n";
  std::string text;
  for (const Diagnostic& one : *wrong) {
    text += to_string(one) + "\n";
    EXPECT_TRUE(is_clean_text(one.message + one.hint)) << one.message;
  }
  return text;
}

TEST(InvalidMeasurements, AreRefusedWithTheWholeExpectedText) {
  size_t cases = 0;
  for (const auto& entry :
       fs::directory_iterator(test::source_folder() + "/tests/manifests/curve/measured")) {
    fs::path path = entry.path();
    if (path.extension() == ".expected") continue;
    ++cases;
    const std::string text =
        refusal(parse_measurement(content(path), path.filename().string(), {}));
    EXPECT_NE(text, "accepted\n") << path;
    path.replace_extension(".expected");
    if (std::getenv("MEZZOTINT_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(text, content(path)) << path;
  }
  EXPECT_GE(cases, 45U);
}

Measurement measured(const std::string& text, const ReadOptions& options = {}) {
  auto parsed = parse_measurement(text, "m.txt", options);
  EXPECT_EQ(refusal(parsed), "accepted\n");
  auto* good = std::get_if<Measurement>(&parsed);
  return good == nullptr ? Measurement{} : std::move(*good);
}

std::string table(const std::string& fields, const std::string& rows) {
  return "CGATS.17\nBEGIN_DATA_FORMAT\n" + fields + "\nEND_DATA_FORMAT\nBEGIN_DATA\n" + rows +
         "END_DATA\n";
}

TEST(Measurement, ReadsTabsQuotesCommentsAndKeywordsInAnyOrder) {
  const Measurement found = measured(
      "CGATS.17\t\nPRESS \"XL 106, board\" # ours\r\nKEYWORD \"SCREEN\"\r\nSCREEN \"am # 175\"\n"
      "INK cyan\nDPI 2400\nPAPER GC1\nCURVES none\n\nBEGIN_DATA_FORMAT SAMPLE_ID\n"
      "SAMPLE_NAME\tcmyk_c\n D_RED END_DATA_FORMAT\nNUMBER_OF_FIELDS 4\nBEGIN_DATA\n"
      "# a comment\nA1\t\"paper, white\"\t0\t+.07\n\nA2 \"\" 100 1.52e0 # solid\nEND_DATA\n"
      "NUMBER_OF_SETS 2\n");
  ASSERT_EQ(found.patches.size(), 2U);
  EXPECT_EQ(found.inks, std::vector<std::string>{"cyan"});
  EXPECT_EQ(found.patches[0].id, "A1");
  EXPECT_EQ(found.patches[0].place.line, 16U);
  EXPECT_EQ(found.patches[1].nominal, std::vector<double>{100});
  EXPECT_EQ(found.patches[1].densities[0], 1.52);
  EXPECT_FALSE(found.patches[1].densities[1].has_value());
  EXPECT_EQ(found.facts.press, "XL 106, board");
  EXPECT_EQ(found.facts.screens, std::vector<std::string>{"am # 175"});
  EXPECT_EQ(found.facts.dpi, 2400);
  EXPECT_EQ(found.facts.paper, "GC1");
  EXPECT_EQ(found.facts.curves, "none");
}

TEST(Measurement, ReadsTheMeasuredOneOfSeveralTablesAndOldLineEnds) {
  std::string text =
      "CTI3\n\nBEGIN_DATA_FORMAT\nINK_NAME\nEND_DATA_FORMAT\nBEGIN_DATA\ncyan\nEND_DATA\n" +
      table("SAMPLE_ID CMYK_C CMYK_M CMYK_Y CMYK_K LAB_L LAB_A LAB_B",
            "1 0 0 0 0 95 0 -2\n2 100 0 0 0 55 -37 -50\n")
          .substr(9);
  for (const bool old : {false, true}) {
    if (old) std::ranges::replace(text, '\n', '\r');
    const Measurement found = measured(text);
    ASSERT_EQ(found.patches.size(), 2U);
    EXPECT_EQ(found.inks.size(), 4U);
    EXPECT_NEAR((*found.patches[0].xyz)[1], 87.6, 0.1);
  }
}

TEST(Measurement, ReadsNumberedInksByTheirNames) {
  const std::string text = table("SAMPLE_ID 2CLR_1 2CLR_2 XYZ_X XYZ_Y XYZ_Z",
                                 "1 0 0 83 86 71\n2 100 0 40 20 10\n3 0 100 40 50 10\n");
  EXPECT_EQ(measured(text).inks, (std::vector<std::string>{"ink 1", "ink 2"}));
  EXPECT_EQ(measured(text, {.inks = {"orange", "green"}}).inks,
            (std::vector<std::string>{"orange", "green"}));
  EXPECT_NE(refusal(parse_measurement(text, "m.txt", {.inks = {"orange"}})).find("2 inks, and 1"),
            std::string::npos);
}

TEST(Measurement, ReadsSpectraAsFractionsAndPercentages) {
  std::string fields = "SAMPLE_ID CMYK_K", low, high;
  for (int nm = 380; nm <= 730; nm += 10) {
    fields += " SPECTRAL_NM" + std::to_string(nm);
    low += " 0.5";
    high += " 50";
  }
  const Measurement one = measured(table(fields, "1 0" + low + "\n"));
  const Measurement other = measured(table(fields, "1 0" + high + "\n"));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR((*one.patches[0].xyz)[i], kWhite[i] / 2, 0.05);
    EXPECT_NEAR((*one.patches[0].xyz)[i], (*other.patches[0].xyz)[i], 1e-9);
  }
}

/// As Windows writes it, of ASCII text.
std::string utf16(const std::string& ascii, bool is_big) {
  std::string text = is_big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : ascii) text += is_big ? std::string{'\0', c} : std::string{c, '\0'};
  return text;
}

TEST(Measurement, ReadsDecimalCommasWhereCommasDoNotSeparate) {
  for (const char separator : {';', '\t'}) {
    std::string text = "ink;nominal;density\ncyan;0;0,07\ncyan;12,5;+0,25\ncyan;100;1,52\n";
    std::ranges::replace(text, ';', separator);
    const Measurement found = measured(text);
    ASSERT_EQ(found.patches.size(), 3U);
    EXPECT_EQ(found.patches[0].densities[0], 0.07);
    EXPECT_EQ(found.patches[1].nominal, std::vector<double>{12.5});
    EXPECT_EQ(found.patches[2].densities[0], 1.52);
  }
  EXPECT_NE(refusal(parse_measurement("ink;nominal;density\ncyan;0;1.000,07\n", "m.csv", {})),
            "accepted\n");
}

TEST(Measurement, ReadsUtf16) {
  const std::string text = "ink;nominal;density\r\ncyan;0;0,07\r\ncyan;100;1,52\r\n";
  for (const bool is_big : {false, true}) {
    EXPECT_EQ(measured(utf16(text, is_big)).patches.at(1).densities[0], 1.52);
  }
  const std::string cut = utf16(text, false).substr(0, 41);
  EXPECT_NE(refusal(parse_measurement(cut, "m.csv", {})).find("UTF-16 and damaged"),
            std::string::npos);
  const std::string beyond("\xFF\xFE\x3D\xD8\x00\xDE", 6);  // one character of two units
  EXPECT_NE(refusal(parse_measurement(beyond + utf16(text, false).substr(2), "m.csv", {}))
                .find("\xF0\x9F\x98\x80"),
            std::string::npos);
}

TEST(Measurement, ReadsToneValueIncreases) {
  for (const char* name : {"TVI", "dot_gain"}) {
    const Measurement found = measured(std::string("ink,nominal,") + name +
                                       "\ncyan,0,0\ncyan,50,14.5\ncyan,95,-1\ncyan,100,0\n");
    EXPECT_EQ(found.patches.at(1).area, 64.5);
    EXPECT_EQ(found.patches.at(2).area, 94);
  }
  EXPECT_NE(refusal(parse_measurement("id,tvi\nA1,3\n", "m.csv", {})).find("a column is missing"),
            std::string::npos);
}

TEST(Measurement, KnowsThePatchByTheNamesThatProgramsGiveIt) {
  for (const char* name : {"SAMPLE_ID", "SampleID", "Sample_Name", "SAMPLE_NAME"}) {
    const Measurement found = measured(table(std::string(name) + " D_RED", "A1 0.07\nA2 1.5\n"));
    EXPECT_EQ(found.patches.at(1).id, "A2") << name;
  }
  EXPECT_EQ(measured("SampleID;density\nA1;0.07\n", {.values = CsvValues::kDensity}).patches[0].id,
            "A1");
}

TEST(Measurement, ReadsSpreadsheets) {
  const Measurement one = measured("ink,nominal,density\ncyan,0,0.07\n\"cyan\", 100 ,1.52\n");
  EXPECT_EQ(one.patches[1].densities[3], 1.52);
  EXPECT_EQ(one.patches[1].ink, 0U);
  const Measurement other = measured("Nominal;Ink;Value;ID\r\n0;K;0.1;a\r\n\r\n100;K;99.8;b\r\n",
                                     {.values = CsvValues::kArea});
  EXPECT_EQ(other.patches[1].area, 99.8);
  EXPECT_EQ(other.patches[1].id, "b");
  EXPECT_NEAR(*measured("ink\tnominal\tL\nK\t0\t50\n").patches[0].bright, 18.4187, 1e-3);
}

TEST(JoinedWedge, GivesTonesAndFacts) {
  const Measurement wedge =
      measured("CGATS.17\nPRESS \"XL\"\nINK cyan\nSCREEN a0\nDPI 2400\nCURVES none\n" +
                   table("SAMPLE_ID INK NOMINAL", "A1 cyan 0\nA2 cyan 100\n").substr(9),
               {.is_wedge = true});
  Measurement found = measured(table("SAMPLE_ID D_RED", "A2 1.5\nA1 0.07\n"));
  EXPECT_TRUE(join_wedge(wedge, found).empty());
  EXPECT_EQ(found.inks, std::vector<std::string>{"cyan"});
  EXPECT_EQ(found.patches[0].nominal, std::vector<double>{100});
  EXPECT_EQ(found.facts.press, "XL");
  const auto mistakes = [&](const std::string& text) {
    Measurement other = measured(text);
    return test::messages(join_wedge(wedge, other));
  };
  EXPECT_EQ(
      mistakes(table("SAMPLE_ID D_RED", "A1 .07\nA1 1.5\n")),
      "7:1: patch 'A1' is there twice, first in line 6, and another is missing\n  the instrument "
      "read a patch twice in place of its neighbour; measure the wedge again\n");
  EXPECT_EQ(mistakes(table("SAMPLE_ID D_RED", "A1 .07\nA1 .08\nA2 1.5\n")), "");
  EXPECT_EQ(mistakes(table("CMYK_C D_RED", "0 .07\n")),
            "6:1: the patch has no SAMPLE_ID, which is what the wedge knows it by\n  export the "
            "measurement with SAMPLE_ID, or leave out --wedge\n");
  EXPECT_EQ(mistakes(table("SAMPLE_ID CMYK_C D_RED", "A1 0 .07\nA2 98 1.5\n")),
            "7:1: patch 'A2' was printed with another tone, as the wedge says\n  is 'm.txt' the "
            "wedge that was measured?\n");
  for (const char* const header : {"PRESS SM52", "DPI 1270", "SCREEN b1", "CURVES all"}) {
    const std::string text = "CGATS.17\nINK cyan\n" + std::string(header) + "\n" +
                             table("SAMPLE_ID D_RED", "A1 .07\nA2 1.5\n").substr(9);
    EXPECT_NE(mistakes(text).find(", and the wedge is of "), std::string::npos) << header;
  }
}

/// Changes a text in one place.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](size_t end) { return random() % end; };
  constexpr std::string_view kSpecial = "\"# \t\n\r,.;-+eE019_\0\x7F\xFF";
  const size_t at = below(text.size());
  const char byte = kSpecial[below(kSpecial.size())];
  switch (below(4)) {
    case 0:
      text.insert(at, 1, byte);
      break;
    case 1:
      text.erase(at, 1 + below(9));
      break;
    case 2:
      text.insert(at, text.substr(below(text.size()), below(40)));
      break;
    default:
      text[at] = byte;
  }
  return text;
}

TEST(MutatedMeasurement, NeverCrashes) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string texts[] = {"CGATS.17\nDPI 2400\nINK cyan\nNUMBER_OF_FIELDS 5\n" +
                                   table("SAMPLE_ID CMYK_C 2CLR_1 D_RED LAB_L LAB_A LAB_B",
                                         "1 0 0 .07 95 0 0\n2 100 0 1.5 55 -3 4\n")
                                       .substr(9),
                               "ink,nominal,density\ncyan,0,0.07\ncyan,100,1.52\n"};
  for (size_t i = 0; i < 20'000; ++i) {
    const std::string text = mutated(mutated(texts[i % 2], random), random);
    const auto parsed = parse_measurement(text, "m.txt", {});
    if (const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
      ASSERT_TRUE(is_clean_text(wrong->front().message + wrong->front().hint)) << text;
    }
  }
}

TEST(HostileMeasurement, IsRefusedWithFewAllocations) {
  const auto repeated = [](const std::string& text, size_t count) {
    std::string all;
    for (size_t i = 0; i < count; ++i) all += text;
    return all;
  };
  std::string many_fields;
  for (int i = 0; i < 600; ++i) many_fields += "F" + std::to_string(i) + " ";
  const std::string bombs[] = {
      std::string(kMaxTableBytes + 1, ' '),
      "CGATS.17\n" + repeated("\n", 200'000),
      "CGATS.17\n" + repeated("A 1\n", 2'000) + table("SAMPLE_ID D_RED", "1 1\n"),
      table(many_fields, "1\n"),
      table("SAMPLE_ID CMYK_C D_RED", repeated("1 0 0.07\n", 20'001)),
      repeated(table("SAMPLE_ID CMYK_C D_RED", "1 0 0.07\n"), 17),
      table("INK NOMINAL D_RED",
            "a 0 1\nb 0 1\nc 0 1\nd 0 1\ne 0 1\nf 0 1\ng 0 1\nh 0 1\ni 0 1\n"
            "j 0 1\nk2 0 1\nl 0 1\nm2 0 1\nn 0 1\no 0 1\np 0 1\nq 0 1\n"),
      "ink,nominal,density\n" + repeated("cyan,0,0.07\n", 20'001),
      "CGATS.17\nBEGIN_DATA_FORMAT\n" + std::string(1'000'000, 'x'),
  };
  for (const std::string& bomb : bombs) {
    const test::AllocationCount count;
    const auto parsed = parse_measurement(bomb, "m.txt", {});
    const test::Allocations done = count.done();
    const std::string text = refusal(parsed);
    EXPECT_NE(text, "accepted\n") << bomb.substr(0, 60);
    EXPECT_LT(text.size(), 1'000U);
    EXPECT_LE(done.calls, 1'000 + 2 * bomb.size()) << bomb.substr(0, 60);
    EXPECT_LE(done.bytes, 100'000 + 200 * bomb.size()) << bomb.substr(0, 60);
  }
}

}  // namespace
}  // namespace mezzo::curve::read_measurement_test
