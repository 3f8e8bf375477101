#include "wormcast/algorithms/verifier/proved_reduction.hpp"

#include "wormcast/algorithms/verifier/contributions.hpp"
#include "wormcast/algorithms/verifier/fingerprints.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr std::uint32_t word_blocks = 64; // followed at a time

/// The part of a set that is in one word of slots.
struct WordOfSet {
  std::uint32_t word = 0;
  std::uint64_t mask = 0;
};

/// The sets of a schedule in words of slots, each set's by ascending word.
struct SetsByWord {
  std::vector<WordOfSet> words;
  std::vector<std::uint32_t> offsets; ///< by set, and the end

  std::span<const WordOfSet> of(BlockSetId set) const
  {
    const auto id = static_cast<std::uint32_t>(set);
    return std::span(words).subspan(offsets[id], offsets[id + 1] - offsets[id]);
  }
};

SetsByWord sets_by_word(const BlockSets& sets, const std::vector<std::uint32_t>& slots, WorkSteps& steps)
{
  SetsByWord result{.words = {}, .offsets = {0}};
  std::vector<std::uint32_t> places;
  for (std::uint32_t set = 0; set < sets.count(); ++set) {
    places.clear();
    for_each_block(sets, BlockSetId{set}, [&](std::uint32_t block) { places.push_back(slots[block]); });
    std::ranges::sort(places);
    steps.add(1 + places.size());
    std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t place : places) {
      if (std::exchange(last, place / word_blocks) != place / word_blocks) {
        result.words.push_back({place / word_blocks, 0});
      }
      result.words.back().mask |= std::uint64_t{1} << (place % word_blocks);
    }
    result.offsets.push_back(static_cast<std::uint32_t>(result.words.size()));
  }
  return result;
}

/// A message as one word of slots sees it.
struct Carried {
  MessageId message{};
  std::uint32_t set_word = 0; ///< in SetsByWord::words
};

/// What a node has of a block: the sum of the weights of the contributors, and their number.
struct PartialResult {
  std::uint64_t sum = 0;
  std::uint64_t count = 0;
};

class WordProof {
public:
  WordProof(const Schedule& schedule, const StepOrder& order, std::uint32_t node_count)
      : schedule_(schedule), order_(order), nodes_(node_count), received_(node_count, 0)
  {
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      weights_.push_back(fingerprint_weight(node));
      all_ = fingerprint_sum(all_, weights_.back());
    }
  }

  /// Whether the reduction is right.
  bool run()
  {
    const std::vector<std::uint32_t> slots = neighbouring_slots(schedule_, steps_);
    sets_ = sets_by_word(schedule_.block_sets, slots, steps_);
    const std::size_t words = (schedule_.blocks + word_blocks - 1) / word_blocks;
    if (!find_carried(words)) {
      return false;
    }
    find_wanted(slots, words);
    results_.resize(std::size_t{nodes_} * word_blocks);
    for (std::size_t word = 0; word < words; ++word) {
      if (!prove(word)) {
        return false;
      }
    }
    return true;
  }

  std::uint64_t tests() const { return tests_; }

