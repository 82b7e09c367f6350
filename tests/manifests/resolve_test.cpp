#include <gtest/gtest.h>
#include <sys/stat.h>

#include "manifests/path_template.h"
#include "tests/manifests/manifest_support.h"
#include "tests/support/read_work.h"

namespace mezzo::test::resolve_test {
namespace {

namespace fs = std::filesystem;

const std::string kHead = "mezzotint: 1\njob: Night 7\npages:\n";

/// Paths of the inputs, from the folder.
std::vector<std::string> inputs(const manifests::Job& job, const TempFolder& folder) {
  std::vector<std::string> names;
  for (const manifests::JobPage& page : job.pages) {
    names.push_back(fs::path(page.input).lexically_relative(folder.path()).string());
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(Resolve, FindsFilesPatternsAndFolders) {
  const TempFolder folder;
  for (const char* name : {"b.tif",
                           "scans/2.tif",
                           "scans/10.TIFF",
                           "scans/1.Tif",
                           "scans/note.txt",
                           "scans/.hidden.tif",
                           "scans/3.tif.part",
                           "scans/4.tif.tmp",
                           "scans/deeper/5.tif",
                           "in/y.tif",
                           "in/x.tif",
                           "in/z.tif.part"}) {
    folder.write(name);
  }
  const manifests::Job job =
      job_of(kHead + "  - b.tif\n  - input: scans\n    pages: 2-3\n  - in/?.tif*\n", folder);
  EXPECT_EQ(
      inputs(job, folder),
      (Names{"b.tif", "scans/1.Tif", "scans/2.tif", "scans/10.TIFF", "in/x.tif", "in/y.tif"}));
  EXPECT_EQ(job.name, "Night 7");
  EXPECT_EQ(job.manifest, "m.yaml");
  EXPECT_EQ(job.folder, folder.path());
  ASSERT_EQ(job.pages.size(), 6U);
  EXPECT_EQ(job.pages[0].stem, "b");
  EXPECT_EQ(job.pages[0].place, (manifests::Place{4, 5}));
  EXPECT_EQ(job.pages[1].place, (manifests::Place{5, 5}));
  EXPECT_EQ(job.pages[1].pages, (std::vector<uint32_t>{1, 2}));
  EXPECT_TRUE(job.pages[4].pages.empty());
  EXPECT_EQ(job.pages[4].place, (manifests::Place{7, 5}));
}

TEST(Resolve, StartsFromTheFolderOfTheManifest) {
  const TempFolder folder;
  folder.write("jobs/night/a.tif");
  folder.write("b.tif");
  folder.write("jobs/night/job.yaml",
               kHead + "  - a.tif\n  - ../../b.tif\n  - " + folder / "b.tif" +
                   "\n    # the same file, and plates of its own\n");
  auto job = manifests::load_manifest(folder / "jobs/night/job.yaml");
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job);
  ASSERT_NE(wrong, nullptr);
  EXPECT_EQ(messages(*wrong),
            "6:5: input '" + folder / "b.tif" +
                "' is listed in line 5 already, and both would write the plate "
                "'plates/b_{ink}.tif'\n"
                "  delete one of the two, or give one an 'output: {path: ...}' of its own\n");
  folder.write("jobs/night/job.yaml", kHead + "  - a.tif\n  - ../../b.tif\n");
  job = manifests::load_manifest(folder / "jobs/night/job.yaml");
  ASSERT_EQ(job.index(), 0U);
  EXPECT_EQ(inputs(std::get<manifests::Job>(job), folder),
            (Names{"jobs/night/a.tif", "jobs/night/../../b.tif"}));
  EXPECT_EQ(std::get<manifests::Job>(job).pages[1].settings.output.path,
            folder / "jobs/night/plates/b_{ink}.tif");
}

TEST(Resolve, TakesTheWorkingFolderWhenThereIsNoOther) {
  const TempFolder folder;
  folder.write("a.tif");
  folder.write("job.yaml", kHead + "  - a.tif\n  - '[a].tif'\n");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const auto job = manifests::load_manifest("job.yaml");
  fs::current_path(before);
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job);
  ASSERT_NE(wrong, nullptr);
  EXPECT_EQ(messages(*wrong),
            "5:5: input 'a.tif' is listed in line 4 already, and both would write the plate "
            "'plates/a_{ink}.tif'\n"
            "  delete one of the two, or give one an 'output: {path: ...}' of its own\n");
}

TEST(Resolve, PrefersAFileToAPattern) {
  const TempFolder folder;
  folder.write("scan[1].tif");
  folder.write("scan1.tif");
  const manifests::Job job = job_of(kHead + "  - scan[1].tif\n", folder);
  EXPECT_EQ(inputs(job, folder), (Names{"scan[1].tif"}));
}

TEST(Resolve, IsNotMisledByPatternsInTheFolder) {
  const TempFolder outer;
  outer.write("[ab]*/x.tif");
  outer.write("b/y.tif");
  outer.write("a/y.tif");
  const auto job = resolved(kHead + "  - '*.tif'\n", outer / "[ab]*");
  ASSERT_EQ(job.index(), 0U);
  EXPECT_EQ(inputs(std::get<manifests::Job>(job), outer), (Names{"[ab]*/x.tif"}));
}

TEST(Resolve, SaysWhichInputsAreMissing) {
  const TempFolder folder;
  folder.write("cover.tif");
  folder.write("empty/note.txt");
  folder.write("scans/a.png");
  fs::create_symlink("nowhere.tif", folder / "link.tif");
  EXPECT_EQ(mistakes("  - covr.tif\n  - zzzzzz\n  - empty\n  - scans/*.tif\n  - link.tif\n"
                     "  - none/*.tif\n  - cover.tif/x\n",
                     folder.path()),
            "4:5: input 'covr.tif' does not exist\n  did you mean 'cover.tif'?\n"
            "5:5: input 'zzzzzz' does not exist\n  paths start from the manifest's folder\n"
            "6:5: the folder 'empty' has no file that ends in .tif or .tiff\n"
            "  folders inside it are not searched; a pattern such as '*/*.tif' finds them\n"
            "7:5: the pattern 'scans/*.tif' matches no file\n"
            "  * ? and [..] are patterns; '*' does not match a '/'\n"
            "8:5: input 'link.tif' is a link, and the file that it leads to does not exist\n"
            "9:5: the pattern 'none/*.tif' matches no file\n"
            "  * ? and [..] are patterns; '*' does not match a '/'\n"
            "10:5: input 'cover.tif/x' does not exist\n  paths start from the manifest's folder\n");
}

TEST(Resolve, SaysHowTheNameOfAFileThatExistsDiffers) {
  const TempFolder folder;
  folder.write("B\u00E4cker.tif");
  folder.write("B\u00FCcher/a.tif");
  folder.write("Cover.tif");
  EXPECT_EQ(
      mistakes("  - Ba\u0308cker.tif\n  - Bu\u0308cher/a.tif\n  - cover.tif\n", folder.path()),
      "4:5: input 'Ba\u0308cker.tif' does not exist; 'B\u00E4cker.tif' does, and differs from "
      "'Ba\u0308cker.tif' in the form of Unicode alone (NFC, NFD)\n"
      "  copy the name from a listing of the folder, or rename the file\n"
      "5:5: input 'Bu\u0308cher/a.tif' does not exist; 'B\u00FCcher' does, and differs from "
      "'Bu\u0308cher' in the form of Unicode alone (NFC, NFD)\n"
      "  copy the name from a listing of the folder, or rename the file\n"
      "6:5: input 'cover.tif' does not exist; 'Cover.tif' does, and differs from 'cover.tif' in "
      "upper and lower case alone\n"
      "  copy the name from a listing of the folder, or rename the file\n");
}

TEST(Resolve, NeverOpensWhatIsNoRegularFile) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe.tif").c_str(), 0600), 0);
  fs::create_directories(folder / "scans/folder.tif");
  ASSERT_EQ(::mkfifo((folder / "scans/pipe.tif").c_str(), 0600), 0);
  const ReadCount read;
  EXPECT_EQ(mistakes("  - pipe.tif\n  - /dev/zero\n  - scans\n  - '*.tif'\n", folder.path()),
            "4:5: input 'pipe.tif' is a FIFO, and must be a regular file\n"
            "5:5: input '/dev/zero' is a device, and must be a regular file\n"
            "6:5: input 'scans/folder.tif' is a folder, and must be a regular file\n"
            "6:5: input 'scans/pipe.tif' is a FIFO, and must be a regular file\n"
            "7:5: input 'pipe.tif' is a FIFO, and must be a regular file\n");
  EXPECT_LT(read.done().bytes, 64U * 1024) << "of /dev/zero";
}

TEST(Resolve, RefusesNamesThatWouldSpoilAMessageOrAPath) {
  const TempFolder folder;
  folder.write("in/line\nbreak.tif");
  folder.write("in/latin\xFC.tif");
  folder.write("in/...tif");
  folder.write("in2/" + std::string(240, 'a') + ".tif");
  EXPECT_EQ(mistakes("  - in\n  - in/...tif\n  - in2\n", folder.path()),
            "4:5: the name of 'in/latin?.tif' holds control characters or is not UTF-8\n"
            "  rename the file\n"
            "4:5: the name of 'in/line?break.tif' holds control characters or is not UTF-8\n"
            "  rename the file\n"
            "5:5: the name of 'in/...tif' has no stem that a plate could be named after\n"
            "  rename the file\n"
            "6:5: the path of the plates of 'in2/" +
                std::string(56, 'a') +
                "...' is too long\n  a name may have 240 bytes, a path 4000\n");
}

TEST(Resolve, WantsOneFileForADigest) {
  const TempFolder folder;
  folder.write("in/a.tif");
  folder.write("in/b.tif");
  const std::string digest(64, 'A');
  EXPECT_EQ(mistakes("  - {input: in, sha256: " + digest + "}\n", folder.path()),
            "4:25: 'sha256' belongs to one file, and 'in' gives 2\n"
            "  give every file an entry of its own\n");
  const manifests::Job job = job_of(kHead + "  - {input: in/a*, sha256: " + digest + "}\n", folder);
  ASSERT_EQ(job.pages.size(), 1U);
  EXPECT_EQ(job.pages[0].sha256, std::string(64, 'a'));
}

TEST(Resolve, LimitsTheNumberOfInputs) {
  const TempFolder folder;
  for (int i = 0; i < 2'600; ++i) folder.write("in/" + std::to_string(i) + ".tif", "");
  const std::string other = "\n    output: {path: \"other/{stem}.tif\"}\n";
  EXPECT_EQ(mistakes("  - in\n  - input: in" + other, folder.path()),
            "5:12: with 'in' the job has more than 5000 input files, the limit\n"
            "  split the job\n");
  EXPECT_EQ(mistakes("  - {input: in, pages: 1-40}\n", folder.path()),
            "4:13: with 'in' the job selects more than 100000 pages, the limit\n"
            "  leave 'pages' out where all pages of a file are meant\n");
}

TEST(Collisions, AreFoundBetweenEntriesWithBothPlaces) {
  const TempFolder folder;
  for (const char* name : {"a.tif", "b/a.tif", "c/a.tiff", "c/a.tif"}) folder.write(name);
  EXPECT_EQ(mistakes("  - a.tif\n  - b/a.tif\n", folder.path()),
            "5:5: inputs 'a.tif' (line 4) and 'b/a.tif' would write the same plate "
            "'plates/a_{ink}.tif'\n"
            "  give one of the two an 'output: {path: ...}' of its own\n");
  EXPECT_EQ(mistakes("  - c\n", folder.path()),
            "4:5: inputs 'c/a.tif' and 'c/a.tiff' would write the same plate "
            "'plates/a_{ink}.tif'\n"
            "  rename one of the two, or list them one by one\n");
  EXPECT_EQ(mistakes("  - a.tif\n  - {input: b/a.tif, output: {path: \"plates//./a_{ink}.tif\"}}\n",
                     folder.path()),
            "5:37: inputs 'a.tif' (line 4) and 'b/a.tif' would write the same plate "
            "'plates/a_{ink}.tif'\n"
            "  write another path here; {stem} in a path is the name of the input\n");
  EXPECT_EQ(mistakes("  - a.tif\n  - {input: b/a.tif, output: {path: \"b/{ink}/a.tif\"}}\n",
                     folder.path()),
            "none");
}

TEST(Collisions, AreFoundWhereAFileSystemIgnoresTheDifference) {
  const TempFolder folder;
  for (const char* name : {"Cover.tif", "b/cover.tif", "Gru\u0308n.tif", "b/GR\u00DCN.tif"}) {
    folder.write(name);
  }
  EXPECT_EQ(mistakes("  - Cover.tif\n  - b/cover.tif\n", folder.path()),
            "5:5: inputs 'Cover.tif' (line 4) and 'b/cover.tif' would write the same plate "
            "'plates/cover_{ink}.tif': 'plates/Cover_{ink}.tif' differs in upper and lower case "
            "alone, and many file systems take the two for one file\n"
            "  give one of the two an 'output: {path: ...}' of its own\n");
  EXPECT_EQ(
      mistakes("  - Gru\u0308n.tif\n  - b/GR\u00DCN.tif\n", folder.path()),
      "5:5: inputs 'Gru\u0308n.tif' (line 4) and 'b/GR\u00DCN.tif' would write the same plate "
      "'plates/GR\u00DCN_{ink}.tif': 'plates/Gru\u0308n_{ink}.tif' differs in case or in the "
      "form of Unicode alone, and many file systems take the two for one file\n"
      "  give one of the two an 'output: {path: ...}' of its own\n");
  EXPECT_EQ(mistakes("  - {input: Cover.tif, output: {path: \"{ink}/a.tif\"}}\n"
                     "  - {input: b/cover.tif, output: {path: \"{ink}/b.tif\"}}\n",
                     folder.path()),
            "none");
}

TEST(Collisions, KnowWhichPagesOfAFileAreWritten) {
  const TempFolder folder;
  folder.write("a.tif");
  const auto two = [&](const std::string& first, const std::string& second, const char* path) {
    const std::string text = "mezzotint: 1\njob: x\ndefaults: {output: {path: \"" +
                             std::string(path) + "\"}}\npages:\n  - {input: a.tif" + first +
                             "}\n  - {input: a.tif" + second + "}\n";
    return resolved(text, folder.path()).index() == 0 ? "apart" : "collide";
  };
  EXPECT_EQ(two(", pages: 1-3", ", pages: 4-6", "p/{stem}_{page}.tif"), std::string("apart"));
  EXPECT_EQ(two(", pages: 1-3", ", pages: 3-6", "p/{stem}_{page}.tif"), std::string("collide"));
  EXPECT_EQ(two(", pages: 1-3", "", "p/{stem}_{page}.tif"), std::string("collide"));
  EXPECT_EQ(two("", ", pages: 1-3", "p/{stem}_{page}.tif"), std::string("collide"));
  EXPECT_EQ(two(", pages: 1-3", ", pages: 4-6", "p/{stem}.tif"), std::string("collide"));
}

TEST(Collisions, ProtectInputsFromPlatesOfAnotherFolder) {
  const TempFolder folder;
  folder.write("in/a.tif");
  const auto found = [&](const std::string& inputs_from, const std::string& plates) {
    const auto parsed = manifests::parse_manifest(
        "mezzotint: 1\njob: x\ndefaults: {output: {path: \"{stem}.tif\"}}\npages: [in/a.tif]\n",
        "m.yaml");
    const auto job =
        manifests::resolve(*std::get<manifests::JobDraftPtr>(parsed), inputs_from, plates);
    const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job);
    return wrong == nullptr ? std::get<manifests::Job>(job).pages[0].settings.output.path
                            : messages(*wrong);
  };
  const std::string refusal =
      "4:9: a plate of 'in/a.tif' could replace the input 'in/a.tif'\n"
      "  let 'path' lead to a folder where no inputs are\n";
  EXPECT_EQ(found(folder.path(), ""), folder / "a.tif");
  EXPECT_EQ(found(folder.path(), folder / "none/yet"), folder / "none/yet/a.tif");
  EXPECT_EQ(found(folder.path(), folder / "in"), refusal);
  EXPECT_EQ(found(folder.path(), folder / "none/../in"), refusal);
  fs::create_directory_symlink(folder / "in", folder / "alias");
  EXPECT_EQ(found(folder.path(), folder / "alias"), refusal);
}

TEST(Collisions, ProtectInputs) {
  const TempFolder folder;
  folder.write("a.tif");
  folder.write("a_black.tif");
  EXPECT_EQ(mistakes("  - {input: a.tif, output: {path: \"{stem}.tif\"}}\n", folder.path()),
            "4:13: a plate of 'a.tif' could replace the input 'a.tif'\n"
            "  let 'path' lead to a folder where no inputs are\n");
  EXPECT_EQ(mistakes("  - a_black.tif\n  - {input: a.tif, output: {path: \"{stem}_{ink}.tif\"}}\n",
                     folder.path()),
            "5:13: a plate of 'a.tif' could replace the input 'a_black.tif'\n"
            "  let 'path' lead to a folder where no inputs are\n");
  EXPECT_EQ(mistakes("  - {input: a.tif, output: {path: \"{stem}_{ink}.tif\"}}\n", folder.path()),
            "none");
  fs::create_directory_symlink(folder.path(), folder / "alias");
  EXPECT_NE(mistakes("  - {input: alias/a.tif, output: {path: \"{stem}.tif\"}}\n", folder.path()),
            "none");
}

TEST(PlatePath, PutsInPageAndInk) {
  const std::string path = manifests::resolve_plate_template(
      "p/{job}/./{stem}_{page}_{ink}.tif", "/jobs/7", "a", "Night 7");
  EXPECT_EQ(path, "/jobs/7/p/Night 7/a_{page}_{ink}.tif");
  EXPECT_EQ(manifests::plate_path(path, 0, {"cyan"}), "/jobs/7/p/Night 7/a_1_cyan.tif");
  EXPECT_EQ(manifests::plate_path(path, 4'294'967'295U, {"cyan"}),
            "/jobs/7/p/Night 7/a_4294967296_cyan.tif");
  EXPECT_TRUE(manifests::has_page_number(path));
  EXPECT_FALSE(manifests::has_page_number("/jobs/7/a_{ink}.tif"));
  EXPECT_FALSE(manifests::has_page_number("/jobs/7/a_{{page}}.tif"));
}

TEST(PlatePath, DoesNotExpandBracesOfNames) {
  const std::string path =
      manifests::resolve_plate_template("{stem}/{stem}_{ink}.tif", "/jobs/{page}", "{ink}}{", "x");
  EXPECT_EQ(manifests::plate_path(path, 0, {"{stem}"}), "/jobs/{page}/{ink}}{/{ink}}{_{stem}.tif");
  EXPECT_FALSE(manifests::has_page_number(path));
  EXPECT_EQ(manifests::shown_template(path, "/jobs/{page}"), "{ink}}{/{ink}}{_{ink}.tif");
  const TempFolder folder;
  folder.write("{page}{ink}.tif");
  const manifests::Job job = job_of(kHead + "  - '{page}{ink}.tif'\n", folder);
  ASSERT_EQ(job.pages.size(), 1U);
  EXPECT_EQ(manifests::plate_path(job.pages[0].settings.output.path, 0, {"k"}),
            folder / "plates/{page}{ink}_k.tif");
}

TEST(PlatePath, LetsNoInkChooseAFolder) {
  for (const char* ink :
       {"..", ".", "../../etc", "a/b", "/etc/passwd", "", "a\nb", "\xFF", "a\\b"}) {
    const std::string path = manifests::plate_path("/jobs/7/{ink}/x.tif", 0, {ink});
    EXPECT_EQ(fs::path(path).lexically_normal().parent_path().parent_path(), "/jobs/7") << path;
  }
  EXPECT_EQ(manifests::plate_path("/{ink}.tif", 0, {"PANTONE 185 C"}), "/PANTONE 185 C.tif");
  EXPECT_EQ(manifests::plate_path("/{ink}.tif", 0, {"Weiß"}), "/Weiß.tif");
  EXPECT_EQ(manifests::plate_path("/{label}.tif", 0, {"x", "../a"}), "/_._a.tif");
}

TEST(PlatePath, KnowsLabelsAndNumbers) {
  const std::string path = "/{n}_{label}_{ink}.tif";
  EXPECT_FALSE(manifests::check_plate_template(path.substr(1)));
  EXPECT_EQ(manifests::plate_path(path, 0, {"cyan", "C", 12}), "/12_C_cyan.tif");
  EXPECT_EQ(manifests::plate_path(path, 0, {"cyan"}), "/1_cyan_cyan.tif");
}

/// The only tile of the job's first page.
std::string tile_of(const manifests::Job& job) {
  return job.pages.at(0).settings.halftone.tile.path;
}

TEST(PlatePath, OfOneInkKeepsTheOtherBracesOfAName) {
  const auto path = [](const std::string& text) {
    return manifests::plate_path(manifests::resolve_ink_template(text, "/{ink}/{a"), 0, {"{stem}"});
  };
  EXPECT_EQ(path("type_{ink}.tif"), "/{ink}/{a/type_{stem}.tif");
  EXPECT_EQ(path("./{ink}/{ink}.tif"), "/{ink}/{a/{stem}/{stem}.tif");
  EXPECT_EQ(path("{page}{{ink}}}{{ink.tif"), "/{ink}/{a/{page}{{stem}}}{{ink.tif");
  EXPECT_EQ(path("/in/{ink}.tif"), "/in/{stem}.tif");
}

/// The files of the line work of the job's first page, from the folder.
Names linework_of(const manifests::Job& job, const TempFolder& folder) {
  Names names;
  for (const manifests::Linework& one : job.pages.at(0).linework) {
    names.push_back(fs::path(one.file).lexically_relative(folder.path()).string() +
                    (one.is_of_each_ink ? " each" : ""));
  }
  return names;
}

TEST(Resolve, FindsEveryFileOfLinework) {
  const TempFolder folder;
  for (const char* name : {"a.tif", "in/type.tif", "marks.tif"}) folder.write(name);
  const auto linework = [&](const std::string& value) {
    return linework_of(job_of(kHead + "  - {input: a.tif, linework: " + value + "}\n", folder),
                       folder);
  };
  EXPECT_EQ(linework("in/type.tif"), Names({"in/type.tif"}));
  EXPECT_EQ(linework("[marks.tif, {file: in/type.tif, ink: cyan}, marks.tif]"),
            Names({"marks.tif", "in/type.tif", "marks.tif"}));
  EXPECT_EQ(linework("['in/{ink}.tif', {file: '../x_{ink}.tif'}]"),
            Names({"in/{ink}.tif each", "../x_{ink}.tif each"}));
  EXPECT_EQ(
      mistakes("  - {input: a.tif, linework: [marks.tif, mark.tif, type.tif]}\n", folder.path()),
      "4:42: input 'mark.tif' does not exist\n  did you mean 'marks.tif'?\n"
      "4:52: input 'type.tif' does not exist\n  paths start from the manifest's folder\n");
}

TEST(Resolve, KeepsLineworkOfEachInkOutOfHotFolders) {
  const TempFolder folder;
  folder.write("job/a.tif");
  folder.write("job/job.yaml", kHead + "  - {input: a.tif, linework: ['../{ink}.tif']}\n");
  const auto job = manifests::load_manifest(folder / "job/job.yaml",
                                            {.within = folder / "job", .plates = {}, .press = {}});
  ASSERT_EQ(job.index(), 1U);
  EXPECT_EQ(messages(std::get<1>(job)),
            "4:31: 'linework' cannot have {ink} in a hot folder, whose jobs must name all their "
            "files\n  list the files, each with its 'ink'\n");
}

TEST(Resolve, FindsTilesFromTheFolderOfTheFileThatNamesThem) {
  const TempFolder folder;
  folder.write("jobs/a.tif");
  folder.write("jobs/house.tif");
  folder.write("presses/press.yaml",
               "mezzotint-press: 1\nname: P\nhalftone: {method: tile, file: screens/k.tif}\n"
               "inks: {cyan: {halftone: {file: " +
                   folder / "c.tif" + "}}}\n");
  folder.write("jobs/own.yaml",
               kHead + "  - {input: a.tif, halftone: {method: tile, file: house.tif}}\n");
  auto job = manifests::load_manifest(folder / "jobs/own.yaml");
  ASSERT_EQ(job.index(), 0U) << messages(std::get<1>(job));
  EXPECT_EQ(tile_of(std::get<0>(job)), folder / "jobs/house.tif");
  folder.write("jobs/press.yaml", "press: ../presses/press.yaml\n" + kHead + "  - a.tif\n");
  job = manifests::load_manifest(folder / "jobs/press.yaml");
  ASSERT_EQ(job.index(), 0U) << messages(std::get<1>(job));
  const manifests::PageSettings& settings = std::get<0>(job).pages.at(0).settings;
  EXPECT_EQ(fs::path(settings.halftone.tile.path).lexically_normal(),
            folder / "presses/screens/k.tif");
  EXPECT_EQ(settings.inks.at(0).halftone.tile.path, folder / "c.tif");
}

TEST(Resolve, ReportsATileThatIsMissingOnce) {
  const TempFolder folder;
  folder.write("a.tif");
  folder.write("b.tif");
  folder.write("house.tif");
  const std::string head = "mezzotint: 1\njob: x\ndefaults: {halftone: {method: tile, file: ";
  const auto refusal = [&](const std::string& file) {
    const auto job = resolved(head + file + "}}\npages: [a.tif, b.tif]\n", folder.path());
    const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job);
    return wrong == nullptr ? "none" : messages(*wrong);
  };
  EXPECT_EQ(refusal("hose.tif"),
            "3:43: input 'hose.tif' does not exist\n  did you mean 'house.tif'?\n");
  EXPECT_EQ(refusal("."), "3:43: input '.' is a folder, and must be a regular file\n");
  EXPECT_EQ(refusal("house.tif"), "none");
}

TEST(Resolve, LetsNoPlateTakeThePlaceOfATile) {
  const TempFolder folder;
  folder.write("a.tif");
  folder.write("plates/a_black.tif");
  EXPECT_EQ(mistakes("  - {input: a.tif, halftone: {method: tile, file: plates/a_black.tif}}\n",
                     folder.path()),
            "4:13: a plate of 'a.tif' could replace the input 'plates/a_black.tif'\n"
            "  let 'path' lead to a folder where no inputs are\n");
}

TEST(Resolve, KeepsTheTilesOfUsersInTheirFolder) {
  const TempFolder folder;
  folder.write("job/a.tif");
  folder.write("job/house.tif");
  folder.write("secret.tif");
  fs::create_symlink(folder / "secret.tif", folder / "job/link.tif");
  folder.write("press.yaml",
               "mezzotint-press: 1\nname: P\nhalftone: {method: tile, file: " +
                   folder / "secret.tif" + "}\n");
  const auto refusal = [&](const std::string& settings, const std::string& press) {
    folder.write("job/job.yaml", kHead + "  - {input: a.tif" + settings + "}\n");
    const auto job = manifests::load_manifest(
        folder / "job/job.yaml", {.within = folder / "job", .plates = {}, .press = press});
    const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job);
    return wrong == nullptr ? "none" : messages(*wrong);
  };
  const std::string tile = ", halftone: {method: tile, file: ";
  EXPECT_EQ(refusal(tile + "house.tif}", ""), "none");
  EXPECT_EQ(refusal("", folder / "press.yaml"), "none");
  EXPECT_EQ(refusal(tile + "../secret.tif}", ""),
            "4:51: input '../secret.tif' leads out of the folder of the job\n"
            "  only files in it or below it can be printed\n");
  EXPECT_EQ(refusal(tile + folder / "secret.tif" + "}", folder / "press.yaml"),
            "4:51: input '" + folder / "secret.tif" +
                "' leads out of the folder of the job\n"
                "  only files in it or below it can be printed\n");
  EXPECT_EQ(refusal(tile + "link.tif}", ""),
            "4:51: 'link.tif' is a symbolic link, and none is followed here\n"
            "  put the file itself into the folder of the job\n");
}

