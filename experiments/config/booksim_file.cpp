#include "wormcast/experiments/config/booksim_file.hpp"

#include "wormcast/experiments/config/booksim_options.hpp"
#include "wormcast/experiments/config/booksim_traffic.hpp"
#include "wormcast/experiments/config/trimmed.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>

namespace wormcast {

namespace {

// Allocators are written "islip", "islip(2)" or "separable_input_first(round_robin)".
struct AllocatorText {
  std::string name;
  std::string argument;
};

class BookSimImport {
public:
  explicit BookSimImport(BookSimOptions options) : options_(std::move(options)) {}

  ImportedConfig made()
  {
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
    line(fmt::format("input_speedup = {}", number("input_speedup", 1, virtual_channels)));
    line(fmt::format("internal_speedup = {}", options_.whole_number("internal_speedup", 1, 16)));
    const std::string priority = text("priority");
    if (priority != "none" && priority != "local_age" && priority != "age" && priority != "class") {
      refuse("priority", "none, local_age, age or class");
    }
    line(fmt::format("priority = \"{}\"", priority == "class" ? "message" : priority));
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
      notes_.emplace_back("exactly half a ring away, the direction of a message is drawn by other random numbers");
    }
    line(fmt::format("link_delay = {}", topology == "torus" && number("use_noc_latency", 0, 1) == 1 ? 2 : 1));
    ImportedTraffic traffic = import_booksim_traffic(options_);
    options_.check();
    std::ranges::move(traffic.notes, std::back_inserter(notes_));
    std::vector<std::string> left_out = options_.left_out();
    if (options_.given("class_priority") && priority != "class") {
      left_out.emplace_back("class_priority (only priority = class reads it)");
    }
    return {.toml = std::move(toml_) + traffic.toml,
            .left_out = std::move(left_out),
            .notes = std::move(notes_),
            .differences = std::move(traffic.differences),
            .uncovered_traffic = std::move(traffic.uncovered)};
  }

private:
  const std::string& text(std::string_view name) const { return options_.text(name); }

  void refuse(std::string_view name, std::string_view expected) { options_.refuse(name, expected); }

  std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most)
  {
    return options_.number(name, least, most);
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
      const bool wavefront = written.name == "wavefront" || written.name == "rr_wavefront";
      const bool piggyback = written.name == "piggyback" && speculative && option == std::string_view("vc_allocator");
      const std::optional<std::uint32_t> count = iterations_of(written.argument);
      if (!(separable && (written.argument.empty() || written.argument == "round_robin")) &&
          !(written.name == "islip" && count) && !((wavefront || piggyback) && written.argument.empty())) {
        refuse(option, "islip, islip(n) with n from 1 to 16, separable_input_first, separable_output_first, wavefront, "
                       "rr_wavefront, or for virtual channels piggyback with speculative = 1");
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

  BookSimOptions options_;
  std::string toml_;
  std::vector<std::string> notes_;
};

} // namespace

ImportedConfig import_booksim(std::string_view text, const std::string& file)
{
  return BookSimImport(BookSimOptions(text, file)).made();
}

} // namespace wormcast
