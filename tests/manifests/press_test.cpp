// Press files under manifests: precedence key by key, held against maps that are merged here, and the
// place that is told for each value.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "manifests/draft.h"
#include "manifests/plate_settings.h"
#include "manifests/press_file.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::test::press_test {
namespace {

/// Keys of one layer, such as "inks.black.tone.gamma", and their values as they are written.
using Keys = std::map<std::string, std::string>;

/// The keys as a map of YAML in one line.
std::string flow(const Keys& keys) {
  std::map<std::string, Keys> maps;
  std::string text;
  for (const auto& [key, value] : keys) {
    const size_t dot = key.find('.');
    if (dot != std::string::npos) {
      maps[key.substr(0, dot)][key.substr(dot + 1)] = value;
    } else {
      text += (text.empty() ? "" : ", ") + key + ": " + value;
    }
  }
  for (const auto& [key, inside] : maps) {
    text += (text.empty() ? "" : ", ") + key + ": " + flow(inside);
  }
  return "{" + text + "}";
}

struct Choice {
  const char* key;
  std::vector<const char*> values;
};
const Choice kOfPages[] = {
    {"scale", {"nearest", "linear", "cubic", "edges"}},
    {"assume_resolution", {"72", "300", "400"}},
    {"rotate", {"0", "90", "270"}},
    {"output.resolution", {"600", "1200", "2400"}},
    {"output.compression", {"g4", "lzw", "none"}},
    {"output.existing", {"replace", "refuse", "overwrite"}},
    {"output.verify", {"bytes", "decode", "recompute"}},
    {"output.mirror", {"true", "false"}},
    {"output.negative", {"true", "false"}},
    {"output.path", {"'a/{stem}_{ink}.tif'", "'b/{stem}_{label}.tif'", "'c/{stem}_{n}.tif'"}},
};
const Choice kOfPlates[] = {
    {"protect", {"none", "paper", "both"}},
    {"tone.gamma", {"0.5", "1.5", "2"}},
    {"tone.invert", {"true", "false"}},
    {"tone.curve", {"'[[0%, 0%], [100%, 90%]]'", "'[[0%, 5%], [100%, 100%]]'"}},
};
const Choice kOfInks[] = {
    {"label", {"L", "M", "N"}},
    {"output.compression", {"g4", "lzw", "none"}},
    {"output.path", {"'d/{stem}.tif'", "'e/{stem}.tif'"}},
};

/// Draws the keys of layers, and merges them.
class Layers {
 public:
  explicit Layers(uint64_t seed) : random_(seed) {}

  /// A layer over the others. Inks are called by any of the names of each.
  Keys draw(const std::vector<std::vector<std::string>>& inks, const char* layer) {
    Keys keys;
    for (const Choice& choice : kOfPages) pick(choice, "", keys);
    for (const Choice& choice : kOfPlates) pick(choice, "", keys);
    pick_halftone("", "halftone.", keys);
    take(keys, "", layer);
    for (const auto& names : inks) {
      if (random_() % 3 == 0) continue;
      const std::string& ink = names.front();
      if (!begun_.contains(ink)) begin(ink);
      Keys of_ink;
      for (const Choice& choice : kOfPlates) pick(choice, "", of_ink);
      for (const Choice& choice : kOfInks) {
        const bool is_label_of_spot = ink == "spot" && std::string(choice.key) == "label";
        if (!is_label_of_spot) pick(choice, "", of_ink);
      }
      pick_halftone("inks." + ink + ".", "halftone.", of_ink);
      if (of_ink.empty()) continue;
      take(of_ink, "inks." + ink + ".", layer);
      const std::string& name = names[random_() % names.size()];
      for (const auto& [key, value] : of_ink) keys["inks." + name + "." + key] = value;
    }
    return keys;
  }

  /// The keys that count, as one layer would have them.
  Keys merged() const { return merged_; }
  const Keys& origins() const { return origins_; }

