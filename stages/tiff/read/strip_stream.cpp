#include "stages/tiff/read/strip_stream.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>

#include "kernels/base/error.h"
#include "stages/tiff/read/bit_order.h"
#include "stages/tiff/read/samples.h"

namespace mezzo::tiff {
namespace {

constexpr size_t kChunkBytes = size_t{64} << 10;

[[noreturn]] void refuse_without_memory() {
  throw Error(ErrorKind::kLimit, "no memory for a decoder");
}

class ZlibDecoder final : public StreamDecoder {
 public:
  ZlibDecoder() {
    if (inflateInit(&stream_) != Z_OK) refuse_without_memory();
  }
  ~ZlibDecoder() override { inflateEnd(&stream_); }
  ZlibDecoder(const ZlibDecoder&) = delete;
  ZlibDecoder& operator=(const ZlibDecoder&) = delete;

  void reset() override { inflateReset(&stream_); }

  Status step(std::span<const std::byte>& in, std::span<std::byte>& out) override {
    // zlib takes a pointer to non-const, and only reads.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    in = in.last(stream_.avail_in);
    out = out.last(stream_.avail_out);
    if (result == Z_STREAM_END) return Status::kEnd;
    return result == Z_OK || result == Z_BUF_ERROR ? Status::kMore : Status::kWrong;
  }

 private:
  z_stream stream_{};
};

class ZstdDecoder final : public StreamDecoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (!context_) refuse_without_memory();
  }

  void reset() override { ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only); }

  Status step(std::span<const std::byte>& in, std::span<std::byte>& out) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const size_t result = ZSTD_decompressStream(context_.get(), &to, &from);
    in = in.subspan(from.pos);
    out = out.subspan(to.pos);
    if (ZSTD_isError(result) != 0) return Status::kWrong;
    return result == 0 ? Status::kEnd : Status::kMore;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
};

std::unique_ptr<StreamDecoder> make_decoder(const PageLayout& layout) {
  MZ_ASSERT(StripStream::decodes(layout));
  if (layout.is_deflate()) return std::make_unique<ZlibDecoder>();
  return std::make_unique<ZstdDecoder>();
}

}  // namespace

StripStream::StripStream(const files::InputFile& file, const PageLayout& layout)
    : file_(file), layout_(layout), decoder_(make_decoder(layout)) {}

void StripStream::begin(uint64_t offset, uint64_t stored_bytes) {
  decoder_->reset();
  offset_ = offset;
  left_ = stored_bytes;
  in_ = {};
  has_ended_ = false;
}

/// Fills `out`, or as much as the stream still has.
std::string StripStream::decode(std::span<std::byte>& out) {
  while (!out.empty() && !has_ended_) {
    if (in_.empty() && left_ > 0) {
      chunk_.resize(static_cast<size_t>(std::min<uint64_t>(kChunkBytes, left_)));
      file_.read(offset_, chunk_);
      if (layout_.reversed_bits) reverse_bits(chunk_.data(), chunk_.size());
      offset_ += chunk_.size();
      left_ -= chunk_.size();
      in_ = chunk_;
    }
    const size_t before = in_.size() + out.size();
    const StreamDecoder::Status status = decoder_->step(in_, out);
    if (status == StreamDecoder::Status::kWrong) return "its codes or its checksum are wrong";
    has_ended_ = status == StreamDecoder::Status::kEnd;
    const bool is_stuck = in_.size() + out.size() == before && left_ == 0;
    if (is_stuck && !has_ended_) return "its end is missing";
  }
  return {};
}

std::string StripStream::read_row(std::byte* to, size_t size) {
  std::span<std::byte> out(to, size);
  std::string wrong = decode(out);
  if (!wrong.empty()) return wrong;
  if (!out.empty()) return "it ends before its last row";
  finish_rows(layout_, to, size);
  return {};
}

std::string StripStream::finish(uint64_t surplus) {
  std::array<std::byte, 4096> rest;
  while (!has_ended_) {
    // One byte more than it may have, which tells that it has too many.
    const uint64_t wanted = std::min<uint64_t>(rest.size(), surplus + 1);
    std::span<std::byte> out = std::span(rest).first(static_cast<size_t>(wanted));
    const size_t room = out.size();
    std::string wrong = decode(out);
    if (!wrong.empty()) return wrong;
    const size_t found = room - out.size();
    if (found > surplus) return "it has more than its rows";
    surplus -= found;
  }
  return {};
}

}  // namespace mezzo::tiff
