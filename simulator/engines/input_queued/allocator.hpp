#pragma once

#include "wormcast/simulator/model/network.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// A request of an allocator's input for an output.
struct AllocatorRequest {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::int64_t input_priority = 0; ///< higher wins; islip ignores priorities
  std::int64_t output_priority = 0;
};

/// The round-robin pointers of one router's allocator, which determine the order of requests.
struct AllocatorPointers {
  std::span<std::uint16_t> of_outputs; ///< by output: pointer over inputs; of wavefronts the first: their diagonal
  std::span<std::uint16_t> of_inputs;  ///< by input: pointer over outputs
};

/// Matches each input with at most one output and each output with at most one input (docs/routers.md, "Allocators").
/// Cost O(requests), of wavefronts O(requests log requests).
class Allocator {
public:
  Allocator(AllocatorKind kind, std::uint32_t iterations, std::uint32_t inputs, std::uint32_t outputs);

  /// Returns the indices in `requests` of the granted ones, valid until the next call, and advances the pointers. A
  /// pair of input and output occurs at most once.
  std::span<const std::uint32_t> match(std::span<const AllocatorRequest> requests, AllocatorPointers pointers);

private:
  static constexpr std::uint32_t none = 0xffffffff;

  void islip(std::span<const AllocatorRequest> requests, AllocatorPointers pointers);
  void input_first(std::span<const AllocatorRequest> requests, AllocatorPointers pointers);
  void output_first(std::span<const AllocatorRequest> requests, AllocatorPointers pointers);
  void wavefront(std::span<const AllocatorRequest> requests, std::uint16_t& first_diagonal);
  // The input (output) of the request at `request_index` chooses it if it is better than its earlier choice.
  void let_inputs_choose(std::uint32_t request_index, std::span<const AllocatorRequest> requests,
                         AllocatorPointers pointers);
  void let_outputs_choose(std::uint32_t request_index, std::span<const AllocatorRequest> requests,
                          AllocatorPointers pointers);
  void grant(std::uint32_t request_index, std::span<const AllocatorRequest> requests, AllocatorPointers pointers);
  void clear(std::span<const AllocatorRequest> requests);

  // The distance behind the pointer: the lowest rank wins.
  std::uint32_t input_rank(const AllocatorRequest& request, AllocatorPointers pointers) const
  {
    const std::uint32_t pointer = pointers.of_outputs[request.output];
    return request.input >= pointer ? request.input - pointer : request.input + inputs_ - pointer;
  }
  std::uint32_t output_rank(const AllocatorRequest& request, AllocatorPointers pointers) const
  {
    const std::uint32_t pointer = pointers.of_inputs[request.input];
    return request.output >= pointer ? request.output - pointer : request.output + outputs_ - pointer;
  }

  AllocatorKind kind_;
  std::uint32_t iterations_;
  std::uint32_t inputs_;
  std::uint32_t outputs_;
  std::vector<std::uint32_t> choice_of_output_; // by output: the request that it chooses
  std::vector<std::uint32_t> choice_of_input_;  // by input: the request that it chooses
  std::vector<std::uint8_t> input_matched_;
  std::vector<std::uint8_t> output_matched_;
  std::vector<std::uint32_t> granted_;
  std::vector<std::uint32_t> order_; // of wavefronts: requests, the first one served first
};

} // namespace wormcast
