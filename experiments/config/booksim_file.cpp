#include "wormcast/experiments/config/booksim_file.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/trimmed.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>

namespace wormcast {

namespace {

struct Option {
  std::string value;
  std::uint32_t line = 0; // 0: not in the file, BookSim2's default
};

struct Covered {
  std::string_view name;
  std::string_view fallback;
  bool fixed; // must have this value
};

// What says something of network and routers, with BookSim2's defaults.
constexpr std::array covered = {Covered{"topology", "torus", false},
                                Covered{"k", "8", false},
                                Covered{"n", "2", false},
                                Covered{"c", "1", true},
                                Covered{"routing_function", "none", false},
                                Covered{"use_noc_latency", "1", false},
                                Covered{"link_failures", "0", true},
                                Covered{"subnets", "1", true},
                                Covered{"channel_file", "", true},
                                Covered{"router", "iq", true},
                                Covered{"num_vcs", "16", false},
                                Covered{"vc_buf_size", "8", false},
                                Covered{"buf_size", "-1", true},
                                Covered{"buffer_policy", "private", true},
                                Covered{"wait_for_tail_credit", "0", false},
                                Covered{"vc_busy_when_full", "0", true},
                                Covered{"vc_prioritize_empty", "0", true},
                                Covered{"vc_shuffle_requests", "0", true},
                                Covered{"vc_priority_donation", "0", true},
                                Covered{"hold_switch_for_packet", "0", true},
                                Covered{"input_speedup", "1", true},
                                Covered{"output_speedup", "1", true},
                                Covered{"internal_speedup", "1.0", true},
                                Covered{"output_buffer_size", "-1", true},
                                Covered{"noq", "0", true},
                                Covered{"speculative", "0", false},
                                Covered{"spec_check_elig", "1", true},
                                Covered{"spec_check_cred", "1", true},
                                Covered{"spec_mask_by_reqs", "0", true},
                                Covered{"spec_sw_allocator", "prio", true},
                                Covered{"routing_delay", "1", false},
                                Covered{"vc_alloc_delay", "1", true},
                                Covered{"sw_alloc_delay", "1", true},
                                Covered{"st_prepare_delay", "0", false},
                                Covered{"st_final_delay", "1", false},
                                Covered{"credit_delay", "0", false},
                                Covered{"vc_allocator", "islip", false},
                                Covered{"sw_allocator", "islip", false},
                                Covered{"priority", "none", false},
                                Covered{"classes", "1", true},
                                Covered{"use_read_write", "0", true}};

// What says nothing of them: traffic, measurement, output, and options that the input-queued router does not read.
constexpr std::array without_effect = std::to_array<std::string_view>({"acc_stopping_thres",
                                                                       "acc_warmup_thres",
                                                                       "active_packets_out",
                                                                       "alloc_iters",
                                                                       "arb_type",
                                                                       "batch_count",
                                                                       "batch_size",
                                                                       "burst_alpha",
                                                                       "burst_beta",
                                                                       "burst_r1",
                                                                       "channel_sweep",
                                                                       "channel_width",
                                                                       "class_priority",
                                                                       "const_flits_per_packet",
                                                                       "deadlock_warn_timeout",
                                                                       "drain_measured_only",
                                                                       "ejected_flits_out",
                                                                       "express_channels",
                                                                       "fail_seed",
                                                                       "flow_out",
                                                                       "hotspot_nodes",
                                                                       "hotspot_rates",
                                                                       "in_ports",
                                                                       "include_queuing",
                                                                       "injected_flits_out",
                                                                       "injection_process",
                                                                       "injection_rate",
                                                                       "injection_rate_uses_flits",
                                                                       "latency_thres",
                                                                       "limit",
                                                                       "max_outstanding_requests",
                                                                       "max_samples",
                                                                       "measure_stats",
                                                                       "network_file",
                                                                       "out_ports",
                                                                       "output_delay",
                                                                       "packet_size",
                                                                       "packet_size_rate",
                                                                       "pair_stats",
                                                                       "perm_seed",
                                                                       "power_output_file",
                                                                       "print_activity",
                                                                       "print_csv_results",
                                                                       "received_flits_out",
                                                                       "sample_period",
                                                                       "seed",
                                                                       "sent_flits_out",
                                                                       "sent_packets_out",
                                                                       "sim_count",
                                                                       "sim_power",
                                                                       "sim_type",
                                                                       "stats_out",
                                                                       "stopping_thres",
                                                                       "stored_flits_out",
                                                                       "tech_file",
                                                                       "traffic",
                                                                       "vct",
                                                                       "viewer_trace",
                                                                       "warmup_periods",
                                                                       "warmup_thres",
                                                                       "watch_all_packets",
                                                                       "watch_file",
                                                                       "watch_flits",
                                                                       "watch_out",
                                                                       "watch_packets",
                                                                       "watch_transactions",
                                                                       "x",
                                                                       "xr",
                                                                       "y",
                                                                       "yr"});

[[noreturn]] void throw_in_line(const std::string& file, std::uint32_t line, std::string_view text)
{
  throw InputError(fmt::format("{}:{}: {}", file, line, text));
}

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

using Options = std::map<std::string, Option, std::less<>>;

Options read_options(std::string_view text, const std::string& file)
{
  const std::string plain = without_comments(text);
  Options options;
  std::uint32_t line = 1;
  for (std::size_t begin = 0; begin < plain.size();) {
    const std::size_t end = std::min(plain.find(';', begin), plain.size());
    const std::string_view statement = std::string_view(plain).substr(begin, end - begin);
    const std::size_t blanks = std::min(statement.find_first_not_of(" \t\r\n\f\v"), statement.size());
    const auto skipped = static_cast<std::uint32_t>(std::ranges::count(statement.substr(0, blanks), '\n'));
    const std::uint32_t here = line + skipped;
    line += static_cast<std::uint32_t>(std::ranges::count(statement, '\n'));
    begin = end + 1;
    if (blanks == statement.size()) {
      continue;
    }
    const std::size_t equals = statement.find('=');
    if (equals == std::string_view::npos || end == plain.size()) {
      throw_in_line(file, here, "expected \"name = value;\" as in a configuration of BookSim2");
    }
    const std::string name(trimmed(statement.substr(0, equals)));
    const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!is_name) {
      throw_in_line(file, here, "expected the name of an option of BookSim2 before \"=\"");
    }
    options.insert_or_assign(name, Option{std::string(trimmed(statement.substr(equals + 1))), here});
  }
  return options;
}

// Allocators are written "islip", "islip(2)" or "separable_input_first(round_robin)".
struct AllocatorText {
  std::string name;
  std::string argument;
};

class BookSimImport {
public:
  BookSimImport(Options options, const std::string& file) : options_(std::move(options)), file_(file) {}

