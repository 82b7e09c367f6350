// Tables of colours: files of a plan, or kept beside a job. A good one gives its bytes again, and looks up
// colours.

#include "kernels/prepress/colour_lookup.h"
#include "kernels/prepress/colour_table.h"
#include "stages/colour/table_file.h"
#include "tests/fuzz/support.h"

namespace mezzo::fuzz {
namespace {

using prepress::BlackRule;
using prepress::ColourTable;

std::string small(prepress::ColourShape shape, BlackRule rule, std::vector<uint16_t> curve = {}) {
  std::vector<uint16_t> nodes(prepress::node_values(shape));
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = static_cast<uint16_t>(i * 997 % 32641);
  const uint32_t black = rule == BlackRule::kNone ? 0 : shape.outputs - 1;
  return colour::table_bytes(ColourTable(shape, nodes, rule, black, std::move(curve)));
}

constexpr size_t kMagicBytes = 23, kHeadBytes = kMagicBytes + 7 * 4, kDigestBytes = 32;

uint32_t number_at(const Bytes& bytes, size_t at, size_t width) {
  uint32_t number = 0;
  for (size_t i = width; i-- > 0;) number = number << 8 | static_cast<uint32_t>(bytes[at + i]);
  return number;
}

/// Colours all over the table, looked up fast and slowly.
void look_up(const ColourTable& table) {
  constexpr uint32_t kPixels = 37;
  const prepress::ColourShape& shape = table.shape();
  std::vector<std::vector<uint16_t>> in(shape.inputs, std::vector<uint16_t>(kPixels));
  for (uint32_t i = 0; i < shape.inputs; ++i) {
    for (uint32_t x = 0; x < kPixels; ++x) in[i][x] = static_cast<uint16_t>(x * (i + 1) * 1771);
  }
  std::vector<const uint16_t*> from;
  for (const auto& row : in) from.push_back(row.data());
  const auto converted = [&](const auto& convert) {
    std::vector<std::vector<uint16_t>> out(shape.outputs, std::vector<uint16_t>(kPixels));
    std::vector<uint16_t*> to;
    for (auto& row : out) to.push_back(row.data());
    convert(table, std::span<const uint16_t* const>(from), std::span<uint16_t* const>(to), kPixels);
    return out;
  };
  const auto fast = converted([](auto&&... all) { prepress::convert(all...); });
  const auto slow = converted([](auto&&... all) { prepress::reference::convert(all...); });
  demand(fast == slow, "two ways to look up colours differ");
}

}  // namespace

std::vector<Bytes> seeds() {
  return {bytes_of(small({1, 1, 5}, BlackRule::kNone)),
          bytes_of(small({3, 4, 2}, BlackRule::kBlackPoint)),
          bytes_of(small({3, 4, 3}, BlackRule::kNeutrals, {0, 16000, 32640})),
          bytes_of(small({4, 5, 2}, BlackRule::kOnlyBlack, {32640, 0})),
          bytes_of(small({6, 2, 2}, BlackRule::kNone))};
}

void change(Bytes& input, Random& random) {
  change_bytes(input, random);
}

/// The digest of what the table has become.
void mend(Bytes& input) {
  if (input.size() < kHeadBytes + kDigestBytes) return;
  const auto head = [&](size_t i) { return number_at(input, kMagicBytes + 4 * i, 4); };
  const prepress::ColourShape shape{head(1), head(2), head(3)};
  const uint64_t points = head(6);
  if (!prepress::is_possible(shape) || points > ColourTable::kMostCurvePoints) return;
  const uint64_t nodes = prepress::node_values(shape);
  if (kHeadBytes + 2 * (nodes + points) + kDigestBytes != input.size()) return;
  std::vector<uint16_t> values;
  for (size_t at = kHeadBytes; at < input.size() - kDigestBytes; at += 2) {
    values.push_back(static_cast<uint16_t>(number_at(input, at, 2)));
  }
  const std::vector<uint16_t> curve(values.begin(),
                                    values.begin() + static_cast<std::ptrdiff_t>(points));
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(points));
  passes([&] {
    const ColourTable table(shape, values, static_cast<BlackRule>(head(4)), head(5), curve);
    input = bytes_of(colour::table_bytes(table));
  });
}

bool run(const Bytes& input) {
  const std::string text = text_of(input);
  std::shared_ptr<const ColourTable> table;
  if (!passes([&] { table = colour::parse_table(text, "in.lut"); })) return false;
  // Without a rule of black, the file's black output is forgotten.
  const bool forgets = table->rule() == BlackRule::kNone;
  demand(forgets || colour::table_bytes(*table) == text, "a table has other bytes than its file");
  look_up(*table);
  return true;
}

}  // namespace mezzo::fuzz
