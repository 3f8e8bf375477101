#include "wormcast/algorithms/schedule/message_words.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr std::string_view unknown_call = "unknown call";

} // namespace

std::uint32_t NumberedTexts::number(std::string_view text)
{
  const auto [place, is_new] = numbers_.try_emplace(std::string(text), size());
  if (is_new) {
    texts_.emplace_back(text);
  }
  return place->second;
}

std::string ProgramWords::group_name(const MessageWords& words, WordGroup group) const
{
  const std::string& call = calls.text(words.call);
  std::string name = call.empty() ? std::string(unknown_call) : call;
  switch (group) {
  case WordGroup::collective:
    return words.collective == 0
               ? name
               : fmt::format("{} {} of {}", name, words.collective, communicators.text(words.communicator));
  case WordGroup::communicator:
    return communicators.text(words.communicator);
  case WordGroup::region: {
    const std::string& region = regions.text(words.region);
    return region.empty() ? "no region" : region;
  }
  case WordGroup::tag:
    return is_point_to_point(words) ? fmt::format("tag {}", words.tag) : name;
  case WordGroup::call:
    break;
  }
  return name;
}

std::string ProgramWords::text(const MessageWords& words) const
{
  std::string text =
      fmt::format("{} from rank {} to rank {}", group_name(words, WordGroup::collective), words.sender, words.receiver);
  if (is_point_to_point(words)) {
    text += fmt::format(", tag {}", words.tag);
  }
  if (words.collective == 0) {
    text += ", " + communicators.text(words.communicator);
  }
  if (const std::string& region = regions.text(words.region); !region.empty()) {
    text += ", in " + region;
  }
  return text;
}

} // namespace wormcast
