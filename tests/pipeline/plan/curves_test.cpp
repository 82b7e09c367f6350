// Curves of the plates of a sheet: found by what the plate is, said, and kept apart by their digests.
#include "pipeline/plan/curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/base/error.h"
#include "pipeline/plan/curve_texts.h"
#include "pipeline/plan/library_numbers.h"
#include "pipeline/plan/origin.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/plan/screens.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::curves_test {
namespace {

using curve::CurveFile;
using curve::PressCurve;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Curves : public testing::Test {
 protected:
  Curves() {
    sheet_.input = "page.tif";
    sheet_.pages = {0};
    sheet_.settings.halftone = {.method = "am", .parameters = {{"ruling", 175}}};
    sheet_.settings.press = {.name = "XL 106", .xxh3 = std::string(32, 'a'), .inks = {}};
    sheet_.settings.curves = {.library = folder_.path(), .paper = "GC1"};
    PageInfo page;
    page.resolution = {2400, 2400};
    page.max_sample = 255;
    page.polarity = Polarity::kMaxIsInk;
    sheet_.infos = {page};
    for (const char* ink : {"cyan", "black"}) sheet_.plates.push_back({.ink = ink, .path = {}});
    plan_screens(sheet_);
  }

  /// A curve for a plate as the sheet has it.
  CurveFile curve_for(size_t plate, PressCurve::Kind kind, double midtone) const {
    CurveFile file;
    file.press = "XL 106";
    file.ink = sheet_.plates[plate].ink;
    file.screen = screen_digest(sheet_, sheet_.plates[plate]);
    file.dpi = 2400;
    if (kind == PressCurve::Kind::kPress) file.paper = "GC1";
    file.curve.kind = kind;
    file.curve.points = {{0, 0}, {50, midtone}, {100, 100}};
    return file;
  }

  void put(const std::string& name, const CurveFile& file) const {
    std::ofstream(folder_ / name) << curve_file_text(file);
  }

  /// A curve of both kinds for each plate.
  void put_all() const {
    for (size_t i = 0; i < sheet_.plates.size(); ++i) {
      const std::string& ink = sheet_.plates[i].ink;
      put(ink + "_press.yaml", curve_for(i, PressCurve::Kind::kPress, 36));
      put(ink + "_plate.yaml", curve_for(i, PressCurve::Kind::kPlate, 52));
    }
  }

  void read() { plan::CurveReader().read(sheet_); }

  std::string refusal(ErrorKind kind) {
    try {
      read();
      return "planned";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      return error.what();
    }
  }

  TempFolder folder_;
  plan::SheetPlan sheet_;
};

TEST_F(Curves, GoBehindTheToneOfTheJobPressFirst) {
  put_all();
  sheet_.settings.tone.gamma = 1.5;
  read();
  EXPECT_THAT(sheet_.warnings, IsEmpty());
  const ToneSettings tone = settings_of(sheet_, sheet_.plates[0]).tone;
  EXPECT_EQ(tone.gamma, 1.5);
  ASSERT_EQ(tone.curves.size(), 2U);
  EXPECT_EQ(tone.curves[0].kind, PressCurve::Kind::kPress);
  EXPECT_EQ(tone.curves[1].kind, PressCurve::Kind::kPlate);
  EXPECT_EQ(tone.curves[1].points[1].out_percent, 52);
  EXPECT_EQ(asked_of(sheet_, sheet_.plates[0]).tone.curves.size(), 0U);
  EXPECT_THAT(plan::curves_text(sheet_.plates[0]),
              testing::MatchesRegex(
                  "press cyan_press.yaml \\([0-9a-f]+\\), plate cyan_plate.yaml \\([0-9a-f]+\\)"));
}

TEST_F(Curves, AreOfTheKindsThatAreAskedFor) {
  put_all();
  sheet_.settings.curves.has_press = false;
  read();
  ASSERT_EQ(sheet_.plates[0].curves.size(), 1U);
  EXPECT_EQ(sheet_.plates[0].curves[0].file, "cyan_plate.yaml");
  sheet_.plates[0].curves.clear();
  sheet_.plates[1].curves.clear();
  sheet_.settings.curves.has_plate = false;
  sheet_.settings.curves.library = "/no/such/folder";
  read();
  EXPECT_THAT(sheet_.plates[0].curves, IsEmpty());
}

TEST_F(Curves, OfAnotherScreenAreNoneOfTheJob) {
  put_all();
  for (plan::PlatePlan& plate : sheet_.plates) plate.screen.clear();
  sheet_.settings.halftone.parameters["ruling"] = 150;
  plan_screens(sheet_);
  EXPECT_THAT(refusal(ErrorKind::kData),
              StartsWith("page.tif: the press curve of cyan is not in " + folder_.path() +
                         ": cyan_press.yaml is for ruling 175 lpi, the job has 150 lpi."));
}

TEST_F(Curves, MissingForAnInkAreAWarningOrStrictlyAMistake) {
  put_all();
  sheet_.plates.push_back({.ink = "varnish", .path = {}});
  sheet_.settings.halftone = {.method = "bayer"};
  sheet_.plates.erase(sheet_.plates.begin(), sheet_.plates.begin() + 2);
  read();
  EXPECT_THAT(
      sheet_.warnings,
      ElementsAre("there is no plate curve of varnish in " + folder_.path() +
                      "; plates are output uncorrected, also those of other pages with these inks. "
                      "Measure a "
                      "wedge, or, where no such curve is needed, set 'curves: {kinds: [press]}'",
                  "there is no press curve of varnish in " + folder_.path() +
                      "; plates are output uncorrected, also those of other pages with these inks. "
                      "Measure a "
                      "wedge, or, where no such curve is needed, set 'curves: {kinds: [plate]}'"));
  sheet_.settings.curves.is_strict = true;
  EXPECT_THAT(refusal(ErrorKind::kData),
              HasSubstr("page.tif: there is no press curve of varnish in " + folder_.path() +
                        ", and the press is strict about curves"));
}

TEST_F(Curves, MissingAreSaidOnceForAllInksAndPages) {
  sheet_.settings.curves.has_plate = false;
  plan::CurveReader reader;
  plan::SheetPlan first = sheet_, second = sheet_;
  reader.read(first);
  reader.read(second);
  EXPECT_THAT(first.warnings,
              ElementsAre(StartsWith("there is no press curve of cyan, black in ")));
  EXPECT_THAT(first.warnings, ElementsAre(HasSubstr("'curves: {kinds: []}'")));
  EXPECT_THAT(second.warnings, IsEmpty());
}

TEST_F(Curves, AreNotNeededWithoutTones) {
  sheet_.settings.curves.is_strict = true;
  sheet_.settings.halftone = {.method = "threshold"};
  for (plan::PlatePlan& plate : sheet_.plates) plate.screen.clear();
  read();
  EXPECT_THAT(sheet_.warnings, IsEmpty());
  EXPECT_THAT(sheet_.plates[0].curves, IsEmpty());
}

TEST_F(Curves, ThatExpiredAreAWarningOrStrictlyAMistake) {
  put_all();
  CurveFile old = curve_for(0, PressCurve::Kind::kPress, 36);
  old.expires = "2001-02-03";
  put("cyan_press.yaml", old);
  read();
  EXPECT_THAT(
      sheet_.warnings,
      ElementsAre("the press curve of cyan, cyan_press.yaml, expired on 2001-02-03; measure "
                  "a new wedge"));
  EXPECT_EQ(sheet_.plates[0].curves.size(), 2U);
  sheet_.settings.curves.is_strict = true;
  EXPECT_THAT(refusal(ErrorKind::kData), HasSubstr("page.tif: the press curve of cyan, "));
}

TEST_F(Curves, NeedAResolution) {
  put_all();
  sheet_.infos[0].resolution = {};
  EXPECT_THAT(refusal(ErrorKind::kUnsupported), HasSubstr("does not say its resolution"));
  sheet_.infos[0].resolution = {2400, 1200};
  EXPECT_THAT(refusal(ErrorKind::kUnsupported),
              HasSubstr("2400 dpi across and 1200 dpi down, and curves are for square pixels"));
}

TEST_F(Curves, AreInPlatesAndRecordsByTheirDigests) {
  const auto texts = [&] {
    return std::pair(plan::provenance_text(sheet_, 0, "cyan", "0"),
                     plan::settings_text(sheet_, "cyan"));
  };
  sheet_.settings.halftone = {.method = "bayer"};
  for (plan::PlatePlan& plate : sheet_.plates) plate.screen.clear();
  const auto without = texts();
  EXPECT_THAT(without.first, Not(HasSubstr("curves")));
  EXPECT_THAT(without.second, Not(HasSubstr("curves")));
  put_all();
  read();
  const auto with = texts();
  const std::string digests = "press " + sheet_.plates[0].curves[0].curve->digest + ", plate " +
                              sheet_.plates[0].curves[1].curve->digest;
  EXPECT_THAT(with.first, HasSubstr("; curves=" + digests + "; press="));
  EXPECT_THAT(with.second, HasSubstr("\ncurves=" + digests + "\n"));
  EXPECT_EQ(plan::read_provenance(with.first).curves, digests);
  std::string wrong = with.first;
  wrong.replace(wrong.find("curves=press"), 12, "curves=paper");
  EXPECT_THROW(plan::read_provenance(wrong), Error);
  EXPECT_THAT(plan::ink_texts(sheet_, sheet_.plates[0]).back().first, "curves");
}

TEST_F(Curves, LibraryNumbersTellTonesAndEyesApart) {
  plan::PlatePlan& plate = sheet_.plates[0];
  EXPECT_EQ(library_numbers(sheet_, plate), plan::LibraryNumbers());
  sheet_.settings.tone.gamma = 1.3;
  const plan::LibraryNumbers gamma = library_numbers(sheet_, plate);
  EXPECT_EQ(gamma.tones.size(), 32U);
  EXPECT_EQ(gamma.method, "");
  EXPECT_EQ(library_numbers(sheet_, plate), gamma);
  sheet_.settings.tone.gamma = 1.31;
  EXPECT_NE(library_numbers(sheet_, plate).tones, gamma.tones);
  sheet_.settings.tone = {};
  plate.screen.clear();
  sheet_.settings.halftone = {.method = "dbs"};
  const std::string dbs = library_numbers(sheet_, plate).method;
  EXPECT_EQ(dbs.size(), 32U);
  sheet_.settings.halftone.parameters["scale"] = 3600;
  EXPECT_NE(library_numbers(sheet_, plate).method, dbs);
  sheet_.settings.halftone = {.method = "les"};
  EXPECT_NE(library_numbers(sheet_, plate).method, dbs);
}

}  // namespace
}  // namespace mezzo::test::curves_test
