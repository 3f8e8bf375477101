#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/process/resources.hpp"
#include "wormcast/experiments/python/bindings.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

PYBIND11_MODULE(_core, module)
{
  using namespace wormcast;
  module.doc() = "What the package wormcast is made of.";
  module.attr("version") = std::string(program_version());
  const auto logger = std::make_shared<spdlog::logger>("wormcast", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("wormcast: %l: %v");
  spdlog::set_default_logger(logger);
  limit_resources();
  bind_errors();
  bind_topology(module);
  bind_schedule(module);
  bind_simulation(module);
  bind_studies(module);
}