/// Each page of a job that goes past mistakes: its input, and what is wrong with it.
std::string pages_past_mistakes(const std::string& text, const TempFolder& folder) {
  auto parsed = manifests::parse_manifest(text, "m.yaml");
  const auto job = manifests::resolve(*std::get<manifests::JobDraftPtr>(parsed),
                                      folder.path(),
                                      "",
                                      manifests::OnMistake::kFailPage);
  if (const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job)) return messages(*wrong);
  std::string found;
  for (const manifests::JobPage& page : std::get<manifests::Job>(job).pages) {
    found += fs::path(page.input).lexically_relative(folder.path()).string();
    if (page.mistake) {
      found += std::string(" ") + std::string(name_of(page.mistake->kind)) + ": " +
               page.mistake->message;
    }
    found += "\n";
  }
  return found;
}

TEST(Resolve, FailsThePagesWithMistakesAloneWhenToldTo) {
  const TempFolder folder;
  for (const char* name : {"good.tif", "in/2.tif", "in/10.tif", "other/good.tif", "lw.tif"}) {
    folder.write(name);
  }
  fs::create_directory(folder / "in/3.tif");
  EXPECT_EQ(
      pages_past_mistakes(kHead + "  - good.tif\n"
                                  "  - god.tif\n"
                                  "  - in\n"
                                  "  - none*.tif\n"
                                  "  - {input: lw.tif, linework: type.tif}\n"
                                  "  - {input: 'in/*0.tif', profile: press.icc, "
                                  "output: {path: 'b/{stem}_{ink}.tif'}}\n"
                                  "  - {input: in/2.tif, profile: press.icc, "
                                  "output: {path: 'c/{stem}_{ink}.tif'}}\n"
                                  "  - other/good.tif\n"
                                  "  - {input: lw.tif, output: {path: 'lw.tif'}}\n",
                          folder),
      "good.tif\n"
      "god.tif missing: m.yaml:5:5: input 'god.tif' does not exist; did you mean 'good.tif'?\n"
      "in/3.tif data: m.yaml:6:5: input 'in/3.tif' is a folder, and must be a regular file\n"
      "in/2.tif\n"
      "in/10.tif\n"
      "none*.tif data: m.yaml:7:5: the pattern 'none*.tif' matches no file; * ? and [..] are "
      "patterns; '*' does not match a '/'\n"
      "lw.tif missing: m.yaml:8:31: input 'type.tif' does not exist; paths start from the "
      "manifest's folder\n"
      "in/10.tif missing: m.yaml:9:35: input 'press.icc' does not exist; paths start from the "
      "manifest's folder\n"
      "in/2.tif missing: m.yaml:10:32: input 'press.icc' does not exist; paths start from the "
      "manifest's folder\n"
      "other/good.tif data: m.yaml:11:5: inputs 'good.tif' (line 4) and 'other/good.tif' would "
      "write the same plate 'plates/good_{ink}.tif'; give one of the two an 'output: {path: "
      "...}' of its own\n"
      "lw.tif data: m.yaml:12:13: a plate of 'lw.tif' could replace the input 'lw.tif'; let "
      "'path' lead to a folder where no inputs are\n");
}

