// Hostile and damaged text: refused quickly, or read; never a crash, never an endless loop.
#include <gtest/gtest.h>

#include <random>

#include "manifests/job.h"
#include "manifests/yaml_tree.h"
#include "tests/manifests/allocation_count.h"

namespace mezzo::test::robustness_test {
namespace {

struct Parsed {
  bool refused = false;
  Allocations allocations;
  std::string text;  // of the first diagnostic
};

Parsed parse(const std::string& text) {
  const AllocationCount count;
  const auto parsed = manifests::parse_manifest(text, "m.yaml");
  Parsed result;
  result.allocations = count.done();
  const auto* diagnostics = std::get_if<std::vector<Diagnostic>>(&parsed);
  result.refused = diagnostics != nullptr;
  if (diagnostics != nullptr) result.text = to_string(diagnostics->front());
  return result;
}

/// The work on a text grows with its size, and not with the square of it.
void expect_few(const Allocations& done, const std::string& text, const std::string& name) {
  EXPECT_LE(done.calls, 1'000 + 16 * text.size()) << name;
  EXPECT_LE(done.bytes, 100'000 + 2'000 * text.size()) << name;
}

std::string repeated(const std::string& text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i) result += text;
  return result;
}

std::string forty_pages() {
  std::string text =
      "mezzotint: 1\njob: Forty pages\nlimits: {memory: 1 GiB}\n"
      "defaults:\n  halftone: {method: threshold, level: 40%}\n  tone: {gamma: 1.2}\n"
      "pages_total: 40\npages:\n";
  for (int i = 0; i < 40; ++i) {
    const std::string name = "scan_" + std::to_string(i) + ".tif";
    text += i % 3 == 0   ? "  - " + name + "\n"
            : i % 3 == 1 ? "  - input: " + name + "\n    pages: 1-3, 7\n"
                         : "  - input: \"" + name + "\"\n    tone: {invert: true}\n";
  }
  return text + "end: true\n";
}

TEST(CutManifest, IsRefusedAtEveryByte) {
  const std::string whole = forty_pages();
  ASSERT_FALSE(parse(whole).refused) << parse(whole).text;
  // Without the line end behind `end: true` nothing is lost.
  ASSERT_FALSE(parse(whole.substr(0, whole.size() - 1)).refused);
  for (size_t size = 0; size + 1 < whole.size(); ++size) {
    const auto parsed =
        manifests::parse_manifest(std::string_view(whole).substr(0, size), "m.yaml");
    EXPECT_EQ(parsed.index(), 1U) << "accepted, cut after " << size << " of " << whole.size();
  }
}

TEST(CutManifest, WithoutItsTrailerNeverCrashes) {
  std::string whole = forty_pages();
  whole = whole.substr(0, whole.size() - std::string("end: true\n").size());
  whole.erase(whole.find("pages_total: 40\n"), std::string("pages_total: 40\n").size());
  ASSERT_FALSE(parse(whole).refused) << parse(whole).text;
  for (size_t size = 0; size < whole.size(); ++size) {
    manifests::parse_manifest(std::string_view(whole).substr(0, size), "m.yaml");
    manifests::parse_manifest(std::string_view(whole).substr(size), "m.yaml");
  }
}

TEST(HostileManifest, OfOneTokenIsRefusedWithFewAllocations) {
  for (const char* text : {",",
                           ", 21",
                           "]",
                           "}",
                           "- ,",
                           "[,",
                           "{,",
                           "[,]",
                           ",,",
                           "- - ,",
                           "a: ,",
                           "? ,",
                           ": ,",
                           "--- ,",
                           "--- ]",
                           "[}",
                           "{]",
                           "...",
                           "---",
                           "%",
                           "&",
                           "*",
                           "!",
                           "|",
                           ">",
                           "'",
                           "\"",
                           "?",
                           ":",
                           "-",
                           "\n,\n",
                           "# x\n,",
                           "{a",
                           "[a",
                           "<<",
                           "~",
                           "\xEF\xBB\xBF,",
                           "a: [,",
                           "[[,]],",
                           "!!",
                           "&a",
                           "&a ,",
                           "!<",
                           "!<x",
                           "--- - ,",
                           "a:\n  ,",
                           "? - ,",
                           ",\n---\n,"}) {
    const Parsed result = parse(text);
    EXPECT_TRUE(result.refused) << text;
    expect_few(result.allocations, text, text);
  }
}

TEST(HostileManifest, IsRefusedWithFewAllocations) {
  std::string laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'j'; ++c) {
    const std::string before = std::string("*") + static_cast<char>(c - 1);
    laughs += std::string(1, c) + ": &" + c + " [" + repeated(before + ", ", 8) + before + "]\n";
  }
  std::string stairs;
  for (size_t i = 0; i < 500; ++i) stairs += std::string(i, ' ') + "a:\n";
  const std::string head = "mezzotint: 1\njob: x\npages:\n";
  const struct {
    const char* name;
    std::string text;
  } bombs[] = {
      {"20,000 open brackets", repeated("[", 20'000)},
      {"20,000 open braces", repeated("{", 20'000)},
      {"250,000 open brackets", repeated("[", 250'000)},
      {"250,000 open braces", repeated("{", 250'000)},
      {"brackets in lines", repeated("[\n", 100'000)},
      {"braces with keys", repeated("{a: ", 60'000)},
      {"dashes", repeated("- ", 100'000)},
      {"question marks", repeated("? ", 100'000)},
      {"stairs of keys", stairs},
      {"a thousand million laughs", laughs},
      {"an alias to itself", "a: &x [*x]"},
      {"many aliases", "a: &x y\nb: [" + repeated("*x,", 60'000) + "]"},
      {"many anchors", repeated("- &x y\n", 30'000)},
      {"a wide list", head + repeated("  - a\n", 40'000)},
      {"a wide list in brackets", "a: [" + repeated("1,", 120'000) + "]"},
      {"nothing but commas in brackets", "a: [" + repeated(",", 250'000) + "]"},
      {"many keys", repeated("a: 1\n", 50'000)},
      {"a long text", head + "  - " + std::string(250'000, 'a')},
      {"a long quoted text", head + "  - \"" + std::string(250'000, 'a') + "\""},
      {"a long open quote", head + "  - \"" + std::string(250'000, 'a')},
      {"a long key", std::string(250'000, 'a') + ": 1"},
      {"long keys of no meaning", repeated(std::string(4000, 'k') + "\n: 1\n", 60)},
      {"a long comment", "# " + std::string(250'000, 'a')},
      {"many documents", repeated("---\n", 60'000)},
      {"many empty lines", std::string(250'000, '\n')},
      {"many spaces", std::string(250'000, ' ')},
      {"a long tag", "!" + std::string(250'000, 'a') + " x"},
      {"a long anchor", "&" + std::string(250'000, 'a') + " x"},
      {"many directives", repeated("%TAG !a! b\n", 20'000)},
      {"a block text", head + "  - |\n" + repeated("    a\n", 40'000)},
      {"a folded text", head + "  - a\n" + repeated("    a\n", 40'000)},
      {"unknown keys in many pages", head + repeated("  - qwertyuiop: 1\n", 4'900)},
      {"more than 256 KiB", std::string(manifests::kMaxManifestBytes + 1, '#')},
  };
  for (const auto& bomb : bombs) {
    const Parsed result = parse(bomb.text);
    EXPECT_TRUE(result.refused) << bomb.name;
    expect_few(result.allocations, bomb.text, bomb.name);
    EXPECT_LT(result.text.size(), 1'000U) << bomb.name;
  }
}

TEST(LargeManifest, IsReadWithFewAllocations) {
  std::string text = "mezzotint: 1\njob: Large\npages:\n";
  for (int i = 0; i < 5'000; ++i) text += "  - {input: scans/page_" + std::to_string(i) + ".tif}\n";
  ASSERT_LT(text.size(), manifests::kMaxManifestBytes);
  const Parsed result = parse(text);
  EXPECT_FALSE(result.refused) << result.text;
  expect_few(result.allocations, text, "5,000 pages");
}

TEST(Limits, AreExact) {
  const std::string head = "mezzotint: 1\njob: x\npages:\n";
  EXPECT_FALSE(parse(head + "  - " + std::string(4096, 'a')).refused);
  EXPECT_TRUE(parse(head + "  - " + std::string(4097, 'a')).refused);
  EXPECT_FALSE(parse(head + repeated("  - a\n", 5'000)).refused);
  EXPECT_TRUE(parse(head + repeated("  - a\n", 5'001)).refused);
  const std::string page = "  - a.tif\n";
  const std::string filler(manifests::kMaxManifestBytes - head.size() - page.size(), '#');
  EXPECT_FALSE(parse(head + page + filler).refused);
  EXPECT_TRUE(parse(head + page + filler + "#").refused);
  const auto text_of = [](size_t depth) {
    return parse("a: " + repeated("[", depth) + repeated("]", depth)).text;
  };
  EXPECT_EQ(text_of(manifests::kMaxYamlDepth - 1).find("nested"), std::string::npos);
  EXPECT_NE(text_of(manifests::kMaxYamlDepth).find("nested"), std::string::npos);
}

/// Changes a text in one place: another byte, one more, one less, or a piece of it once more.
std::string mutated(std::string text, std::mt19937& random) {
  using std::string_literals::operator""s;  // for what follows the NUL
  static const std::string kSpecial = ",[]{}:-?&*!|>'\"%@`#~<.\n\r\t \\\0\x7F\x80\xC3\xFF"s;
  const auto below = [&](size_t end) {
    return std::uniform_int_distribution<size_t>(0, end - 1)(random);
  };
  const size_t at = below(text.size());
  const char byte =
      below(4) == 0 ? static_cast<char>(below(256)) : kSpecial[below(kSpecial.size())];
  switch (below(4)) {
    case 0:
      text.insert(at, 1, byte);
      break;
    case 1:
      text.erase(at, 1);
      break;
    case 2:
      text.insert(at, text.substr(below(text.size()), below(20)));
      break;
    default:
      text[at] = byte;
  }
  return text;
}

TEST(MutatedManifest, NeverCrashes) {
  const char* chosen = std::getenv("MEZZOTINT_SEED");
  const uint32_t seed =
      chosen != nullptr ? static_cast<uint32_t>(std::stoul(chosen)) : std::random_device()();
  const char* count = std::getenv("MEZZOTINT_MUTATIONS");
  const size_t rounds = count != nullptr ? std::stoul(count) : 20'000;
  std::printf("MEZZOTINT_SEED=%u\n", seed);
  std::fflush(stdout);  // so that it is there after a crash
  std::mt19937 random(seed);
  const std::string whole =
      "mezzotint: 1\njob: Night batch\nlimits: {memory: 2 GiB, threads: 8}\ndefaults:\n"
      "  halftone: {method: threshold, level: 50%}\n  tone:\n"
      "    curve: [[0%, 0%], [50%, 54%], [100%, 100%]]\n"
      "  output: {path: \"plates/{stem}_{ink}.tif\"}\n"
      "pages_total: 3\npages:\n  - a.tif\n  - input: 'b.tif'  # two\n    pages: 1-3, 7\n"
      "  - {input: c*.tif, tone: {invert: true}}\nend: true\n";
  ASSERT_FALSE(parse(whole).refused) << parse(whole).text;
  for (size_t i = 0; i < rounds; ++i) {
    std::string text = mutated(whole, random);
    if (i % 4 == 0) text = mutated(std::move(text), random);
    const AllocationCount allocations;
    const auto parsed = manifests::parse_manifest(text, "m.yaml");
    expect_few(allocations.done(), text, "mutation " + std::to_string(i) + ":\n" + text);
    if (const auto* diagnostics = std::get_if<std::vector<Diagnostic>>(&parsed)) {
      ASSERT_FALSE(diagnostics->empty());
      ASSERT_TRUE(is_clean_text(diagnostics->front().message)) << text;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::robustness_test
