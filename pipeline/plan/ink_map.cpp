#include "pipeline/plan/ink_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/band/drop_levels.h"
#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/prepress/mix.h"
#include "manifests/plate_settings.h"

namespace mezzo::plan {
namespace {

using prepress::is_same_ink;

std::string names_text(const std::vector<MappedPlate>& plates) {
  std::string text;
  for (const MappedPlate& plate : plates) text += (text.empty() ? "" : ", ") + plate.ink;
  return text;
}

std::string share_text(const manifests::InkShare& share) {
  return share.percent == 100 ? share.ink : fmt::format("{} {:.6g} %", share.ink, share.percent);
}

std::string shares_text(const manifests::InkSettings& ink) {
  std::string text;
  for (const manifests::InkShare& share : ink.shares) {
    text += (text.empty() ? "" : ", ") + share_text(share);
  }
  return text;
}

/// Puts the map of one page together.
class Mapper {
 public:
  Mapper(const std::vector<std::string>& inks,
         const manifests::PageSettings& settings,
         const std::string& place)
      : inks_(inks), settings_(settings), place_(place) {}

  InkMap run() {
    refuse_two_of_one_name();
    for (uint32_t i = 0; i < inks_.size(); ++i) give_plate(i);
    refuse_one_plate_for_two();
    refuse_one_ink_of_press_for_two();
    for (uint32_t i = 0; i < inks_.size(); ++i) add_shares(i, false);
    for (uint32_t i = 0; i < inks_.size(); ++i) add_shares(i, true);
    if (map_.plates.empty()) {
      throw Error(ErrorKind::kData, place_ + " has no plate left: 'inks' drops all of its inks");
    }
    refuse_inks_of_other_presses();
    for (const manifests::InkSettings& ink : settings_.inks) make_from_another(ink);
    give_each_bit_a_plate();
    return std::move(map_);
  }

 private:
  /// Settings, curves and units of the press are given to inks by their names.
  void refuse_two_of_one_name() const {
    for (size_t later = 1; later < inks_.size(); ++later) {
      for (size_t first = 0; first < later; ++first) {
        if (!is_same_ink(inks_[first], inks_[later])) continue;
        throw Error(ErrorKind::kData,
                    fmt::format("{}: its inks '{}' and '{}' have names of one ink, so that no "
                                "setting can tell them apart",
                                place_,
                                inks_[first],
                                inks_[later]),
                    "rename one of them in the page, or merge them there");
      }
    }
  }

  void give_plate(uint32_t plane) {
    const std::string& name = inks_[plane];
    const manifests::InkSettings* own = manifests::find_ink(settings_, name);
    if (own != nullptr && !own->from.empty()) refuse_second(name, own->from);
    if (own != nullptr && (own->is_dropped || !own->shares.empty())) {
      map_.notes.push_back(fmt::format("ink '{}' {}", name, fate_of_ink(name, settings_)));
    } else {
      const bool has_other_name = own != nullptr && !own->plate.empty();
      map_.plates.push_back({.ink = has_other_name ? own->plate : name,
                             .page_ink = name,
                             .plane = plane,
                             .parts = {{plane, prepress::kWholeInk}}});
    }
  }

  [[noreturn]] void refuse_second(const std::string& ink, const std::string& from) const {
    throw Error(
        ErrorKind::kData,
        fmt::format(
            "{} has the plate '{}' already, which 'inks' makes from '{}'", place_, ink, from),
        "give one of them another name");
  }

  void refuse_one_plate_for_two() const {
    for (const MappedPlate& plate : map_.plates) {
      if (plate.ink == plate.page_ink) continue;
      for (const MappedPlate& other : map_.plates) {
        if (&other == &plate || !is_same_ink(plate.ink, other.ink)) continue;
        throw Error(ErrorKind::kData,
                    fmt::format("{}: inks '{}' and '{}' would both be the plate '{}'",
                                place_,
                                plate.page_ink,
                                other.page_ink,
                                plate.ink),
                    fmt::format("to print one with the other, write 'as: {}'", plate.ink));
      }
    }
  }

