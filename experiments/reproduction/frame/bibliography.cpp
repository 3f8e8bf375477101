#include "wormcast/experiments/reproduction/frame/bibliography.hpp"

#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

/// What turns a claim's verdict; where nothing does the file says nothing.
Mutation read_mutation(const std::string& text)
{
  const Mutation mutation = mutation_names.read(text);
  if (mutation == Mutation::none) {
    throw InputError(fmt::format("found \"{}\", expected the key left out where nothing turns the verdict", text));
  }
  return mutation;
}

/// A text that an entry of the file has under `key`, and where it goes.
template <typename Entry> struct TextField {
  std::string_view key;
  void (*set)(Entry& entry, const std::string& text);
  bool required = false;
};

constexpr std::array paper_fields = {
    TextField<Paper>{"name", [](Paper& paper, const std::string& text) { paper.name = text; }, true},
    TextField<Paper>{"title", [](Paper& paper, const std::string& text) { paper.title = text; }, true},
    TextField<Paper>{"source", [](Paper& paper, const std::string& text) { paper.source = text; }, true},
    TextField<Paper>{"introduction", [](Paper& paper, const std::string& text) { paper.introduction = text; }}};

constexpr std::array claim_fields = {
    TextField<Claim>{"name", [](Claim& claim, const std::string& text) { claim.name = text; }, true},
    TextField<Claim>{"place", [](Claim& claim, const std::string& text) { claim.place = text; }, true},
    TextField<Claim>{"statement", [](Claim& claim, const std::string& text) { claim.statement = text; }, true},
    TextField<Claim>{"claimed", [](Claim& claim, const std::string& text) { claim.claimed = text; }, true},
    TextField<Claim>{"kind",
                     [](Claim& claim, const std::string& text) { claim.kind = statement_kind_names.read(text); }, true},
    TextField<Claim>{"verdict",
                     [](Claim& claim, const std::string& text) { claim.recorded = verdict_names.read(text); }, true},
    TextField<Claim>{"turned_by", [](Claim& claim, const std::string& text) { claim.turned_by = read_mutation(text); }},
    TextField<Claim>{"turns_to",
                     [](Claim& claim, const std::string& text) { claim.turns_to = verdict_names.read(text); }},
    TextField<Claim>{"changed_data", [](Claim& claim, const std::string& text) { claim.changed_data = text; }},
    TextField<Claim>{"repeats", [](Claim& claim, const std::string& text) { claim.repeats = text; }},
    TextField<Claim>{"reading", [](Claim& claim, const std::string& text) { claim.reading = text; }}};

constexpr std::string_view slow_key = "slow";
constexpr std::string_view claims_key = "claim";

/// Reads the texts of a table into `entry`. Of other keys it may have only `other`.
template <typename Entry>
void read_texts(const toml::table& table, std::span<const TextField<Entry>> fields, std::string_view other,
                const std::filesystem::path& file, Entry& entry)
{
  for (const auto& [key, node] : table) {
    const Origin origin = toml_origin(file, key.source());
    const auto field = std::ranges::find(fields, key.str(), &TextField<Entry>::key);
    if (field == fields.end()) {
      if (key.str() != other) {
        throw_at(origin, key.str(), "unknown key");
      }
      continue;
    }
    const auto* const text = node.as_string();
    if (text == nullptr || text->get().empty()) {
      throw_at(origin, key.str(), fmt::format("found {}, expected a text", describe(node)));
    }
    try {
      field->set(entry, text->get());
    } catch (const InputError& error) {
      throw_at(origin, key.str(), error.what());
    }
  }
  for (const TextField<Entry>& field : fields) {
    if (field.required && !table.contains(field.key)) {
      throw_at(toml_origin(file, table.source()), field.key, "is missing");
    }
  }
}

Claim read_claim(const toml::table& table, const std::filesystem::path& file)
{
  Claim claim = {};
  claim.turned_by = Mutation::none;
  read_texts<Claim>(table, claim_fields, slow_key, file, claim);
  if (const toml::node* const slow = table.get(slow_key)) {
    if (!slow->is_boolean()) {
      throw_at(toml_origin(file, slow->source()), slow_key,
               fmt::format("found {}, expected true or false", describe(*slow)));
    }
    claim.slow = slow->as_boolean()->get();
  }
  return claim;
}

} // namespace

Bibliography read_bibliography(std::string_view text, const std::filesystem::path& file)
{
  const toml::table table = parse_toml(text, file);
  Bibliography bibliography;
  read_texts<Paper>(table, paper_fields, claims_key, file, bibliography.paper);
  const toml::array* const claims = table[claims_key].as_array();
  if (claims == nullptr || !claims->is_array_of_tables()) {
    throw_at(toml_origin(file, table.source()), claims_key, "found none, expected [[claim]] for each claim");
  }
  for (const toml::node& node : *claims) {
    bibliography.claims.push_back(read_claim(*node.as_table(), file));
    std::string& name = bibliography.claims.back().name;
    name = bibliography.paper.name + "." + name;
  }
  return bibliography;
}

std::vector<Claim> with_checks(std::vector<Claim> claims, std::vector<Check> checks)
{
  std::map<std::string, Check> by_name;
  for (Check& check : checks) {
    std::string name = check.name;
    if (!by_name.emplace(name, std::move(check)).second) {
      throw std::logic_error(fmt::format("there are two checks of a claim {}", name));
    }
  }
  for (Claim& claim : claims) {
    const auto found = by_name.find(claim.name.substr(claim.name.find('.') + 1));
    if (found == by_name.end()) {
      throw std::logic_error(fmt::format("claim {} has no check, or there are two of this name", claim.name));
    }
    claim.demonstration = std::move(found->second.demonstration);
    claim.measurement = std::move(found->second.measurement);
    by_name.erase(found);
  }
  if (!by_name.empty()) {
    throw std::logic_error(fmt::format("check {} is of no claim", by_name.begin()->first));
  }
  return claims;
}

Paper read_paper(std::string_view text, const std::filesystem::path& file, std::function<std::vector<Check>()> checks)
{
  Bibliography bibliography = read_bibliography(text, file);
  Paper paper = std::move(bibliography.paper);
  paper.claims = [claims = std::move(bibliography.claims), checks = std::move(checks)] {
    return with_checks(claims, checks());
  };
  return paper;
}

} // namespace wormcast
