#include "kernels/codec/fax_lookup.h"

#include <array>

#include "kernels/base/error.h"
#include "kernels/codec/fax_codes.h"

namespace mezzo::codec {
namespace {

void enter(FaxSymbols& symbols, uint32_t state, const FaxCode& code, FaxKind kind, int amount) {
  const uint32_t free_bits = kSymbolBits - code.length;
  const uint32_t first = uint32_t{code.bits} << free_bits;
  for (uint32_t i = first; i < first + (1U << free_bits); ++i) {
    symbols.of[state][i] = {static_cast<int16_t>(amount), kind, static_cast<uint8_t>(code.length)};
  }
}

void enter_modes(FaxSymbols& symbols, uint32_t state) {
  for (int i = 0; i < 7; ++i) {
    enter(symbols, state, kVerticalCodes[i], FaxKind::kVertical, i - 3);
  }
  enter(symbols, state, kPassCode, FaxKind::kPass, 0);
  enter(symbols, state, kHorizontalCode, FaxKind::kHorizontal, 0);
}

void enter_runs(FaxSymbols& symbols, uint32_t state) {
  const FaxRunCodes& codes = kRunCodes[state & 1];
  for (int i = 0; i < 64; ++i) enter(symbols, state, codes.terminating[i], FaxKind::kRun, i);
  for (int i = 1; i <= 40; ++i) enter(symbols, state, codes.makeup[i], FaxKind::kMakeup, 64 * i);
}

FaxSymbols make_symbols() {
  FaxSymbols symbols;
  for (uint32_t ink = 0; ink < 2; ++ink) {
    enter_modes(symbols, kModeOfWhite + ink);
    enter_runs(symbols, kRunOfWhite + ink);
    enter_runs(symbols, kFirstRunOfWhite + ink);
  }
  return symbols;
}

/// A step while moves are added to it, one code after another.
class StepMaker {
 public:
  StepMaker(FaxCoding coding, uint32_t moves, uint32_t state, uint32_t bits)
      : coding_(coding), moves_(moves), state_(state), bits_(bits) {}

  uint64_t make() {
    while (add_code()) {
    }
    if (length_ == 0) return FaxStep::is_run(0) | FaxStep::kTooFar << FaxStep::amount_at(0);
    for (uint32_t move = count_; move < kMostMoves; ++move) packed_ |= FaxStep::is_run(move);
    return packed_ | length_ | uint64_t{state_} << FaxStep::kStateAt;
  }

 private:
  /// False when no whole code is left, or no room for its moves.
  bool add_code() {
    const FaxSymbol symbol = next();
    switch (symbol.kind) {
      case FaxKind::kVertical:
        if (count_ == moves_) return false;
        // From the column a0, b1 is 1 px and those before the change away.
        add_move(symbol.amount + 1, FaxStep::is_marked(count_));
        state_ ^= 1;
        break;
      case FaxKind::kPass:
        if (count_ + 2 > moves_) return false;
        add_move(1, 0);
        add_move(1, 0);
        break;
      case FaxKind::kHorizontal:
        state_ = kFirstRunOfWhite + (state_ & 1);
        break;
      case FaxKind::kRun:
        // Runs of 0 px are at the ends of rows alone, which are decoded code by code.
        if (count_ == moves_ || symbol.amount == 0) return false;
        add_move(symbol.amount, FaxStep::is_run(count_) | FaxStep::is_marked(count_));
        state_ = fax_state_behind_run(coding_, state_);
        break;
      default:
        return false;
    }
    length_ += symbol.length;
    return true;
  }

  void add_move(int amount, uint64_t flags) {
    const auto low = static_cast<uint8_t>(amount);
    packed_ |= flags | uint64_t{low} << FaxStep::amount_at(count_);
    ++count_;
  }

  /// The symbol behind those that were added; kNone if it is not whole.
  FaxSymbol next() const {
    static_assert(kSymbolBits > kStepBits);
    const uint32_t left = bits_ << (kSymbolBits - kStepBits) << length_;
    const FaxSymbol symbol = fax_symbols().of[state_][left & ((1U << kSymbolBits) - 1)];
    return length_ + symbol.length <= kStepBits ? symbol : FaxSymbol{};
  }

  FaxCoding coding_;
  uint32_t moves_;
  uint32_t state_;
  uint32_t bits_;
  uint32_t count_ = 0;
  uint32_t length_ = 0;
  uint64_t packed_ = 0;
};

FaxSteps make_steps(FaxCoding coding, uint32_t moves) {
  FaxSteps steps(kFaxStates << kStepBits);
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const uint32_t bits = i & ((1U << kStepBits) - 1);
    steps[i] = StepMaker(coding, moves, i >> kStepBits, bits).make();
  }
  return steps;
}

}  // namespace

const FaxSymbols& fax_symbols() {
  static const FaxSymbols symbols = make_symbols();
  return symbols;
}

const FaxSteps& fax_steps(FaxCoding coding, uint32_t moves) {
  MZ_ASSERT(moves >= 2 && moves <= kMostMoves);
  static const std::array<FaxSteps, kMostMoves - 1> g3 = {
      make_steps(FaxCoding::kG3, 2), make_steps(FaxCoding::kG3, 3), make_steps(FaxCoding::kG3, 4)};
  static const std::array<FaxSteps, kMostMoves - 1> g4 = {
      make_steps(FaxCoding::kG4, 2), make_steps(FaxCoding::kG4, 3), make_steps(FaxCoding::kG4, 4)};
  return (coding == FaxCoding::kG3 ? g3 : g4)[moves - 2];
}

}  // namespace mezzo::codec
