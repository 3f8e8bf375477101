#include "wormcast/experiments/plugins/plugins.hpp"

#include "wormcast/algorithms/plugin.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dlfcn.h>
#include <exception>
#include <link.h>
#include <string_view>
#include <system_error>

namespace wormcast {

namespace {

std::vector<std::filesystem::path>& plugin_files()
{
  static std::vector<std::filesystem::path> files;
  return files;
}

[[noreturn]] void fail(const std::string& name, std::string_view reason)
{
  throw InputError(fmt::format("plug-in {}: {}", name, reason));
}

/// Opens it for as long as the program runs.
void* open_plugin(const std::string& name)
{
  std::error_code ignored;
  const bool is_file = std::filesystem::exists(name, ignored);
  void* handle = ::dlopen((is_file ? std::filesystem::absolute(name).string() : name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    fail(name, ::dlerror());
  }
  return handle;
}

std::filesystem::path file_of(void* handle, const std::string& name)
{
  const link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
    fail(name, ::dlerror());
  }
  std::error_code error;
  std::filesystem::path file = std::filesystem::canonical(map->l_name, error);
  if (error) {
    fail(name, "found no file, expected a plug-in of wormcast");
  }
  return file;
}

void load(const std::string& name)
{
  if (name.empty()) {
    throw InputError("--plugin: found nothing, expected a file");
  }
  void* handle = open_plugin(name);
  const std::filesystem::path file = file_of(handle, name);
  if (std::ranges::find(plugin_files(), file) != plugin_files().end()) {
    return;
  }
  const auto plugin = reinterpret_cast<decltype(&wormcast_plugin)>(::dlsym(handle, "wormcast_plugin"));
  if (plugin == nullptr) {
    fail(name, "found no function wormcast_plugin, expected a plug-in of wormcast");
  }
  const Plugin found = plugin();
  if (found.version == nullptr || found.register_all == nullptr) {
    fail(name, "its wormcast_plugin gives no version or no function, expected both");
  }
  if (std::string_view(found.version) != WORMCAST_PLUGIN_VERSION) {
    fail(name, fmt::format("made for version {}, expected {}: build it again with the headers of this version",
                           found.version, WORMCAST_PLUGIN_VERSION));
  }
  if (found.layout != plugin_layout) {
    fail(name, "made with other headers of this version, or other settings of the standard library, than the program: "
               "build it again with those of the program");
  }
  try {
    found.register_all();
  } catch (const std::exception& error) {
    fail(name, error.what());
  } catch (...) {
    fail(name, "it threw what is no std::exception");
  }
  plugin_files().push_back(file);
}

} // namespace

void load_plugins(std::span<const std::string> names)
{
  std::ranges::for_each(names, load);
}

std::span<const std::filesystem::path> loaded_plugins()
{
  return plugin_files();
}

std::vector<std::string> plugin_names(std::string_view list)
{
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) {
      names.emplace_back(list.substr(0, end));
    }
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

} // namespace wormcast
