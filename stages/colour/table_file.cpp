#include "stages/colour/table_file.h"

#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "stages/files/input_file.h"
#include "stages/files/publish.h"

namespace mezzo::colour {
namespace {

using prepress::BlackRule;
using prepress::ColourShape;
using prepress::ColourTable;

constexpr std::string_view kMagic = "mezzotint colour table\n";
constexpr size_t kNumbers = 7;
constexpr size_t kDigestBytes = 32;

/// The largest table, of 4 inputs and 16 outputs, has 9 MB.
constexpr uint64_t kMostBytes = 16ULL << 20;

void append32(std::string& bytes, size_t number) {
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<char>(number >> shift & 0xFF));
  }
}

void append16(std::string& bytes, const std::vector<uint16_t>& values) {
  for (const uint16_t value : values) {
    bytes.push_back(static_cast<char>(value & 0xFF));
    bytes.push_back(static_cast<char>(value >> 8));
  }
}

/// Takes pieces from the front of bytes that are long enough.
class Pieces {
 public:
  explicit Pieces(std::string_view bytes) : bytes_(bytes) {}

  std::string_view take(size_t count) {
    const std::string_view piece = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return piece;
  }
  uint32_t number(size_t bytes) {
    uint32_t number = 0, shift = 0;
    for (const char byte : take(bytes)) {
      number |= uint32_t{static_cast<uint8_t>(byte)} << shift;
      shift += 8;
    }
    return number;
  }
  std::vector<uint16_t> values(size_t count) {
    std::vector<uint16_t> values(count);
    for (uint16_t& value : values) value = static_cast<uint16_t>(number(2));
    return values;
  }
  size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw Error(ErrorKind::kData,
              fmt::format("{}: {}", place, why),
              "make the table anew, or take it from a copy");
}

/// Throws Error(kData) unless as many bytes are left as the table's shape and curve ask for. Only
/// then is memory taken.
void check_size(const ColourShape& shape, uint32_t points, size_t left, const std::string& place) {
  if (!is_possible(shape) || points > ColourTable::kMostCurvePoints) {
    refuse(place,
           fmt::format("there is no colour table of {} inputs, {} outputs, {} nodes along each and "
                       "a curve of {} points",
                       shape.inputs,
                       shape.outputs,
                       shape.grid,
                       points));
  }
  const uint64_t wanted = 2 * (node_values(shape) + points) + kDigestBytes;
  if (left == wanted) return;
  refuse(place,
         left < wanted ? fmt::format("the file is cut off: {} bytes are missing", wanted - left)
                       : fmt::format("{} bytes follow its end", left - wanted));
}

}  // namespace

std::string table_bytes(const ColourTable& table) {
  const ColourShape& shape = table.shape();
  std::string bytes(kMagic);
  for (const size_t number : {size_t{ColourTable::kVersion},
                              size_t{shape.inputs},
                              size_t{shape.outputs},
                              size_t{shape.grid},
                              static_cast<size_t>(table.rule()),
                              size_t{table.black_output()},
                              table.black_curve().size()}) {
    append32(bytes, number);
  }
  append16(bytes, table.black_curve());
  append16(bytes, table.nodes());
  return bytes + table.digest();
}

std::shared_ptr<const ColourTable> parse_table(std::string_view bytes, const std::string& place) {
  Pieces pieces(bytes);
  if (bytes.size() < kMagic.size() + 4 * kNumbers || pieces.take(kMagic.size()) != kMagic) {
    refuse(place, "this is no colour table");
  }
  const uint32_t version = pieces.number(4);
  if (version != ColourTable::kVersion) {
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("{}: the colour table is of version {}, and this program knows version {}",
                    place,
                    version,
                    ColourTable::kVersion),
        "use the program that made it, or make it anew");
  }
  ColourShape shape;
  for (uint32_t* number : {&shape.inputs, &shape.outputs, &shape.grid}) *number = pieces.number(4);
  const uint32_t rule = pieces.number(4), black = pieces.number(4), points = pieces.number(4);
  check_size(shape, points, pieces.left(), place);
  std::vector<uint16_t> curve = pieces.values(points);
  std::vector<uint16_t> nodes = pieces.values(node_values(shape));
  std::shared_ptr<const ColourTable> table;
  try {
    table = std::make_shared<const ColourTable>(
        shape, std::move(nodes), static_cast<BlackRule>(rule), black, std::move(curve));
  } catch (const Error& error) {
    refuse(place, error.what());
  }
  const std::string_view digest = pieces.take(kDigestBytes);
  if (digest != table->digest()) {
    refuse(place, "the file is damaged: its digest is not that of its colour table");
  }
  return table;
}

std::shared_ptr<const ColourTable> read_table(const std::string& path,
                                              std::string_view digest,
                                              files::FileSystem& files) {
  auto table = parse_table(files::read_text(path, kMostBytes, files), path);
  if (digest.empty() || digest == table->digest()) return table;
  refuse(path, fmt::format("this is colour table {}, and {} is wanted", table->digest(), digest));
}

void write_table(const std::string& path, const ColourTable& table, files::FileSystem& files) {
  files::write_whole_file(path, table_bytes(table), files);
}

}  // namespace mezzo::colour
