#include "wormcast/experiments/study/study_list.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

namespace wormcast {

namespace web {
extern const std::string_view contention_by_distance_study;
extern const std::string_view contention_by_network_study;
extern const std::string_view contention_by_noise_and_node_study;
extern const std::string_view cost_of_synchronising_study;
extern const std::string_view onset_of_depth_contention_study;
extern const std::string_view order_in_both_routers_study;
extern const std::string_view recursion_elsewhere_study;
extern const std::string_view recursion_today_study;
extern const std::string_view slowdown_by_distance_study;
extern const std::string_view slowdown_of_random_trees_study;
extern const std::string_view unsynchronised_broadcast_study;
} // namespace web

std::span<const InstalledStudy> installed_studies()
{
  static const std::array<InstalledStudy, 11> studies = {
      {{"contention_by_distance", web::contention_by_distance_study},
       {"contention_by_network", web::contention_by_network_study},
       {"contention_by_noise_and_node", web::contention_by_noise_and_node_study},
       {"cost_of_synchronising", web::cost_of_synchronising_study},
       {"onset_of_depth_contention", web::onset_of_depth_contention_study},
       {"order_in_both_routers", web::order_in_both_routers_study},
       {"recursion_elsewhere", web::recursion_elsewhere_study},
       {"recursion_today", web::recursion_today_study},
       {"slowdown_by_distance", web::slowdown_by_distance_study},
       {"slowdown_of_random_trees", web::slowdown_of_random_trees_study},
       {"unsynchronised_broadcast", web::unsynchronised_broadcast_study}}};
  return studies;
}

StudyFile find_study(const std::string& name, StudyScale scale)
{
  const auto installed = std::ranges::find(installed_studies(), name, &InstalledStudy::name);
  if (installed != installed_studies().end()) {
    return read_study_file(installed->text, name + ".toml", scale);
  }
  if (std::filesystem::path(name).extension() == ".toml") {
    return read_study_file(read_whole_file(name, any_length), name, scale);
  }
  std::vector<std::string> names;
  for (const InstalledStudy& study : installed_studies()) {
    names.emplace_back(study.name);
  }
  throw InputError(fmt::format("{}: unknown study, expected one of {}, or a file that ends in .toml{}", name,
                               fmt::join(names, ", "), suggestion(name, names)));
}

std::string study_list_text()
{
  std::string text;
  for (const InstalledStudy& study : installed_studies()) {
    const StudyDesign design = find_study(std::string(study.name), StudyScale::quick).design;
    text += fmt::format("{}\n  {}\n", design.name, design.question);
    for (const StudyQuestion& question : design.questions) {
      text += fmt::format("  - {}\n", question.text);
    }
  }
  return text;
}

} // namespace wormcast
