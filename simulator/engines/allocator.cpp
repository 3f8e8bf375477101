#include "wormcast/simulator/engines/allocator.hpp"

#include <bit>
#include <utility>

namespace wormcast {

namespace {

// The first bit from `pointer` on, in cyclic order; bits != 0.
std::uint32_t first_bit(std::uint64_t bits, std::uint32_t pointer)
{
  const std::uint64_t behind = bits >> pointer << pointer;
  return static_cast<std::uint32_t>(std::countr_zero(behind != 0 ? behind : bits));
}

} // namespace

Allocator::Allocator(AllocatorKind kind, std::uint32_t iterations, std::uint32_t inputs, std::uint32_t outputs)
    : kind_(kind), iterations_(iterations), inputs_(inputs), outputs_(outputs), of_output_(outputs, none),
      of_input_(inputs, none), input_matched_(inputs, 0), output_matched_(outputs, 0), offers_(inputs, 0)
{}

std::span<const std::uint32_t> Allocator::match(std::span<const AllocatorRequest> requests, AllocatorPointers pointers)
{
  granted_.clear();
  switch (kind_) {
  case AllocatorKind::islip:
    islip(requests, pointers);
    break;
  case AllocatorKind::separable_input_first:
    input_first(requests, pointers);
    break;
  case AllocatorKind::separable_output_first:
    output_first(requests, pointers);
    break;
  }
  return granted_;
}

void Allocator::clear(std::span<const AllocatorRequest> requests)
{
  for (const AllocatorRequest& request : requests) {
    of_output_[request.output] = none;
    of_input_[request.input] = none;
  }
}

void Allocator::grant(std::uint32_t place, std::span<const AllocatorRequest> requests, AllocatorPointers pointers)
{
  const AllocatorRequest& request = requests[place];
  const std::uint32_t after_input = request.input + 1;
  const std::uint32_t after_output = request.output + 1;
  pointers.of_outputs[request.output] = static_cast<std::uint16_t>(after_input == inputs_ ? 0 : after_input);
  pointers.of_inputs[request.input] = static_cast<std::uint16_t>(after_output == outputs_ ? 0 : after_output);
  granted_.push_back(place);
}

// N. McKeown, IEEE/ACM Trans. Networking 7(2), 1999.
void Allocator::islip(std::span<const AllocatorRequest> requests, AllocatorPointers pointers)
{
  for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
    const std::size_t before = granted_.size();
    for (std::uint32_t i = 0; i < requests.size(); ++i) {
      const AllocatorRequest& request = requests[i];
      if (input_matched_[request.input] != 0 || output_matched_[request.output] != 0) {
        continue;
      }
      std::uint32_t& offered = of_output_[request.output];
      if (offered == none || input_rank(request, pointers) < input_rank(requests[offered], pointers)) {
        offered = i;
      }
    }
    for (std::uint32_t i = 0; i < requests.size(); ++i) {
      const AllocatorRequest& request = requests[i];
      if (of_output_[request.output] == i) {
        std::uint32_t& accepted = of_input_[request.input];
        if (accepted == none || output_rank(request, pointers) < output_rank(requests[accepted], pointers)) {
          accepted = i;
        }
      }
    }
    for (std::uint32_t i = 0; i < requests.size(); ++i) {
      if (of_input_[requests[i].input] == i) {
        input_matched_[requests[i].input] = 1;
        output_matched_[requests[i].output] = 1;
        if (iteration == 0) {
          grant(i, requests, pointers);
        } else {
          granted_.push_back(i); // the pointers stay
        }
      }
    }
    clear(requests);
    if (granted_.size() == before) {
      break;
    }
  }
  for (const std::uint32_t place : granted_) {
    input_matched_[requests[place].input] = 0;
    output_matched_[requests[place].output] = 0;
  }
}

std::span<const Allocator::Match> Allocator::match_outputs(AllocatorPointers pointers)
{
  matches_.clear();
  asking_ = 0;
  for (const Row& row : rows_) {
    asking_ |= row.inputs;
  }
  std::uint64_t unmatched = ~std::uint64_t{0};
  for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
    std::uint64_t offered = 0;
    for (const Row& row : rows_) {
      if ((row.inputs & unmatched) != 0) {
        const std::uint32_t input = first_bit(row.inputs & unmatched, pointers.of_outputs[row.output]);
        offers_[input] |= std::uint64_t{1} << row.output;
        offered |= std::uint64_t{1} << input;
      }
    }
    if (offered == 0) {
      break;
    }
    for (std::uint64_t bits = offered; bits != 0; bits &= bits - 1) {
      const auto input = static_cast<std::uint32_t>(std::countr_zero(bits));
      const std::uint32_t output = first_bit(std::exchange(offers_[input], 0), pointers.of_inputs[input]);
      matches_.push_back({input, output});
      if (iteration == 0) {
        pointers.of_outputs[output] = static_cast<std::uint16_t>(input + 1 == inputs_ ? 0 : input + 1);
        pointers.of_inputs[input] = static_cast<std::uint16_t>(output + 1 == outputs_ ? 0 : output + 1);
      }
    }
    unmatched &= ~offered;
    if (iteration + 1 < iterations_) {
      for (const Match& match : matches_) {
        std::erase_if(rows_, [&](const Row& row) { return row.output == match.output; });
      }
    }
  }
  rows_.clear();
  return matches_;
}

void Allocator::let_inputs_choose(std::uint32_t place, std::span<const AllocatorRequest> requests,
                                  AllocatorPointers pointers)
{
  const AllocatorRequest& request = requests[place];
  std::uint32_t& chosen = of_input_[request.input];
  if (chosen == none || request.input_priority > requests[chosen].input_priority ||
      (request.input_priority == requests[chosen].input_priority &&
       output_rank(request, pointers) < output_rank(requests[chosen], pointers))) {
    chosen = place;
  }
}

void Allocator::let_outputs_choose(std::uint32_t place, std::span<const AllocatorRequest> requests,
                                   AllocatorPointers pointers)
{
  const AllocatorRequest& request = requests[place];
  std::uint32_t& chosen = of_output_[request.output];
  if (chosen == none || request.output_priority > requests[chosen].output_priority ||
      (request.output_priority == requests[chosen].output_priority &&
       input_rank(request, pointers) < input_rank(requests[chosen], pointers))) {
    chosen = place;
  }
}

void Allocator::input_first(std::span<const AllocatorRequest> requests, AllocatorPointers pointers)
{
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    let_inputs_choose(i, requests, pointers);
  }
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    if (of_input_[requests[i].input] == i) {
      let_outputs_choose(i, requests, pointers);
    }
  }
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    if (of_output_[requests[i].output] == i) {
      grant(i, requests, pointers);
    }
  }
  clear(requests);
}

void Allocator::output_first(std::span<const AllocatorRequest> requests, AllocatorPointers pointers)
{
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    let_outputs_choose(i, requests, pointers);
  }
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    if (of_output_[requests[i].output] == i) {
      let_inputs_choose(i, requests, pointers);
    }
  }
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    if (of_input_[requests[i].input] == i) {
      grant(i, requests, pointers);
    }
  }
  clear(requests);
}

} // namespace wormcast
