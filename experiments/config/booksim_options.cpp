#include "wormcast/experiments/config/booksim_options.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/trimmed.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>

namespace wormcast {

namespace {

struct TakenOption {
  std::string_view name;
  std::string_view fallback;
  bool fixed = false; // must have this value
};

// What says something of network, routers or traffic, with BookSim2's defaults.
constexpr std::array taken_options = std::to_array<TakenOption>({{"topology", "torus"},
                                                                 {"k", "8"},
                                                                 {"n", "2"},
                                                                 {"c", "1", true},
                                                                 {"routing_function", "none"},
                                                                 {"use_noc_latency", "1"},
                                                                 {"link_failures", "0", true},
                                                                 {"subnets", "1", true},
                                                                 {"channel_file", "", true},
                                                                 {"router", "iq", true},
                                                                 {"num_vcs", "16"},
                                                                 {"vc_buf_size", "8"},
                                                                 {"buf_size", "-1", true},
                                                                 {"buffer_policy", "private", true},
                                                                 {"wait_for_tail_credit", "0"},
                                                                 {"vc_busy_when_full", "0", true},
                                                                 {"vc_prioritize_empty", "0", true},
                                                                 {"vc_shuffle_requests", "0", true},
                                                                 {"vc_priority_donation", "0", true},
                                                                 {"hold_switch_for_packet", "0", true},
                                                                 {"input_speedup", "1"},
                                                                 {"output_speedup", "1", true},
                                                                 {"internal_speedup", "1.0"},
                                                                 {"output_buffer_size", "-1", true},
                                                                 {"noq", "0", true},
                                                                 {"speculative", "0"},
                                                                 {"spec_check_elig", "1", true},
                                                                 {"spec_check_cred", "1", true},
                                                                 {"spec_mask_by_reqs", "0", true},
                                                                 {"spec_sw_allocator", "prio", true},
                                                                 {"routing_delay", "1"},
                                                                 {"vc_alloc_delay", "1", true},
                                                                 {"sw_alloc_delay", "1", true},
                                                                 {"st_prepare_delay", "0"},
                                                                 {"st_final_delay", "1"},
                                                                 {"credit_delay", "0"},
                                                                 {"vc_allocator", "islip"},
                                                                 {"sw_allocator", "islip"},
                                                                 {"priority", "none"},
                                                                 {"classes", "1"},
                                                                 {"class_priority", "0"},
                                                                 {"use_read_write", "0", true},
                                                                 {"traffic", "uniform"},
                                                                 {"injection_rate", "0.1"},
                                                                 {"injection_rate_uses_flits", "0"},
                                                                 {"injection_process", "bernoulli"},
                                                                 {"burst_alpha", "0.5"},
                                                                 {"burst_beta", "0.5"},
                                                                 {"burst_r1", "-1.0"},
                                                                 {"packet_size", "1"},
                                                                 {"packet_size_rate", "1"},
                                                                 {"const_flits_per_packet", "1"},
                                                                 {"sim_type", "latency"},
                                                                 {"warmup_periods", "3"},
                                                                 {"sample_period", "1000"},
                                                                 {"seed", "0"}});

constexpr std::array output_options = std::to_array<std::string_view>({"active_packets_out", "deadlock_warn_timeout",
                                                                       "ejected_flits_out",  "flow_out",
                                                                       "injected_flits_out", "measure_stats",
                                                                       "pair_stats",         "print_activity",
                                                                       "print_csv_results",  "received_flits_out",
                                                                       "sent_flits_out",     "sent_packets_out",
                                                                       "stats_out",          "stored_flits_out",
                                                                       "viewer_trace",       "watch_all_packets",
                                                                       "watch_file",         "watch_flits",
                                                                       "watch_out",          "watch_packets",
                                                                       "watch_transactions", "channel_sweep",
                                                                       "channel_width",      "power_output_file",
                                                                       "sim_power",          "tech_file"});

constexpr std::array stopping_options =
    std::to_array<std::string_view>({"acc_stopping_thres", "acc_warmup_thres", "drain_measured_only", "latency_thres",
                                     "max_samples", "stopping_thres", "warmup_thres"});

constexpr std::array other_network_options =
    std::to_array<std::string_view>({"alloc_iters", "arb_type", "express_channels", "fail_seed", "in_ports", "limit",
                                     "network_file", "out_ports", "output_delay", "vct", "x", "xr", "y", "yr"});

constexpr std::array shared_buffer_options =
    std::to_array<std::string_view>({"feedback_aging_scale", "feedback_offset", "max_held_slots", "private_buf_end_vc",
                                     "private_buf_size", "private_buf_start_vc", "private_bufs"});

constexpr std::array request_reply_options = std::to_array<std::string_view>(
    {"max_outstanding_requests", "read_reply_begin_vc", "read_reply_end_vc", "read_reply_size", "read_reply_subnet",
     "read_request_begin_vc", "read_request_end_vc", "read_request_size", "read_request_subnet", "write_fraction",
     "write_reply_begin_vc", "write_reply_end_vc", "write_reply_size", "write_reply_subnet", "write_request_begin_vc",
     "write_request_end_vc", "write_request_size", "write_request_subnet"});

constexpr std::array batch_options = std::to_array<std::string_view>({"batch_count", "batch_size"});
constexpr std::array hot_spot_options = std::to_array<std::string_view>({"hotspot_nodes", "hotspot_rates"});
constexpr std::array queuing_options = std::to_array<std::string_view>({"include_queuing"});
constexpr std::array permutation_options = std::to_array<std::string_view>({"perm_seed"});
constexpr std::array repetition_options = std::to_array<std::string_view>({"sim_count"});

struct LeftOut {
  std::span<const std::string_view> names;
  std::string_view reason;
};

// What is not taken over, and why nothing is lost.
constexpr std::array left_out_options = std::to_array<LeftOut>(
    {{output_options, "output and the model of power"},
     {stopping_options, "BookSim2's rule for the end of a measurement, in whose place traffic.precision is"},
     {other_network_options, "not read by its input-queued router on a mesh or torus"},
     {shared_buffer_options, "only shared buffers read them"},
     {request_reply_options, "only request-reply traffic reads them"},
     {batch_options, "only sim_type = batch reads them"},
     {hot_spot_options, "no pattern but hotspot reads them"},
     {queuing_options, "latencies include the time in the source queue"},
     {permutation_options, "permutations are drawn by run.seed"},
     {repetition_options, "repetitions are those of wormcast load --repeat"}});

// With comments taken out; newlines stay, for the numbers of the lines.
std::string without_comments(std::string_view text)
{
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size() - 1);
      kept += '\n';
    } else {
      kept += text[i];
    }
  }
  return kept;
}