TEST(Resolve, FailsEveryPageThatNeedsAMissingFile) {
  const TempFolder folder;
  for (const char* name : {"a.tif", "b.tif", "c.tif", "own.icc"}) folder.write(name);
  const std::string text =
      "mezzotint: 1\njob: Night 7\ndefaults: {profile: press.icc}\npages:\n"
      "  - a.tif\n  - b.tif\n  - {input: c.tif, profile: own.icc}\n";
  const std::string missing =
      "m.yaml:3:21: input 'press.icc' does not exist; paths start from the manifest's folder\n";
  EXPECT_EQ(pages_past_mistakes(text, folder),
            "a.tif missing: " + missing + "b.tif missing: " + missing + "c.tif\n");
}

TEST(Resolve, RefusesAManifestWithoutAGoodPageAlsoWhenToldToGoPastMistakes) {
  const TempFolder folder;
  folder.write("a.tif");
  EXPECT_EQ(pages_past_mistakes(kHead + "  - b.tif\n  - {input: a.tif, linework: c.tif}\n", folder),
            "4:5: input 'b.tif' does not exist\n  did you mean 'a.tif'?\n"
            "5:30: input 'c.tif' does not exist\n  did you mean 'a.tif'?\n");
}

}  // namespace
}  // namespace mezzo::test::resolve_test