 private:
  void pick(const Choice& choice, const std::string& prefix, Keys& keys) {
    if (random_() % 3 != 0) return;
    std::string value = choice.values[random_() % choice.values.size()];
    if (value.starts_with("'[")) value = value.substr(1, value.size() - 2);
    keys[prefix + choice.key] = value;
  }

  std::string value_of(const std::string& key, const std::string& otherwise) const {
    const auto found = merged_.find(key);
    return found == merged_.end() ? otherwise : found->second;
  }

  /// `owner`: "" or that of the ink; parameters fit the method that counts for it.
  void pick_halftone(const std::string& owner, const std::string& block, Keys& keys) {
    if (random_() % 2 == 0) return;
    const std::string of_page = value_of("halftone.method", "floyd-steinberg");
    std::string method = value_of(owner + "halftone.method", of_page);
    if (random_() % 2 == 0) {
      method = random_() % 2 == 0 ? "bayer" : "threshold";
      keys[block + "method"] = method;
    }
    if (random_() % 2 == 0) return;
    if (method == "bayer") keys[block + "order"] = std::to_string(1 + random_() % 6);
    if (method == "threshold") keys[block + "level"] = std::to_string(10 + random_() % 80) + "%";
  }

  void forget_parameters(const std::string& owner) {
    for (const char* name : {"order", "level"}) {
      merged_.erase(owner + "halftone." + name);
      origins_.erase(owner + "halftone." + name);
    }
  }

  /// Puts keys of one owner over what is merged.
  void take(const Keys& keys, const std::string& owner, const char* layer) {
    const std::string of_page = value_of("halftone.method", "floyd-steinberg");
    const auto method = keys.find("halftone.method");
    if (method != keys.end() && method->second != value_of(owner + "halftone.method", of_page)) {
      forget_parameters(owner);
      for (const std::string& ink : begun_) {
        const bool has_own = merged_.contains("inks." + ink + ".halftone.method");
        if (owner.empty() && !has_own) forget_parameters("inks." + ink + ".");
      }
    }
    for (const auto& [key, value] : keys) {
      merged_[owner + key] = value;
      origins_[owner + key] = layer;
    }
  }

  /// An ink that the press does not name begins as its spot colours.
  void begin(const std::string& ink) {
    const bool is_spot = begun_.contains("spot") && ink != "cyan" && ink != "black";
    begun_.insert(ink);
    if (!is_spot) return;
    const auto copy = [&](Keys& map) {
      const Keys all = map;
      for (const auto& [key, value] : all) {
        if (key.starts_with("inks.spot.")) map["inks." + ink + key.substr(9)] = value;
      }
    };
    copy(merged_);
    copy(origins_);
  }

