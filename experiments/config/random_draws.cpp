#include "wormcast/experiments/config/random_draws.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view tie_key = "network.tie";

/// A key that can make a run draw.
struct RandomDraw {
  std::string_view name; ///< of a key, a section, or the first part of keys
  std::string_view key;  ///< with a value that determines it; or a section
  std::string_view text; ///< the name with the values that make it draw
  bool (*draws)(const Json& value);
};

bool is_a_time(const Json& value)
{
  return value != "0s";
}

bool is_given(const Json& value)
{
  return !value.is_null();
}

bool is_random(const Json& value)
{
  return value == "random";
}

bool is_seeded(const Json& value)
{
  return value == "seeded";
}

bool is_a_drawn_routing(const Json& value)
{
  return value == "valiant" || value == "ugal_l" || value == "romm" || value == "random";
}

constexpr std::array random_draws = {
    RandomDraw{"run.start_jitter", "run.start_jitter", "run.start_jitter above 0", is_a_time},
    RandomDraw{"run.noise", "run.noise.distribution", "run.noise", is_given},
    RandomDraw{"traffic", "traffic", "[traffic]", is_given},
    RandomDraw{"broadcast.source", "broadcast.source", "broadcast.source = \"random\"", is_random},
    RandomDraw{"run.tie_break", "run.tie_break", "run.tie_break = \"seeded\"", is_seeded},
    RandomDraw{"network.routing", "network.routing",
               "network.routing = \"valiant\", \"ugal_l\", \"romm\" or \"random\"", is_a_drawn_routing},
    RandomDraw{tie_key, tie_key, "network.tie = \"random\"", is_random},
};

/// The value of a key or section; null where there is none.
Json value_of(const Json& effective, std::string_view key)
{
  const std::size_t dot = key.find('.');
  const auto section = effective.find(std::string(key.substr(0, dot)));
  if (section == effective.end() || dot == std::string_view::npos) {
    return section == effective.end() ? Json() : *section;
  }
  return section->is_object() ? section->value(std::string(key.substr(dot + 1)), Json()) : Json();
}

} // namespace

std::vector<std::string> random_keys(const Json& effective)
{
  std::vector<std::string> keys;
  for (const RandomDraw& draw : random_draws) {
    if (const Json value = value_of(effective, draw.key); is_given(value) && draw.draws(value)) {
      keys.emplace_back(draw.name);
    }
  }
  return keys;
}

std::vector<std::string> random_keys(const Experiment& experiment)
{
  std::vector<std::string> keys = random_keys(experiment.effective);
  if (experiment.topology->drawn_bits() == 0) {
    std::erase(keys, tie_key);
  }
  return keys;
}

std::string all_random_keys(std::string_view quote)
{
  std::vector<std::string> texts;
  for (const RandomDraw& draw : random_draws) {
    texts.push_back(fmt::format("{0}{1}{0}", quote, draw.text));
  }
  const std::string last = texts.back();
  texts.pop_back();
  return fmt::format("{} and {}", fmt::join(texts, ", "), last);
}

} // namespace wormcast
