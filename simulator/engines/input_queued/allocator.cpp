#include "wormcast/simulator/engines/input_queued/allocator.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace wormcast {

Allocator::Allocator(AllocatorKind kind, std::uint32_t iterations, std::uint32_t inputs, std::uint32_t outputs)
    : kind_(kind), iterations_(iterations), inputs_(inputs), outputs_(outputs), choice_of_output_(outputs, none),
      choice_of_input_(inputs, none), input_matched_(inputs, 0), output_matched_(outputs, 0)
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
  case AllocatorKind::wavefront:
  case AllocatorKind::rr_wavefront:
    wavefront(requests, pointers.of_outputs.front());
    break;
  }
  return granted_;
}

void Allocator::clear(std::span<const AllocatorRequest> requests)
{
  for (const AllocatorRequest& request : requests) {
    choice_of_output_[request.output] = none;
    choice_of_input_[request.input] = none;
  }
}

void Allocator::grant(std::uint32_t request_index, std::span<const AllocatorRequest> requests,
                      AllocatorPointers pointers)
{
  const AllocatorRequest& request = requests[request_index];
  const std::uint32_t after_input = request.input + 1;
  const std::uint32_t after_output = request.output + 1;
  pointers.of_outputs[request.output] = static_cast<std::uint16_t>(after_input == inputs_ ? 0 : after_input);
  pointers.of_inputs[request.input] = static_cast<std::uint16_t>(after_output == outputs_ ? 0 : after_output);
  granted_.push_back(request_index);
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
      std::uint32_t& offered = choice_of_output_[request.output];
      if (offered == none || input_rank(request, pointers) < input_rank(requests[offered], pointers)) {
        offered = i;
      }
    }
    for (std::uint32_t i = 0; i < requests.size(); ++i) {
      const AllocatorRequest& request = requests[i];
      if (choice_of_output_[request.output] == i) {
        std::uint32_t& accepted = choice_of_input_[request.input];
        if (accepted == none || output_rank(request, pointers) < output_rank(requests[accepted], pointers)) {
          accepted = i;
        }
      }
    }
    for (std::uint32_t i = 0; i < requests.size(); ++i) {
      if (choice_of_input_[requests[i].input] == i) {
        input_matched_[requests[i].input] = 1;
        output_matched_[requests[i].output] = 1;
        if (iteration == 0) {
          grant(i, requests, pointers);
        } else {
          granted_.push_back(i); // the pointers do not move
        }
      }
    }
    clear(requests);
    if (granted_.size() == before) {
      break;
    }
  }
  for (const std::uint32_t request_index : granted_) {
    input_matched_[requests[request_index].input] = 0;
    output_matched_[requests[request_index].output] = 0;
  }
}

void Allocator::let_inputs_choose(std::uint32_t request_index, std::span<const AllocatorRequest> requests,
                                  AllocatorPointers pointers)
{
  const AllocatorRequest& request = requests[request_index];
  std::uint32_t& chosen = choice_of_input_[request.input];
  if (chosen == none || request.input_priority > requests[chosen].input_priority ||
      (request.input_priority == requests[chosen].input_priority &&
       output_rank(request, pointers) < output_rank(requests[chosen], pointers))) {
    chosen = request_index;
  }
}

void Allocator::let_outputs_choose(std::uint32_t request_index, std::span<const AllocatorRequest> requests,
                                   AllocatorPointers pointers)
{
  const AllocatorRequest& request = requests[request_index];
  std::uint32_t& chosen = choice_of_output_[request.output];
  if (chosen == none || request.output_priority > requests[chosen].output_priority ||
      (request.output_priority == requests[chosen].output_priority &&
       input_rank(request, pointers) < input_rank(requests[chosen], pointers))) {
    chosen = request_index;
  }
}

void Allocator::input_first(std::span<const AllocatorRequest> requests, AllocatorPointers pointers)
{
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    let_inputs_choose(i, requests, pointers);
  }
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    if (choice_of_input_[requests[i].input] == i) {
      let_outputs_choose(i, requests, pointers);
    }
  }
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    if (choice_of_output_[requests[i].output] == i) {
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
    if (choice_of_output_[requests[i].output] == i) {
      let_inputs_choose(i, requests, pointers);
    }
  }
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    if (choice_of_input_[requests[i].input] == i) {
      grant(i, requests, pointers);
    }
  }
  clear(requests);
}

// Y. Tamir and H.-C. Chi, IEEE Trans. Parallel and Distributed Systems 4(1), 1993. Requests of one diagonal have
// different inputs and outputs, so that their order does not matter.
void Allocator::wavefront(std::span<const AllocatorRequest> requests, std::uint16_t& first_diagonal)
{
  if (requests.empty()) {
    return;
  }
  const std::uint32_t diagonals = std::max(inputs_, outputs_);
  const auto diagonal = [&](const AllocatorRequest& request) {
    return (request.input + request.output + diagonals - first_diagonal) % diagonals;
  };
  order_.resize(requests.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::sort(order_, {}, [&](std::uint32_t request_index) {
    const AllocatorRequest& request = requests[request_index];
    return std::tuple(-request.output_priority, -request.input_priority, diagonal(request), request_index);
  });
  for (const std::uint32_t request_index : order_) {
    const AllocatorRequest& request = requests[request_index];
    if (input_matched_[request.input] == 0 && output_matched_[request.output] == 0) {
      input_matched_[request.input] = 1;
      output_matched_[request.output] = 1;
      granted_.push_back(request_index);
    }
  }
  const std::uint32_t skipped = kind_ == AllocatorKind::rr_wavefront ? diagonal(requests[order_.front()]) : 0;
  first_diagonal = static_cast<std::uint16_t>((first_diagonal + skipped + 1) % diagonals);
  for (const std::uint32_t request_index : granted_) {
    input_matched_[requests[request_index].input] = 0;
    output_matched_[requests[request_index].output] = 0;
  }
  std::ranges::sort(granted_);
}

} // namespace wormcast
