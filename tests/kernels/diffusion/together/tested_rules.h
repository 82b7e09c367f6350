// A rule of each type whose inks can be halftoned together.
#pragma once

#include "kernels/diffusion/rules/rules.h"
#include "kernels/diffusion/rules/tables/tables.h"
#include "kernels/diffusion/rules/tables/tone_table.h"

namespace mezzo::test {

template <diffusion::Rule R>
R rule();
template <>
inline diffusion::FloydSteinbergRule rule() {
  return {};
}
template <>
inline diffusion::TableRule rule() {
  return {diffusion::zhou_fang_entries(), 77};
}
template <>
inline diffusion::ToneRule rule() {
  return {diffusion::tone_dependent_entries(), 77};
}
template <>
inline diffusion::FeedbackRule rule() {
  return {diffusion::FeedbackRule::kMostFeedback, 77};
}

}  // namespace mezzo::test