private:
  /// Orders what is carried by word and step. False: it takes more memory than all partial results together.
  bool find_carried(std::size_t words)
  {
    std::vector<std::uint64_t> uses(schedule_.block_sets.count(), 0);
    for (const Message& message : schedule_.messages) {
      ++uses[static_cast<std::uint32_t>(message.blocks)];
    }
    offsets_.assign(words + 1, 0);
    for (std::uint32_t set = 0; set < uses.size(); ++set) {
      for (const WordOfSet& part : sets_.of(BlockSetId{set})) {
        offsets_[part.word + 1] += uses[set];
      }
    }
    for (std::size_t word = 0; word < words; ++word) {
      offsets_[word + 1] += offsets_[word];
    }
    if (offsets_.back() * sizeof(Carried) > schedule_.blocks * nodes_ * sizeof(PartialResult)) {
      return false;
    }
    reserve_memory(offsets_.back() * sizeof(Carried),
                   fmt::format("the account of {} contributors to {} blocks", nodes_, schedule_.blocks));
    carried_.resize(offsets_.back());
    std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
    for (const MessageId id : order_.order) {
      const auto set = static_cast<std::uint32_t>(schedule_.messages[index(id)].blocks);
      steps_.add(1 + sets_.offsets[set + 1] - sets_.offsets[set]);
      for (std::uint32_t part = sets_.offsets[set]; part < sets_.offsets[set + 1]; ++part) {
        carried_[next[sets_.words[part].word]++] = {id, part};
      }
    }
    return true;
  }

  /// Where not all nodes need all results: which nodes need which of each word.
  void find_wanted(const std::vector<std::uint32_t>& slots, std::size_t words)
  {
    wanted_.resize(schedule_.operation == Operation::all_reduce ? 0 : words);
    for (std::uint32_t node = 0; node < nodes_ && !wanted_.empty(); ++node) {
      for (const BlockRange range : wanted_results(schedule_, NodeId{node})) {
        for (std::uint32_t block = range.begin; block < range.end; ++block) {
          steps_.add();
          wanted_[slots[block] / word_blocks].emplace_back(node, slots[block] % word_blocks);
        }
      }
    }
  }

  PartialResult* results_of(NodeId node) { return &results_[std::size_t{index(node)} * word_blocks]; }

  bool prove(std::size_t word)
  {
    steps_.add(results_.size() / 8);
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      std::fill_n(results_of(NodeId{node}), word_blocks, PartialResult{weights_[node], 1});
    }
    const std::span carried = std::span(carried_).subspan(offsets_[word], offsets_[word + 1] - offsets_[word]);
    for (std::size_t begin = 0; begin < carried.size();) {
      const std::uint32_t step = schedule_.messages[index(carried[begin].message)].step;
      in_step_.clear();
      std::size_t end = begin;
      for (; end < carried.size() && schedule_.messages[index(carried[end].message)].step == step; ++end) {
        const Message& message = schedule_.messages[index(carried[end].message)];
        in_step_.push_back({message.source, message.destination, sets_.words[carried[end].set_word].mask, 0, 0});
        if (end + looked_ahead < carried.size()) {
          __builtin_prefetch(&schedule_.messages[index(carried[end + looked_ahead].message)]);
        }
      }
      if (!deliver()) {
        return false;
      }
      begin = end;
    }
    return has_wanted(word);
  }

  /// The messages of one step: all bring what their senders have at its start.
  bool deliver()
  {
    for (const InStep& message : in_step_) {
      received_[index(message.destination)] |= message.mask;
    }
    copies_.clear();
    for (InStep& message : in_step_) {
      if ((received_[index(message.source)] & message.mask) == 0) {
        message.copy = not_copied; // its sender's results do not change while the step is delivered
        continue;
      }
      message.copy = copies_.size();
      const PartialResult* const sent = results_of(message.source);
      copies_.insert(copies_.end(), sent, sent + word_blocks);
    }
    bool right = true;
    for (InStep& message : in_step_) {
      received_[index(message.destination)] = 0;
      const PartialResult* const sent =
          message.copy == not_copied ? results_of(message.source) : &copies_[message.copy];
      steps_.add(4);
      right = (~message.mask == 0 ? combine_all(message, sent) : combine_some(message, sent)) && right;
    }
    // Complete results replace partial ones after these have been combined.
    for (const InStep& message : in_step_) {
      PartialResult* const own = results_of(message.destination);
      for (std::uint64_t rest = message.complete; rest != 0; rest &= rest - 1) {
        own[std::countr_zero(rest)] = {all_, nodes_};
      }
    }
    return right;
  }

  struct InStep {
    NodeId source{};
    NodeId destination{};
    std::uint64_t mask = 0;
    std::uint64_t complete = 0; ///< those whose results are complete
    std::size_t copy = 0;       ///< in copies_, or not_copied
  };

  /// Combines what the message carries, but for complete results, which it notes. False: a contribution counts twice.
  bool combine_some(InStep& message, const PartialResult* sent)
  {
    PartialResult* const own = results_of(message.destination);
    bool right = true;
    for (std::uint64_t rest = message.mask; rest != 0; rest &= rest - 1) {
      const int slot = std::countr_zero(rest);
      if (sent[slot].count == nodes_) {
        message.complete |= std::uint64_t{1} << slot;
        ++tests_;
        right = right && sent[slot].sum == all_;
      } else {
        own[slot] = {fingerprint_sum(own[slot].sum, sent[slot].sum), own[slot].count + sent[slot].count};
        right = right && own[slot].count <= nodes_;
      }
    }
    return right;
  }

  /// The same for a message with all blocks of the word, of which most often none or all are complete.
  bool combine_all(InStep& message, const PartialResult* sent)
  {
    std::uint64_t complete = 0;
    for (std::uint32_t slot = 0; slot < word_blocks; ++slot) {
      complete += sent[slot].count == nodes_ ? 1U : 0U;
    }
    if (complete != 0) {
      return combine_some(message, sent);
    }
    PartialResult* const own = results_of(message.destination);
    std::uint64_t most = 0;
    for (std::uint32_t slot = 0; slot < word_blocks; ++slot) {
      own[slot].sum = fingerprint_sum(own[slot].sum, sent[slot].sum);
      own[slot].count += sent[slot].count;
      most = std::max(most, own[slot].count);
    }
    return most <= nodes_;
  }

  bool is_complete(const PartialResult& result)
  {
    tests_ += result.count == nodes_ ? 1 : 0;
    return result.count == nodes_ && result.sum == all_;
  }

  bool has_wanted(std::size_t word)
  {
    if (!wanted_.empty()) {
      return std::ranges::all_of(wanted_[word], [&](const std::pair<std::uint32_t, std::uint32_t>& wanted) {
        return is_complete(results_of(NodeId{wanted.first})[wanted.second]);
      });
    }
    const auto blocks =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(word_blocks, schedule_.blocks - word * word_blocks));
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      const std::span results(results_of(NodeId{node}), blocks);
      if (!std::ranges::all_of(results, [&](const PartialResult& result) { return is_complete(result); })) {
        return false;
      }
    }
    return true;
  }

  static constexpr std::size_t not_copied = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t looked_ahead = 16; ///< messages, which are far apart in memory

  const Schedule& schedule_;
  const StepOrder& order_;
  std::uint32_t nodes_;
  std::vector<std::uint64_t> weights_; ///< by node
  std::uint64_t all_ = 0;              ///< the sum of all weights
  SetsByWord sets_;
  std::vector<std::uint64_t> offsets_; ///< in carried_, by word
  std::vector<Carried> carried_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> wanted_; ///< by word: node and slot
  std::vector<PartialResult> results_;                                       ///< of the current word
  std::vector<InStep> in_step_;
  std::vector<std::uint64_t> received_; ///< by node: the blocks that it receives in the current step
  std::vector<PartialResult> copies_;
  std::uint64_t tests_ = 0;
  WorkSteps steps_;
};

} // namespace

std::optional<std::uint64_t> tests_of_proved_reduction(const Schedule& schedule, const StepOrder& steps,
                                                       std::uint32_t node_count)
{
  WordProof proof(schedule, steps, node_count);
  return proof.run() ? std::optional(proof.tests()) : std::nullopt;
}

double fingerprint_error_probability(std::uint64_t tests)
{
  return static_cast<double>(tests) / static_cast<double>(fingerprint_prime);
}

} // namespace wormcast
