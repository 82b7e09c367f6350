// Jobs of strangers in a hot folder: a manifest and, behind a line of %%%%, the press file of the folder. They
// are read, resolved and planned; nothing that they name is outside of the folder.

#include <filesystem>
#include <map>

#include "manifests/draft.h"
#include "manifests/job.h"
#include "manifests/named_files.h"
#include "manifests/plate_settings.h"
#include "pipeline/plan/plan.h"
#include "stages/files/confined_file_system.h"
#include "tests/fuzz/manifest_tokens.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/tiff_seeds.h"

namespace mezzo::fuzz {
namespace {

namespace fs = std::filesystem;
using manifests::Job;
using manifests::PressFilePtr;

constexpr std::string_view kNames[] = {
    "black", "../x", "..", "", "/etc/x", "a/b\n", "x/../../y", "{ink}", "}", "PANTONE 185 C"};

/// The folder of the jobs, in which some of their files are, and a link that leads out of it.
const std::string& job_folder() {
  static const std::string folder = [] {
    const std::string path = scratch() / "jobs";
    fs::create_directories(path + "/sub");
    fs::create_directories(scratch() / "secrets");
    fs::create_directory_symlink(scratch() / "secrets", path + "/linked");
    const std::vector<Bytes> pages = tiff_seeds();
    const std::map<std::string, size_t> files = {{"jobs/a.tif", 0},
                                                 {"jobs/b.tif", 6},
                                                 {"jobs/bits.tif", 8},
                                                 {"jobs/inks.tif", pages.size() - 3},
                                                 {"jobs/pages.tif", pages.size() - 1},
                                                 {"jobs/sub/c.tif", pages.size() - 4},
                                                 {"secrets/secret.tif", 0}};
    for (const auto& [name, page] : files) scratch_file(name, pages[page]);
    scratch_file("jobs/a.yaml", bytes_of("mezzotint: 1\n"));
    return path;
  }();
  return folder;
}

void demand_inside(const std::string& path, const std::string& what) {
  const bool is_inside = path.starts_with(job_folder() + "/") &&
                         path.find('\0') == std::string::npos &&
                         (path + "/").find("/../") == std::string::npos;
  demand(is_inside, what + " leads out of the folder: " + path);
}

void check_paths(Job job) {
  put_start(job, {"2026-11-22", "06-44-41", "20261122-064441-8205c866062c1fcb"});
  for (manifests::JobPage& page : job.pages) {
    demand_inside(page.input, "an input");
    for (const auto& linework : page.linework) demand_inside(linework.file, "line work");
    for (const manifests::NamedFile& file : named_files(page.settings, page.origins.get())) {
      if (!is_of_press(file)) demand_inside(*file.path, "a file");
    }
    for (const std::string& path : manifests::plate_templates(page.settings)) {
      for (const std::string_view name : kNames) {
        demand_inside(manifests::plate_path(path, 3, {name, name, 7}), "a plate");
      }
    }
  }
}

void check_plan(const Job& job) {
  constexpr size_t kMostPages = 4;
  if (job.pages.size() > kMostPages) return;
  passes([&] {
    files::ConfinedFileSystem files(files::folders_of_job(job_folder(), ""));
    plan::PlanOptions options;
    options.files = &files;
    options.hot_folder = job_folder();
    const plan::JobPlan plan = plan::make_plan(job, options);
    for (const plan::SheetPlan& sheet : plan.sheets) {
      if (sheet.failure) {
        demand(sheet.failure->kind != ErrorKind::kBug, sheet.failure->message);
        continue;
      }
      demand(sheet.memory_bytes <= plan.memory_bytes, "a sheet takes more memory than its job has");
      demand(!sheet.plates.empty() && !sheet.pages.empty(), "a sheet of nothing");
      for (const plan::PlatePlan& plate : sheet.plates)
        demand_inside(plate.path, "a planned plate");
      for (const plan::SideFile& file : sheet.side_files)
        demand_inside(file.path, "a planned side file");
    }
  });
}

}  // namespace

std::vector<Bytes> seeds() {
  const Bytes press = source_file("tests/manifests/press/valid/every-key.yaml");
  const auto over_press = [&](std::string_view text) {
    return bytes_of(std::string(text) + "\n%%%%\n" + text_of(press));
  };
  return {
      bytes_of("mezzotint: 1\njob: x\npages:\n  - a.tif\n  - \"b*.tif\"\n  - sub\n"),
      bytes_of("mezzotint: 1\njob: x\ndefaults: {output: {resolution: 600}, tone: {gamma: "
               "1.2}}\npages_total: 1\n"
               "pages:\n  - {input: inks.tif, inks: {varnish: drop, PANTONE 185 C: {to: {magenta: "
               "90%}}}}\n"
               "end: true\n"),
      bytes_of(
          "mezzotint: 1\njob: y\nlimits: {memory: 64 MiB, threads: 1}\ndefaults:\n"
          "  halftone: {method: am, ruling: 100}\n  assume_resolution: 600\npages:\n"
          "  - input: a.tif\n    crop: {left: 0.1 mm, top: 0 mm, width: 1 mm, height: 1 mm}\n"
          "    rotate: 90\n    copies: {across: 2, down: 2, gap: 1 mm}\n"
          "    linework: {file: bits.tif, ink: all}\n    proof: {dpi: 100}\n    ppf: {}\n"
          "  - {input: pages.tif, pages: 1, output: {path: \"p/{date}/{id}_{page}_{ink}.tif\"}}\n"),
      over_press("mezzotint: 1\njob: z\npages: [inks.tif]\n")};
}

void change(Bytes& input, Random& random) {
  random.one_in(8) ? change_bytes(input, random) : change_text(input, random, manifest_tokens());
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::vector<std::string> texts = texts_of(input, 2);
  manifests::PressSource press;
  if (!texts[1].empty()) {
    auto read = manifests::parse_press_file(texts[1], "press.yaml");
    if (const auto* mistakes = std::get_if<std::vector<Diagnostic>>(&read)) {
      check_mistakes(*mistakes, texts[1]);
      return false;
    }
    press.given = std::get<PressFilePtr>(read);
  }
  const auto draft = manifests::parse_manifest(texts[0], "job.yaml", press);
  if (const auto* mistakes = std::get_if<std::vector<Diagnostic>>(&draft)) {
    check_mistakes(*mistakes, texts[0]);
    return false;
  }
  const auto resolved =
      manifests::resolve_within(*std::get<manifests::JobDraftPtr>(draft),
                                {.within = job_folder(), .plates = {}, .press = {}});
  if (const auto* mistakes = std::get_if<std::vector<Diagnostic>>(&resolved)) {
    check_mistakes(*mistakes, texts[0]);
    return false;
  }
  const Job& job = std::get<Job>(resolved);
  check_paths(job);
  check_plan(job);
  return true;
}

}  // namespace mezzo::fuzz
