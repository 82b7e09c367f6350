// Look-up tables for decoding fax: the code that a stream begins with, and several codes at once.
//
// A stream is decoded by its state: the colour of the pixel that is coded next, and whether a mode of
// T.6 or a run comes next.
#pragma once

#include <cstdint>
#include <vector>

namespace mezzo::codec {

enum class FaxCoding {
  kG3,  ///< T.4, one-dimensional, with an end-of-line code before each row
  kG4,  ///< T.6
};

/// Bit 0: the colour, 1 is ink. Runs are those of G3 and the second ones of horizontal codes; first runs
/// follow a horizontal code.
enum FaxState : uint32_t {
  kModeOfWhite,
  kModeOfInk,
  kRunOfWhite,
  kRunOfInk,
  kFirstRunOfWhite,
  kFirstRunOfInk
};
inline constexpr uint32_t kFaxStates = 6;

/// Behind a run in `state`. In G3 a run follows a run, in G4 a mode follows the second one.
constexpr uint32_t fax_state_behind_run(FaxCoding coding, uint32_t state) {
  const bool is_run_next = coding == FaxCoding::kG3 || state >= kFirstRunOfWhite;
  return (is_run_next ? kRunOfWhite : kModeOfWhite) + ((state & 1) ^ 1);
}

enum class FaxKind : uint8_t {
  kNone,      ///< no code of this state
  kVertical,  ///< amount: a1 - b1
  kPass,
  kHorizontal,  ///< two runs follow
  kRun,         ///< amount: its last 0 to 63 px
  kMakeup,      ///< amount: px of a run that goes on
};

/// A single code.
struct FaxSymbol {
  int16_t amount = 0;
  FaxKind kind = FaxKind::kNone;
  uint8_t length = 0;  ///< bits
};

inline constexpr uint32_t kSymbolBits = 13;  ///< the longest code

/// The symbol that each value of the next kSymbolBits bits begins with, by state.
struct FaxSymbols {
  FaxSymbol of[kFaxStates][1U << kSymbolBits];
};
const FaxSymbols& fax_symbols();

inline constexpr uint32_t kStepBits = 12;
inline constexpr uint32_t kMostMoves = 4;

/// Up to kMostMoves moves to the right that begin the next kStepBits bits, packed into a word. A move
/// is a vertical code, half of a pass code, or a run:
///   column += amount, and of vertical codes and passes also the pixels before the next change;
///   then the colour changes, unless in the middle of a pass, at a column that is marked.
/// Moves are of the colour of the state and of the other one by turns. A pass is two moves of which
/// neither is marked; a horizontal code is none. Unused moves are runs of 0 px, not marked. Where no code
/// is whole, the first move is a run of kTooFar.
struct FaxStep {
  static constexpr uint64_t kLengthMask = 0xF;  ///< bits that the moves take
  static constexpr uint32_t kStateAt = kStepBits;
  /// The state behind the moves, where fax_steps() has it in its index.
  static constexpr uint64_t kStateMask = uint64_t{7} << kStateAt;
  static constexpr uint64_t is_run(uint32_t move) { return uint64_t{1} << (16 + move); }
  static constexpr uint64_t is_marked(uint32_t move) { return uint64_t{1} << (20 + move); }
  /// The amount of a move is signed, in bits [amount_at(move), amount_at(move) + 8).
  static constexpr uint32_t amount_at(uint32_t move) { return 32 + 8 * move; }
  static constexpr uint64_t kTooFar = 127;
};

/// Steps by state and the next kStepBits bits: [state << FaxStep::kStateAt | bits].
using FaxSteps = std::vector<uint64_t>;

/// Steps of at most `moves` moves, 2 to kMostMoves.
const FaxSteps& fax_steps(FaxCoding coding, uint32_t moves);

}  // namespace mezzo::codec