  std::mt19937_64 random_;
  Keys merged_, origins_;
  std::set<std::string> begun_;
};

manifests::PressFilePtr press_of(const std::string& text) {
  auto parsed = manifests::parse_press_file(text, "xl.yaml");
  if (const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    ADD_FAILURE() << text << messages(*wrong);
    return nullptr;
  }
  return std::get<manifests::PressFilePtr>(parsed);
}

manifests::DraftPage page_of(const std::string& text, const manifests::PressFilePtr& press) {
  auto parsed = manifests::parse_manifest(text, "m.yaml", {.given = press});
  if (const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    ADD_FAILURE() << text << messages(*wrong);
    return {};
  }
  return std::get<manifests::JobDraftPtr>(parsed)->pages.front();
}

std::string press_text(Keys keys) {
  std::string text = "mezzotint-press: 1\nname: XL 106, board\n";
  const auto resolution = keys.find("output.resolution");
  if (resolution != keys.end()) {
    text += "resolution: " + resolution->second + "\n";
    keys.erase(resolution);
  }
  Keys rest;
  for (const auto& [key, value] : keys) {
    if (!key.starts_with("inks.")) rest[key] = value;
  }
  std::map<std::string, Keys> maps;
  for (const auto& [key, value] : rest) {
    const size_t dot = key.find('.');
    if (dot == std::string::npos) text += key + ": " + value + "\n";
    if (dot != std::string::npos) maps[key.substr(0, dot)][key.substr(dot + 1)] = value;
  }
  for (const auto& [key, inside] : maps) text += key + ": " + flow(inside) + "\n";
  text += "inks:\n";
  for (const char* ink : {"black", "cyan", "spot"}) {
    Keys of_ink;
    const std::string prefix = "inks." + std::string(ink) + ".";
    for (const auto& [key, value] : keys) {
      if (key.starts_with(prefix)) of_ink[key.substr(prefix.size())] = value;
    }
    if (std::string(ink) == "cyan") of_ink["names"] = "[process blue]";
    text += "  " + std::string(ink) + ": " + flow(of_ink) + "\n";
  }
  return text;
}

/// An ink has the name that was written first.
std::string as_told(const manifests::PageSettings& settings, const std::string& key) {
  constexpr std::string_view kGold = "inks.gold.";
  if (!key.starts_with(kGold)) return key;
  return "inks." + manifests::find_ink(settings, "gold")->ink + "." + key.substr(kGold.size());
}

/// Silver has no entry, and gold perhaps: then the press prints them as its spot colours.
void expect_same(const manifests::PageSettings& found, const manifests::PageSettings& wanted) {
  EXPECT_EQ(found.scale, wanted.scale);
  EXPECT_EQ(found.assumed_dpi, wanted.assumed_dpi);
  EXPECT_EQ(found.geometry, wanted.geometry);
  EXPECT_EQ(found.output, wanted.output);
  EXPECT_EQ(found.tone, wanted.tone);
  EXPECT_EQ(found.protect, wanted.protect);
  EXPECT_EQ(found.halftone, wanted.halftone);
  for (const std::string ink : {"black", "cyan", "gold", "silver"}) {
    const bool is_named =
        ink == "black" || ink == "cyan" || manifests::find_ink(wanted, ink) != nullptr;
    EXPECT_EQ(manifests::plate_settings(found, ink),
              manifests::plate_settings(wanted, is_named ? ink : "spot"))
        << ink;
  }
}

/// That each key is told with its layer, its value and its place in the text of that.
void expect_told(const manifests::DraftPage& page,
                 const Layers& layers,
                 const std::string& press,
                 const std::string& manifest) {
  std::set<std::string> wanted;
  for (const auto& [key, layer] : layers.origins()) {
    wanted.insert(as_told(page.settings, key));
    const manifests::Origin* origin = page.origins->find(as_told(page.settings, key));
    ASSERT_NE(origin, nullptr) << key;
    constexpr const char* kLayers[] = {"built in", "press", "defaults", "page"};
    EXPECT_EQ(kLayers[static_cast<size_t>(origin->layer)], layer) << key;
    const std::string value = layers.merged().at(key);
    const bool is_quoted = value.starts_with('\'');
    EXPECT_EQ(origin->value, is_quoted ? value.substr(1, value.size() - 2) : value) << key;
    const manifests::SourceText source("", layer == "press" ? press : manifest);
    EXPECT_TRUE(source.at(origin->place).starts_with(value)) << key;
  }
  for (const auto& [key, origin] : page.origins->all()) {
    EXPECT_TRUE(wanted.contains(key) || key.ends_with(".names")) << key;
  }
}

TEST(Press, CountsBeforeBuiltInValuesAndAfterTheJobKeyByKey) {
  const std::string head = "mezzotint: 1\njob: x\n";
  const std::vector<std::vector<std::string>> inks = {
      {"black", "K", "Schwarz"}, {"cyan", "Process Blue", "C"}, {"gold", "GOLD"}};
  for (uint64_t seed = 1; seed <= 300 && !testing::Test::HasFailure(); ++seed) {
    Layers layers(seed);
    const auto press = press_of(press_text(layers.draw({{"black"}, {"cyan"}, {"spot"}}, "press")));
    ASSERT_NE(press, nullptr);
    const Keys defaults = layers.draw(inks, "defaults");
    Keys page = layers.draw(inks, "page");
    page["input"] = "a.tif";
    const std::string text =
        head + "defaults: " + flow(defaults) + "\npages:\n  - " + flow(page) + "\n";
    Keys flat = layers.merged();
    flat["input"] = "a.tif";
    const std::string as_one = head + "pages:\n  - " + flow(flat) + "\n";
    SCOPED_TRACE(press->text + text + "as one:\n" + as_one);
    const manifests::DraftPage found = page_of(text, press);
    expect_same(found.settings, page_of(as_one, nullptr).settings);
    expect_told(found, layers, press->text, text);
  }
}

TEST(Press, TellsTheMapsOfGeometryAsTheyAreMergedWhole) {
  const manifests::DraftPage page = page_of(
      "mezzotint: 1\njob: x\n"
      "defaults: {crop: {left: 1 mm, width: 90 mm, height: 80 mm}, trim: 3 mm, copies: {across: "
      "2}}\n"
      "pages:\n"
      "  - {input: a.tif, crop: {width: 70 mm, height: 60 mm}, trim: {left: 4 mm}}\n",
      nullptr);
  EXPECT_EQ(page.settings.geometry.crop->left_um, 0U);
  std::map<std::string, std::string> told;
  for (const auto& [key, origin] :
       manifests::resolved_settings(page.settings, *page.origins, false)) {
    told[key] = origin.value;
  }
  EXPECT_EQ(told,
            (std::map<std::string, std::string>{{"crop.width", "70 mm"},
                                                {"crop.height", "60 mm"},
                                                {"trim.left", "4 mm"},
                                                {"copies.across", "2"}}));
}

TEST(Press, TellsTheMapThatAPageMakesWhereDefaultsHadNone) {
  const manifests::DraftPage page = page_of(
      "mezzotint: 1\njob: x\n"
      "defaults: {proof: none, ppf: none}\n"
      "pages:\n"
      "  - {input: a.tif, proof: {dpi: 150}, ppf: {zones: 30}}\n",
      nullptr);
  ASSERT_TRUE(page.settings.proof && page.settings.ppf);
  std::map<std::string, std::string> told, all;
  for (const auto& [key, origin] :
       manifests::resolved_settings(page.settings, *page.origins, false)) {
    told[key] = origin.value;
  }
  for (const auto& [key, origin] :
       manifests::resolved_settings(page.settings, *page.origins, true)) {
    all[key] = origin.value;
  }
  EXPECT_EQ(told, (std::map<std::string, std::string>{{"proof.dpi", "150"}, {"ppf.zones", "30"}}));
  EXPECT_TRUE(all.contains("proof.path") && all.contains("ppf.path"));
}

TEST(Press, KnowsItsInksByAllTheirNames) {
  const manifests::PressFilePtr press = press_of(
      "mezzotint-press: 1\n"
      "name: 106\n"
      "inks:\n"
      "  black: {label: K}\n"
      "  cyan: {label: C, names: [Process Blue, PB]}\n"
      "  spot: {tone: {gamma: 2}}\n"
      "  varnish: {label: V}\n");
  ASSERT_NE(press, nullptr);
  const manifests::PageSettings& settings = press->layered.settings;
  EXPECT_EQ(settings.press->name, "106");
  EXPECT_EQ(manifests::plate_settings(settings, "processblue").label, "C");
  EXPECT_EQ(manifests::plate_settings(settings, "C").label, "C");
  EXPECT_EQ(manifests::plate_settings(settings, "Schwarz").label, "K");
  EXPECT_EQ(manifests::plate_settings(settings, "gold").tone.gamma, 2);
  EXPECT_EQ(manifests::plate_settings(settings, "Varnish").tone.gamma, 1);
  EXPECT_TRUE(manifests::is_one_ink(settings, "PB", "cyan"));
  EXPECT_FALSE(manifests::is_one_ink(settings, "gold", "spot"));
  EXPECT_EQ(manifests::plate_numbers(settings, {"varnish", "gold", "PB", "silver", "K"}),
            (std::vector<size_t>{5, 3, 2, 4, 1}));
  EXPECT_EQ(manifests::plate_numbers({}, {"yellow", "black"}), (std::vector<size_t>{1, 2}));
}

constexpr const char* kTwoNames =
    "mezzotint-press: 1\n"
    "name: 106\n"
    "inks:\n"
    "  Key: {label: K, tone: {gamma: 3}, names: [Tief]}\n"
    "  cyan: {as: black}\n"
    "  Gold: {label: G, halftone: {method: bayer, order: 3}, names: [Oro]}\n"
    "  spot: {tone: {gamma: 2}}\n";

TEST(Press, GivesPlatesNamedAfterItsInksTheSettingsOfAllLayers) {
  const std::string head = "mezzotint: 1\njob: x\n";
  const manifests::PageSettings settings =
      page_of(head +
                  "defaults: {inks: {cyan: {plate: Tief}, Tief: {protect: solid}}}\n"
                  "pages:\n"
                  "  - {input: a.tif, inks: {Weiss: {plate: oro, halftone: {order: 5}},\n"
                  "     Gold: {tone: {gamma: 4}, label: GG}, Rot: {plate: Oro, label: R}}}\n",
              press_of(kTwoNames))
          .settings;
  const manifests::PlateSettings cyan = manifests::plate_settings(settings, "cyan");
  EXPECT_EQ(cyan.label, "K");
  EXPECT_EQ(cyan.tone.gamma, 3);
  EXPECT_TRUE(cyan.protect.any());
  const manifests::PlateSettings white = manifests::plate_settings(settings, "Weiss");
  EXPECT_EQ(white.label, "GG");
  EXPECT_EQ(white.tone.gamma, 4);
  EXPECT_EQ(white.halftone.method, "bayer");
  EXPECT_EQ(white.halftone.parameters.size(), 1U);
  EXPECT_EQ(white.halftone.parameters.at("order"), 5);
  EXPECT_EQ(manifests::plate_settings(settings, "Rot").label, "R");
  // Another method drops what was given for the one before.
  const manifests::PageSettings other =
      page_of(head +
                  "defaults: {inks: {Weiss: {plate: oro, halftone: {order: 5}}}}\n"
                  "pages: [{input: a.tif, inks: {Gold: {halftone: {method: threshold}}}}]\n",
              press_of(kTwoNames))
          .settings;
  EXPECT_EQ(manifests::plate_settings(other, "Weiss").halftone.method, "threshold");
  EXPECT_TRUE(manifests::plate_settings(other, "Weiss").halftone.parameters.empty());
}

TEST(Press, HasOneShareForAnInkOfTwoNames) {
  auto parsed = manifests::parse_manifest(
      "mezzotint: 1\njob: x\n"
      "pages: [{input: a.tif, inks: {Weiss: {to: {Oro: 50%, Gold: 50%}}}}]\n",
      "m.yaml",
      {.given = press_of(kTwoNames)});
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed);
  ASSERT_NE(wrong, nullptr);
  EXPECT_TRUE(messages(*wrong).starts_with("3:54: ink 'Gold' is there twice")) << messages(*wrong);
}