// As texts or as numbers: "1" is "1.0".
bool same_value(std::string_view a, std::string_view b)
{
  const auto x = number_of_text<double>(a);
  return a == b || (x && x == number_of_text<double>(b));
}

std::vector<std::string> known_options()
{
  std::vector<std::string> known;
  for (const TakenOption& option : taken_options) {
    known.emplace_back(option.name);
  }
  for (const LeftOut& group : left_out_options) {
    known.insert(known.end(), group.names.begin(), group.names.end());
  }
  return known;
}

} // namespace

BookSimOptions::BookSimOptions(std::string_view text, std::string file) : file_(std::move(file))
{
  read(text);
  look_at_names();
}

void BookSimOptions::read(std::string_view text)
{
  const std::string plain = without_comments(text);
  std::uint32_t line = 1;
  for (std::size_t begin = 0; begin < plain.size();) {
    const std::size_t end = std::min(plain.find(';', begin), plain.size());
    const std::string_view statement = std::string_view(plain).substr(begin, end - begin);
    const std::size_t blanks = std::min(statement.find_first_not_of(" \t\r\n\f\v"), statement.size());
    const auto skipped = static_cast<std::uint32_t>(std::ranges::count(statement.substr(0, blanks), '\n'));
    if (blanks < statement.size()) {
      read_statement(statement, line + skipped, end < plain.size());
    }
    line += static_cast<std::uint32_t>(std::ranges::count(statement, '\n'));
    begin = end + 1;
  }
}

