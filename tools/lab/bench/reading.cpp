#include "tools/lab/bench/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>

#include "kernels/prepress/deinterleave.h"
#include "stages/band/band_reader.h"
#include "stages/files/input_file.h"
#include "stages/files/xxh3.h"
#include "stages/tiff/read/digesting_reader.h"
#include "tools/synth/write_page.h"

namespace mezzo::bench {
namespace {

using Run = Benchmark::Run;

/// A page to read.
struct Page {
  std::string name;
  synth::SynthOptions options;
  std::string compression;
  std::string path;
};

std::vector<Page> pages_in(const std::string& folder, const PlaneSize& size) {
  const synth::SynthOptions grey{.width_px = size.width_px, .height_px = size.height_px};
  synth::SynthOptions fine = grey, inks = grey;
  fine.bits = 16;
  inks.planes = 4;
  std::vector<Page> pages;
  const auto add = [&](const std::string& name, const synth::SynthOptions& options) {
    for (const char* compression : {"none", "lzw", "deflate"}) {
      const std::string full = name + ", " + compression;
      pages.push_back({full, options, compression, folder + "/" + full + ".tif"});
    }
  };
  add("8-bit grey", grey);
  add("16-bit grey", fine);
  add("8-bit CMYK", inks);
  return pages;
}

void write(const Page& page) {
  if (std::filesystem::exists(page.path)) return;
  synth::write_synth_page(page.path, page.options, page.compression);
}

/// The bytes of the file, to one buffer.
Run reading_bytes(const Page& page) {
  write(page);
  const auto file = std::make_shared<files::InputFile>(page.path, uint64_t{1} << 40);
  const auto buffer = std::make_shared<std::vector<std::byte>>(size_t{256} << 10);
  return [file, buffer] {
    for (uint64_t at = 0; at < file->size(); at += buffer->size()) {
      const uint64_t bytes = std::min<uint64_t>(buffer->size(), file->size() - at);
      file->read(at, std::span(*buffer).first(bytes));
    }
  };
}

struct Bands {
  bool digested = false;  ///< the samples are
  bool in_turn = true;  ///< a few buffers are used in turn, as by a job; else each band has its own
};

/// The bands of a job: about 2 MiB, in whole strips.
Run reading_bands(const Page& page, const Bands& bands) {
  constexpr uint64_t kMemory = uint64_t{1} << 30;
  constexpr uint64_t kBandBytes = uint64_t{2} << 20;
  constexpr size_t kInTurn = 4;
  write(page);
  const std::shared_ptr<tiff::TiffFile> file = tiff::TiffFile::open(page.path);
  const auto buffers = std::make_shared<std::vector<ContoneBuffer>>(kInTurn);
  return [file, buffers, bands] {
    const PageInfo& info = file->page(0);
    std::unique_ptr<tiff::PageReader> reader = file->open_page(0, kMemory);
    if (bands.digested) {
      reader = std::make_unique<tiff::DigestingReader>(
          std::move(reader), info.inks.size(), prepress::SampleRange{0, info.height_px});
    }
    const uint64_t row_bytes = uint64_t{info.width_px} * info.bytes_per_sample * info.inks.size();
    const uint64_t quantum = reader->row_quantum();
    const uint64_t wanted = std::max<uint64_t>(kBandBytes / row_bytes / quantum, 1) * quantum;
    const auto rows = static_cast<uint32_t>(std::min<uint64_t>(wanted, info.height_px));
    BandReader band_reader(info, *reader, rows, 0);
    SoloTeam solo;
    for (uint32_t row = 0, band = 0; row < info.height_px; row += rows, ++band) {
      ContoneBuffer fresh;
      ContoneBuffer& buffer = bands.in_turn ? (*buffers)[band % kInTurn] : fresh;
      band_reader.read(buffer, BufferUse::kCpuOnly, solo);
    }
  };
}

void add_page(const Page& page, const PlaneSize& size, std::vector<Benchmark>& all) {
  const std::string group = "read " + page.name;
  const auto add = [&](const std::string& name, std::function<Run()> make) {
    all.push_back({group, name, size, std::move(make)});
  };
  if (page.compression == "none") {
    add("bytes of the file alone", [page] { return reading_bytes(page); });
  }
  add("bands", [page] { return reading_bands(page, {}); });
  add("bands, each in new memory", [page] { return reading_bands(page, {.in_turn = false}); });
  add("bands and their digest", [page] { return reading_bands(page, {.digested = true}); });
}

/// Steps from memory to memory; a pixel is a byte.
void add_steps(std::vector<Benchmark>& all) {
  constexpr PlaneSize kSize = {1024, 256};
  constexpr size_t kBytes = size_t{kSize.width_px} * kSize.height_px;
  const auto from = std::make_shared<std::vector<std::byte>>(kBytes);
  const auto to = std::make_shared<std::vector<std::byte>>(kBytes);
  const std::string group = "read, in the cache, a byte a pixel";
  all.push_back({group, "copy", kSize, [=] {
                   return [=] { std::memcpy(to->data(), from->data(), kBytes); };
                 }});
  all.push_back({group, "digest", kSize, [=] {
                   const auto digest = std::make_shared<files::Xxh3>();
                   return [=] { digest->add(from->data(), kBytes); };
                 }});
  for (const size_t inks : {2, 3, 4, 6}) {
    all.push_back({group, fmt::format("{} inks to planes", inks), kSize, [=] {
                     return [=] {
                       std::vector<std::byte*> planes;
                       const size_t pixels = kBytes / inks;
                       for (size_t p = 0; p < inks; ++p) planes.push_back(to->data() + p * pixels);
                       prepress::deinterleave({from->data(), 1, inks, pixels}, planes, inks, 255);
                     };
                   }});
  }
}

}  // namespace

void add_reading(const std::string& folder, const PlaneSize& size, std::vector<Benchmark>& all) {
  add_steps(all);
  for (const Page& page : pages_in(folder, size)) add_page(page, size, all);
}

}  // namespace mezzo::bench
