#include "pipeline/run/side_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/error.h"
#include "pipeline/plan/plate_text.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/plan/side_files.h"
#include "pipeline/plan/side_needs.h"
#include "pipeline/run/ppf_run.h"
#include "pipeline/run/proof_run.h"
#include "pipeline/run/replaced_files.h"
#include "stages/files/file_mark.h"

namespace mezzo::run {
namespace {

using plan::SideFile;
using plan::SideKind;

std::string mark_text(const std::string& path, files::FileSystem& files) {
  const auto mark = files::mark_of(files, path);
  return mark ? files::to_string(*mark) : "none";
}

/// All that decides the content of the file: the bits of the plates, and how they are looked at.
std::string text_of(const plan::SheetPlan& sheet,
                    const SideFile& file,
                    const SheetResult& result,
                    files::FileSystem& files) {
  std::string text;
  if (file.kind == SideKind::kProof) {
    const manifests::ProofSettings& proof = *sheet.settings.proof;
    text = fmt::format("proof\ndpi={}\ncolours={}\nyule_nielsen={}\n",
                       proof.dpi,
                       proof.colours,
                       proof.yule_nielsen);
    for (size_t p = 0; p < sheet.plates.size(); ++p) {
      text += "tone=" + plan::tone_text(settings_of(sheet, sheet.plates[p]).tone) + "\n";
    }
    if (proof.colours == manifests::kColoursByProfile) {
      text += "profile=" +
              mark_text(sheet.settings.colour.profile,
                        files_of_profile(sheet.is_press_profile, files)) +
              "\n";
    }
  } else {
    const manifests::PpfSettings& ppf = *sheet.settings.ppf;
    text = fmt::format("ppf\nzones={}\nzone_width_um={}\n", ppf.zones, ppf.zone_width_um);
    text += "input=" + mark_text(sheet.input, files) + "\n";
    text += fmt::format(
        "dpi={} {}\n", source_of(sheet, file.page).resolution.x_dpi, sheet.settings.assumed_dpi);
    for (const auto& linework : sheet.linework) {
      text += "linework=" + linework.settings.xxh3 + "\n";
    }
    for (const PlateResult& plate : result.plates) {
      text += plan::settings_text(sheet, plate.ink);
    }
  }
  if (sheet.settings.press) text += "press=" + sheet.settings.press->xxh3 + "\n";
  text += fmt::format("page={}\n", sheet.pages[file.page]);
  for (const PlateResult& plate : result.plates) {
    text += fmt::format("plate={} {}\n", plate.content_sum, plate.ink);
  }
  return text;
}

class SideFiles {
 public:
  SideFiles(const plan::SheetPlan& sheet, const SideFileContext& context, SheetResult& result)
      : sheet_(sheet), context_(context), result_(result) {}

  void make(const SideFile& file) {
    SideFileResult made{.kind = std::string(name_of(file.kind)), .path = file.path};
    made.page = sheet_.pages[file.page];
    if (file.kind == SideKind::kPpf) made.zones_path = plan::zones_path(file.path);
    if (file.kind == SideKind::kProof) made.colours = sheet_.settings.proof->colours;
    const std::string text = text_of(sheet_, file, result_, context_.files);
    try {
      if (is_there(file, text)) {
        made.already_done = true;
        const auto mark = files::mark_of(context_.files, file.path);
        if (mark) made.file_bytes = mark->bytes;
      } else {
        context_.go_on();
        refuse_foreign_side_file(sheet_, file.path, context_.files);
        if (!made.zones_path.empty()) {
          refuse_foreign_side_file(sheet_, made.zones_path, context_.files);
        }
        file.kind == SideKind::kProof ? make_proof_of(file, made) : make_ppf_of(file, made);
        if (context_.memory != nullptr) context_.memory->made(file.path, text);
      }
    } catch (const Error& error) {
      made.error = error.what();
    } catch (const std::bad_alloc&) {
      made.error = "out of memory";
    } catch (const std::exception& error) {
      made.error = error.what();
    } catch (...) {
      made.error = "the job was stopped";
    }
    if (!made.error.empty()) {
      result_.warnings.push_back(fmt::format(
          "the plates are good, and the {} {} could not be made: {}; run the job again to make it",
          file.kind == SideKind::kProof ? "proof" : "PPF file",
          file.path,
          made.error));
    }
    result_.side_files.push_back(std::move(made));
  }

 private:
  bool is_there(const SideFile& file, const std::string& text) const {
    if (context_.memory != nullptr) {
      const bool has_zones = file.kind == SideKind::kProof ||
                             files::mark_of(context_.files, plan::zones_path(file.path));
      return has_zones && context_.memory->is_current(file.path, text);
    }
    return result_.already_done && files::mark_of(context_.files, file.path);
  }

  void make_proof_of(const SideFile& file, SideFileResult& made) {
    const ProofMade proof = make_proof(
        proof_of(sheet_, file.page, file.path), context_.team, context_.files, context_.go_on);
    made.width_px = proof.width_px;
    made.height_px = proof.height_px;
    made.dpi = proof.dpi;
    made.file_bytes = proof.file_bytes;
    add_notes(proof.notes);
  }

  void make_ppf_of(const SideFile& file, SideFileResult& made) {
    const PpfMade ppf = make_ppf(
        sheet_, file.page, context_.job, file.path, context_.team, context_.files, context_.go_on);
    made.width_px = ppf.width_px;
    made.height_px = ppf.height_px;
    made.dpi = plan::kPpfDpi;
    made.file_bytes = ppf.file_bytes;
    add_notes(ppf.notes);
  }

  /// What holds for all pages is told once.
  void add_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
      if (std::ranges::find(result_.warnings, note) == result_.warnings.end()) {
        result_.warnings.push_back(note);
      }
    }
  }

  const plan::SheetPlan& sheet_;
  const SideFileContext& context_;
  SheetResult& result_;
};

}  // namespace

void make_side_files(const plan::SheetPlan& sheet,
                     const SideFileContext& context,
                     SheetResult& result) {
  SideFiles files(sheet, context, result);
  for (const SideFile& file : sheet.side_files) files.make(file);
}

}  // namespace mezzo::run
