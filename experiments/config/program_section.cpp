#include "wormcast/experiments/config/program_section.hpp"

#include "wormcast/values/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace wormcast {

namespace {

/// Values of program.think: whether it is kept.
constexpr auto think_names = names<bool>({{false, "none"}, {true, "kept"}});

const Fields<ProgramParameters>& program_fields()
{
  static const Fields<ProgramParameters> fields({
      field("closed", &NetraceUse::closed,
            "of a trace of netrace: packets wait for those on which they depend; else each begins at its cycle")
          .otherwise({})
          .in(&ProgramParameters::netrace),
      field("cycle", &NetraceUse::cycle, "of a trace of netrace: the time of a cycle")
          .at_least(1)
          .otherwise({})
          .in(&ProgramParameters::netrace),
      field("think", &NetraceUse::keep_think, think_names,
            "of a trace of netrace that is closed: a packet begins when those on which it depends have been delivered, "
            "and not before its cycle (\"none\"), or as long after each of them as in the trace (\"kept\")")
          .otherwise({})
          .in(&ProgramParameters::netrace),
      field("region", &ProgramParameters::region, "of a trace of netrace: the region that is run, else all of it")
          .at_least(0)
          .optional(),
      field("flops", &ProgramParameters::flops,
            "of traces of Chakra: operations per second, for computing that has operations and no duration")
          .at_least(1)
          .at_most(std::int64_t{1} << 53)
          .otherwise({}),
  });
  return fields;
}

constexpr std::array netrace_keys = {std::string_view("closed"), std::string_view("cycle"), std::string_view("think"),
                                     std::string_view("region")};

/// A collective of Chakra with the key of its algorithm.
struct CollectiveKey {
  const char* name;
  ChakraCollective collective;
  const char* algorithm; ///< its default
};

constexpr std::array collective_keys = {
    CollectiveKey{"all_reduce", ChakraCollective::all_reduce, "ring"},
    CollectiveKey{"all_gather", ChakraCollective::all_gather, "ring"},
    CollectiveKey{"reduce_scatter", ChakraCollective::reduce_scatter, "ring"},
    CollectiveKey{"all_to_all", ChakraCollective::all_to_all, "pairwise_exchange"},
    CollectiveKey{"broadcast", ChakraCollective::broadcast, "binomial_tree"},
    CollectiveKey{"reduce", ChakraCollective::reduce, "binomial_tree"},
};

std::vector<Parameter> declare_program_keys()
{
  std::vector<Parameter> all = program_fields().declarations();
  all.push_back(
      {.name = "groups",
       .type = ParameterType::file,
       .text = "of traces of Chakra: a JSON file with the ranks of each group of collectives, {\"0\": [0, 1], ...}",
       .optional = true});
  for (const CollectiveKey& key : collective_keys) {
    all.push_back(
        {.name = key.name,
         .type = ParameterType::text,
         .text = fmt::format("of traces of Chakra: the algorithm of {} (wormcast list algorithms), or a file in "
                             "MSCCL XML",
                             key.name),
         .fallback = std::string(key.algorithm)});
  }
  return all;
}

} // namespace

std::span<const Parameter> program_declarations()
{
  static const std::vector<Parameter> declarations = declare_program_keys();
  return declarations;
}

bool is_for_netrace(std::string_view key)
{
  return std::ranges::find(netrace_keys, key) != netrace_keys.end();
}

ProgramParameters program_parameters(const ParameterValues& values)
{
  ProgramParameters program;
  program_fields().read(program, values);
  program.groups = values.has("groups") ? values.text("groups") : std::string();
  for (const CollectiveKey& key : collective_keys) {
    program.algorithms[key.collective] = values.text(key.name);
  }
  program.algorithms[ChakraCollective::reduce_scatter_block] = program.algorithms[ChakraCollective::reduce_scatter];
  program.algorithms[ChakraCollective::barrier] = "dissemination";
  return program;
}

} // namespace wormcast