  ImportedConfig made()
  {
    look_at_names();
    const std::string topology = text("topology");
    if (topology != "mesh" && topology != "torus") {
      refuse("topology", "mesh or torus");
    }
    const std::string routing = text("routing_function");
    const bool by_nodes = topology == "mesh" && (routing == "romm" || routing == "valiant");
    if (routing != "dim_order" && !(topology == "mesh" && routing == "dor") && !by_nodes) {
      refuse("routing_function", topology == "mesh" ? "dor, dim_order, romm or valiant" : "dim_order");
    }
    const std::int64_t dimensions = number("n", 1, 8);
    const std::int64_t size = number("k", 1, std::int64_t{1} << 26);
    line("[topology]");
    line(fmt::format("kind = \"{}\"", topology));
    line(fmt::format("dims = [{}]",
                     fmt::join(std::vector<std::int64_t>(static_cast<std::size_t>(dimensions), size), ", ")));
    line("");
    line("[network]");
    line("router = \"input_queued\"");
    line("startup = \"0ns\"");
    line("per_byte = \"1ns\"   # one cycle: flits have one byte");
    const std::int64_t virtual_channels = number("num_vcs", 1, 16);
    if (by_nodes && virtual_channels % 2 != 0) {
      refuse("num_vcs", fmt::format("an even number with routing_function = {}", routing));
    }
    line(fmt::format("virtual_channels = {}", virtual_channels));
    line(fmt::format("buffer_flits = {}", number("vc_buf_size", 1, std::int64_t{1} << 30)));
    if (by_nodes) {
      line(fmt::format("routing = \"{}\"", routing));
      notes_.push_back(fmt::format("routing_function = {}: intermediate nodes are drawn by other random numbers{}",
                                   routing,
                                   routing == "valiant" ? ", and messages of a node to itself go straight" : ""));
    }
    write_allocators();
    const std::string priority = text("priority");
    if (priority != "none" && priority != "local_age" && priority != "age") {
      refuse("priority", "none, local_age or age");
    }
    line(fmt::format("priority = \"{}\"", priority));
    line(fmt::format("release = \"{}\"", number("wait_for_tail_credit", 0, 1) == 1 ? "tail_credit" : "tail_sent"));
    line(fmt::format("routing_delay = {}", number("routing_delay", 0, 1000)));
    const std::int64_t crossing = number("st_prepare_delay", 0, 1000) + number("st_final_delay", 0, 1000);
    if (crossing < 1 || crossing > 1000) {
      refuse("st_final_delay", "with st_prepare_delay together 1 to 1000");
    }
    line(fmt::format("switch_delay = {}", crossing));
    line(fmt::format("credit_delay = {}", number("credit_delay", 0, 1000)));
    if (topology == "torus") {
      line("tie = \"random\"");
      notes_.emplace_back("exactly half a ring away, which way a message goes is drawn by other random numbers");
    }
    line(fmt::format("link_delay = {}", topology == "torus" && number("use_noc_latency", 0, 1) == 1 ? 2 : 1));
    if (!refused_.empty()) {
      throw InputError(fmt::format("{}: router \"input_queued\" does not cover {}", file_, fmt::join(refused_, "; ")));
    }
    return {.toml = std::move(toml_), .left_out = std::move(left_out_), .notes = std::move(notes_)};
  }

private:
  void look_at_names()
  {
    std::vector<std::string> known(without_effect.begin(), without_effect.end());
    for (const Covered& option : covered) {
      known.emplace_back(option.name);
    }
    for (const auto& [name, option] : options_) {
      if (std::ranges::find(known, name) == known.end()) {
        throw_in_line(file_, option.line,
                      fmt::format("{}: unknown option of BookSim2{}", name, suggestion(name, known)));
      }
      if (std::ranges::find(without_effect, name) != without_effect.end()) {
        left_out_.push_back(name);
      }
    }
    for (const Covered& option : covered) {
      const auto found = options_.try_emplace(std::string(option.name), Option{std::string(option.fallback), 0}).first;
      if (option.fixed && !same(found->second.value, option.fallback)) {
        refuse(option.name, option.fallback.empty() ? "none" : option.fallback);
      }
    }
  }