TEST(Press, HasADigestOfItsBytes) {
  const std::string text = "mezzotint-press: 1\nname: XL 106\n";
  const manifests::PressFilePtr one = press_of(text), other = press_of(text + "# a comment\n");
  EXPECT_EQ(one->layered.settings.press->xxh3.size(), 32U);
  EXPECT_NE(one->layered.settings.press->xxh3, other->layered.settings.press->xxh3);
  EXPECT_EQ(press_of(text)->layered.settings, one->layered.settings);
}

TEST(Press, IsFoundFromTheFolderOfTheManifest) {
  const TempFolder folder;
  folder.write("jobs/a.tif");
  folder.write("presses/xl.yaml", "mezzotint-press: 1\nname: XL 106\nresolution: 1200\n");
  folder.write("jobs/job.yaml",
               "mezzotint: 1\njob: x\npress: ../presses/xl.yaml\npages: [a.tif]\n");
  const std::string manifest = folder / "jobs/job.yaml";
  auto loaded = manifests::load_manifest(manifest);
  ASSERT_EQ(loaded.index(), 0U) << messages(std::get<1>(loaded));
  EXPECT_EQ(std::get<0>(loaded).pages.front().settings.output.resolution_dpi, 1200U);
  EXPECT_EQ(std::get<0>(loaded).press_file, folder / "jobs/../presses/xl.yaml");
  // Another one in its place.
  folder.write("other.yaml", "mezzotint-press: 1\nname: XL 75\nresolution: 600\n");
  loaded = manifests::load_manifest(manifest, {"", "", folder / "other.yaml"});
  ASSERT_EQ(loaded.index(), 0U) << messages(std::get<1>(loaded));
  EXPECT_EQ(std::get<0>(loaded).pages.front().settings.output.resolution_dpi, 600U);
  // Strangers cannot choose.
  loaded = manifests::load_manifest(manifest, {folder / "jobs", "", ""});
  ASSERT_EQ(loaded.index(), 1U);
  EXPECT_TRUE(std::get<1>(loaded).front().message.starts_with("a job cannot choose a press here"));
  EXPECT_EQ(std::get<1>(loaded).front().line, 3U);
  folder.write("jobs/job.yaml", "mezzotint: 1\njob: x\npages: [a.tif]\n");
  loaded = manifests::load_manifest(manifest, {folder / "jobs", "", folder / "other.yaml"});
  ASSERT_EQ(loaded.index(), 0U) << messages(std::get<1>(loaded));
  EXPECT_EQ(std::get<0>(loaded).pages.front().settings.press->name, "XL 75");
}