void BookSimOptions::read_statement(std::string_view statement, std::uint32_t line, bool ended)
{
  const std::size_t equals = statement.find('=');
  if (equals == std::string_view::npos || !ended) {
    fail(line, "expected \"name = value;\" as in a configuration of BookSim2");
    return;
  }
  const std::string name(trimmed(statement.substr(0, equals)));
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!is_name) {
    fail(line, "expected the name of an option of BookSim2 before \"=\"");
    return;
  }
  options_.insert_or_assign(name, Option{std::string(trimmed(statement.substr(equals + 1))), line});
}

void BookSimOptions::look_at_names()
{
  const std::vector<std::string> known = known_options();
  for (const auto& [name, option] : options_) {
    if (std::ranges::find(known, name) == known.end()) {
      fail(option.line, fmt::format("{}: unknown option of BookSim2{}", name, suggestion(name, known)));
    }
  }
  for (const TakenOption& option : taken_options) {
    const auto found = options_.try_emplace(std::string(option.name), Option{std::string(option.fallback), 0}).first;
    if (option.fixed && !same_value(found->second.value, option.fallback)) {
      refuse(option.name, option.fallback.empty() ? "none" : option.fallback);
    }
  }
}

void BookSimOptions::fail(std::uint32_t line, std::string_view text)
{
  errors_.emplace_back(line, fmt::format("{}:{}: {}", file_, line, text));
}

std::int64_t BookSimOptions::number(std::string_view name, std::int64_t least, std::int64_t most)
{
  const auto read = number_of_text<std::int64_t>(text(name));
  if (!read || *read < least || *read > most) {
    refuse(name, fmt::format("{} to {}", least, most));
    return least;
  }
  return *read;
}

std::int64_t BookSimOptions::whole_number(std::string_view name, std::int64_t least, std::int64_t most)
{
  const auto read = number_of_text<double>(text(name));
  if (!read || *read < static_cast<double>(least) || *read > static_cast<double>(most) || *read != std::floor(*read)) {
    refuse(name, fmt::format("a whole number from {} to {}", least, most));
    return least;
  }
  return static_cast<std::int64_t>(*read);
}

void BookSimOptions::refuse(std::string_view name, std::string_view expected)
{
  const Option& option = options_.find(name)->second;
  const std::string place = option.line == 0 ? "BookSim2's default" : fmt::format("line {}", option.line);
  std::string refused = fmt::format("{} = {} ({}; covered: {})", name, option.value, place, expected);
  if (std::ranges::find(refused_, refused) == refused_.end()) { // each class may refuse it
    refused_.push_back(std::move(refused));
  }
}

std::vector<std::string> BookSimOptions::left_out() const
{
  std::vector<std::string> texts;
  for (const LeftOut& group : left_out_options) {
    std::vector<std::string_view> found;
    std::ranges::copy_if(group.names, std::back_inserter(found),
                         [this](std::string_view name) { return options_.find(name) != options_.end(); });
    if (!found.empty()) {
      std::ranges::sort(found);
      texts.push_back(fmt::format("{} ({})", fmt::join(found, ", "), group.reason));
    }
  }
  return texts;
}

void BookSimOptions::check() const
{
  std::vector<std::pair<std::uint32_t, std::string>> sorted = errors_;
  std::ranges::sort(sorted);
  std::vector<std::string> texts;
  for (const auto& [line, text] : sorted) {
    texts.push_back(text);
  }
  if (!refused_.empty()) {
    texts.push_back(fmt::format("{}: router \"input_queued\" does not cover {}", file_, fmt::join(refused_, "; ")));
  }
  if (!texts.empty()) {
    throw InputError(fmt::format("{}", fmt::join(texts, "; ")));
  }
}

} // namespace wormcast