  /// An entry of `inks` is of both where both are names of one ink of the press.
  std::string advice_for_one_ink(const std::string& one, const std::string& other) const {
    if (manifests::is_one_ink(settings_, one, other)) {
      return "if they are two, take one of them out of 'names' in the press file";
    }
    return fmt::format("to print one with the other, write 'inks: {{{}: {{as: {}}}}}'", other, one);
  }

  /// The press has other names for its inks, and one plate for each.
  void refuse_one_ink_of_press_for_two() const {
    for (const MappedPlate& plate : map_.plates) {
      for (const MappedPlate& other : map_.plates) {
        if (&other == &plate || !manifests::is_one_ink(settings_, plate.ink, other.ink)) continue;
        throw Error(ErrorKind::kData,
                    fmt::format("{}: inks '{}' and '{}' are one ink of the press '{}'; {}",
                                place_,
                                plate.page_ink,
                                other.page_ink,
                                settings_.press->name,
                                advice_for_one_ink(plate.page_ink, other.page_ink)));
      }
    }
  }

  /// Every plate must be of an ink that the press can print.
  void refuse_inks_of_other_presses() const {
    if (!settings_.press || settings_.press->inks.empty()) return;
    const manifests::Press& press = *settings_.press;
    for (const MappedPlate& plate : map_.plates) {
      if (press.place_of(plate.ink) || press.find(plate.page_ink)) continue;
      std::string inks;
      for (const manifests::PressInk& ink : press.inks) {
        inks += (inks.empty() ? "" : ", ") + ink.ink;
      }
      throw Error(ErrorKind::kData,
                  fmt::format("{} has the ink '{}', and the press '{}' has {}",
                              place_,
                              plate.ink,
                              press.name,
                              inks),
                  "drop it, print it with others or as one of these in 'inks', or add it to the "
                  "press file, where 'spot' stands for all others");
    }
  }

  void add_shares(uint32_t plane, bool to_all) {
    const manifests::InkSettings* own = manifests::find_ink(settings_, inks_[plane]);
    if (own == nullptr) return;
    for (const manifests::InkShare& share : own->shares) {
      if (is_same_ink(share.ink, manifests::kAllInks) != to_all) continue;
      const auto weight =
          static_cast<uint32_t>(std::lround(share.percent / 100 * prepress::kWholeInk));
      if (to_all) {
        for (MappedPlate& plate : map_.plates) plate.parts.push_back({plane, weight});
      } else {
        plate_for(share.ink, inks_[plane]).parts.push_back({plane, weight});
      }
    }
  }