TEST(Press, ThatCannotBeReadIsAMistakeAtItsName) {
  const TempFolder folder;
  folder.write("a.tif");
  folder.write("job.yaml", "mezzotint: 1\njob: x\npress: presses\npages: [a.tif]\n");
  const auto message = [&] {
    const auto loaded = manifests::load_manifest(folder / "job.yaml");
    const auto* wrong = std::get_if<std::vector<Diagnostic>>(&loaded);
    return wrong == nullptr ? "accepted" : messages(*wrong);
  };
  EXPECT_TRUE(message().starts_with("3:8: there is no press file '")) << message();
  folder.write("presses/xl.yaml");
  EXPECT_TRUE(message().ends_with("cannot be read: it is a folder; name the file in it\n"))
      << message();
}

TEST(Press, CurvesWithoutALibraryAreTheMistakeOfTheirPage) {
  const TempFolder folder;
  folder.write("a.tif");
  folder.write("b.tif");
  folder.write("job.yaml",
               "mezzotint: 1\njob: x\npages:\n  - a.tif\n"
               "  - {input: b.tif, curves: {paper: GC2}}\n");
  const auto load = [&](manifests::OnMistake on_mistake) {
    return manifests::load_manifest(folder / "job.yaml", {}, on_mistake);
  };
  const auto refused = load(manifests::OnMistake::kRefuseJob);
  ASSERT_EQ(refused.index(), 1U);
  EXPECT_TRUE(messages(std::get<1>(refused)).starts_with("5:36: 'curves' has no effect"));
  const auto loaded = load(manifests::OnMistake::kFailPage);
  ASSERT_EQ(loaded.index(), 0U) << messages(std::get<1>(loaded));
  const manifests::Job& job = std::get<0>(loaded);
  EXPECT_FALSE(job.pages.at(0).mistake);
  ASSERT_TRUE(job.pages.at(1).mistake.has_value());
  EXPECT_NE(job.pages[1].mistake->message.find("job.yaml:5:36: 'curves'"), std::string::npos);
}

}  // namespace
}  // namespace mezzo::test::press_test
