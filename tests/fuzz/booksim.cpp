#include "tests/fuzz/limits.hpp"
#include "tests/fuzz/targets.hpp"
#include "wormcast/experiments/config/booksim_file.hpp"
#include "wormcast/experiments/config/config.hpp"

namespace wormcast::fuzz {

bool run_booksim(std::string_view input)
{
  const ImportedConfig imported = import_booksim(input, "input.cfg");
  const InputFile file(imported.toml, ".toml");
  const RawConfig config = read_config(file.path(), {});
  if (most_nodes_of(config) > most_nodes) {
    return false;
  }
  require(configured_topology(config).per_hop > Time{}, "what is imported is a configuration with a pipeline");
  return true;
}

} // namespace wormcast::fuzz