  /// The plate of that name, or of the page's ink of that name; a process ink that the page lacks gets
  /// one.
  MappedPlate& plate_for(const std::string& ink, const std::string& shared) {
    for (const auto name : {&MappedPlate::ink, &MappedPlate::page_ink}) {
      const auto found = std::ranges::find_if(map_.plates, [&](const MappedPlate& plate) {
        return manifests::is_one_ink(settings_, plate.*name, ink);
      });
      if (found != map_.plates.end()) return *found;
    }
    const std::string_view of_press = manifests::name_on_press(settings_, ink);
    if (!prepress::is_process_ink(of_press)) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: ink '{}' is to be printed with '{}', which has no plate; the "
                              "plates are {}",
                              place_,
                              shared,
                              ink,
                              names_text(map_.plates)));
    }
    const std::string name = prepress::ink_key(of_press);
    const auto plane = static_cast<uint32_t>(inks_.size()) + made_++;
    map_.plates.push_back({.ink = name, .page_ink = name, .plane = plane, .parts = {}});
    return map_.plates.back();
  }

  /// The plate of an ink that is made from another one of the page, if the page has that.
  void make_from_another(const manifests::InkSettings& ink) {
    if (ink.from.empty() || ink.is_dropped) return;
    const auto is_it = [&](const std::string& name) {
      return manifests::is_one_ink(settings_, name, ink.from);
    };
    const auto source = std::ranges::find_if(inks_, is_it);
    if (source == inks_.end()) return;
    for (const MappedPlate& plate : map_.plates) {
      if (manifests::is_one_ink(settings_, plate.ink, ink.ink)) refuse_second(plate.ink, ink.from);
    }
    const auto of_page = static_cast<uint32_t>(source - inks_.begin());
    std::vector<chain::InkPart> parts = {{of_page, prepress::kWholeInk}};
    // Not by its name, which a plate may have that other inks alone are added to.
    const auto plate = std::ranges::find(map_.plates, of_page, &MappedPlate::plane);
    if (plate != map_.plates.end()) parts = plate->parts;  // with all that is added to it
    const auto plane = static_cast<uint32_t>(inks_.size()) + made_++;
    map_.plates.push_back(
        {.ink = ink.ink, .page_ink = ink.ink, .plane = plane, .parts = std::move(parts)});
  }

  void give_each_bit_a_plate() {
    std::vector<MappedPlate> plates;
    for (const MappedPlate& plate : map_.plates) {
      const auto levels = manifests::plate_settings(settings_, plate.page_ink).halftone.levels;
      if (!levels || levels->format != LevelFormat::kPlanes) {
        plates.push_back(plate);
        continue;
      }
      for (uint32_t bit = 0; bit < drop_bits(levels->drops.size()); ++bit) {
        MappedPlate& of_bit = plates.emplace_back(plate);
        of_bit.ink = name_of_bit(plate.ink, bit);
        of_bit.drop_bit = bit;
      }
    }
    map_.plates = std::move(plates);
  }

  const std::vector<std::string>& inks_;
  const manifests::PageSettings& settings_;
  const std::string& place_;
  InkMap map_;
  uint32_t made_ = 0;  // plates of inks that the page lacks
};

}  // namespace

bool InkMap::only_selects() const {
  return std::ranges::all_of(plates, [](const MappedPlate& plate) {
    return plate.parts.size() == 1 && plate.parts.front().weight == prepress::kWholeInk;
  });
}

bool InkMap::keeps_all(size_t inks) const {
  if (!only_selects() || plates.size() != inks) return false;
  for (size_t i = 0; i < inks; ++i) {
    if (plates[i].plane != i) return false;
  }
  return true;
}

std::string_view ink_on_press(const manifests::PageSettings& settings,
                              std::string_view ink,
                              std::string_view page_ink) {
  const bool is_of_page = settings.press && !settings.press->find(ink) && !page_ink.empty() &&
                          settings.press->find(page_ink);
  return manifests::name_on_press(settings, is_of_page ? page_ink : ink);
}

std::string fate_of_ink(const std::string& ink, const manifests::PageSettings& settings) {
  const manifests::InkSettings* own = manifests::find_ink(settings, ink);
  if (own == nullptr) return {};
  if (own->is_dropped) return "is dropped";
  if (!own->shares.empty()) return "is printed with " + shares_text(*own);
  return own->plate.empty() ? "" : fmt::format("is the plate '{}'", own->plate);
}

std::string name_of_bit(std::string_view ink, std::optional<uint32_t> drop_bit) {
  if (!drop_bit || ink.empty()) return std::string(ink);
  return fmt::format("{}_{}", ink, *drop_bit + 1);
}

std::string_view without_bit(std::string_view name, std::optional<uint32_t> drop_bit) {
  return drop_bit ? name.substr(0, name.rfind('_')) : name;
}

InkMap map_inks(const std::vector<std::string>& inks,
                const manifests::PageSettings& settings,
                const std::string& place) {
  return Mapper(inks, settings, place).run();
}

}  // namespace mezzo::plan