  // As texts or as numbers: "1" is "1.0".
  static bool same(std::string_view a, std::string_view b)
  {
    const auto x = number_of_text<double>(a);
    return a == b || (x && x == number_of_text<double>(b));
  }

  const std::string& text(std::string_view name) const { return options_.find(name)->second.value; }

  void refuse(std::string_view name, std::string_view expected)
  {
    const Option& option = options_.find(name)->second;
    refused_.push_back(fmt::format(
        "{} = {} ({}; covered: {})", name, option.value,
        option.line == 0 ? std::string("BookSim2's default") : fmt::format("line {}", option.line), expected));
  }

  std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most)
  {
    const std::string& value = text(name);
    const auto read = number_of_text<std::int64_t>(value);
    if (!read || *read < least || *read > most) {
      refuse(name, fmt::format("{} to {}", least, most));
      return least;
    }
    return *read;
  }

  AllocatorText allocator(std::string_view name) const
  {
    const std::string& value = text(name);
    const std::size_t open = value.find('(');
    if (open == std::string::npos || value.back() != ')') {
      return {value, ""};
    }
    return {std::string(trimmed(std::string_view(value).substr(0, open))),
            std::string(trimmed(std::string_view(value).substr(open + 1, value.size() - open - 2)))};
  }

  /// Of islip(n), 1 without an argument; none: not from 1 to 16.
  static std::optional<std::uint32_t> iterations_of(std::string_view argument)
  {
    if (argument.empty()) {
      return 1;
    }
    const auto count = number_of_text<std::uint32_t>(argument);
    return count && *count >= 1 && *count <= 16 ? count : std::nullopt;
  }

  void write_allocators()
  {
    const bool speculative = number("speculative", 0, 1) == 1;
    line(fmt::format("speculative = {}", speculative));
    std::map<std::uint32_t, std::string_view> iterations; // and who says so
    for (const auto& [option, key] :
         {std::pair("vc_allocator", "vc_allocator"), std::pair("sw_allocator", "allocator")}) {
      const AllocatorText written = allocator(option);
      const bool separable = written.name == "separable_input_first" || written.name == "separable_output_first";
      const bool piggyback = written.name == "piggyback" && speculative && option == std::string_view("vc_allocator");
      const std::optional<std::uint32_t> count = iterations_of(written.argument);
      if (!(separable && (written.argument.empty() || written.argument == "round_robin")) &&
          !(written.name == "islip" && count) && !(piggyback && written.argument.empty())) {
        refuse(option, "islip, islip(n) with n from 1 to 16, separable_input_first, separable_output_first, or for "
                       "virtual channels "
                       "piggyback with speculative = 1");
      }
      line(fmt::format("{} = \"{}\"", key, written.name));
      if (written.name == "islip" && count) {
        iterations.emplace(*count, option);
      }
    }
    if (iterations.size() == 1) {
      line(fmt::format("islip_iterations = {}", iterations.begin()->first));
    } else if (iterations.size() > 1) {
      refuse("vc_allocator", fmt::format("the same number of iterations as sw_allocator's, {}", text("sw_allocator")));
    }
  }

  void line(std::string_view text)
  {
    toml_ += text;
    toml_ += '\n';
  }

  Options options_;
  const std::string& file_;
  std::string toml_;
  std::vector<std::string> left_out_;
  std::vector<std::string> notes_;
  std::vector<std::string> refused_;
};

} // namespace

ImportedConfig import_booksim(std::string_view text, const std::string& file)
{
  return BookSimImport(read_options(text, file), file).made();
}

} // namespace wormcast
