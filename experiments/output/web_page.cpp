#include "wormcast/experiments/output/web_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wormcast {

void write_page(std::ostream& out, std::string_view page, std::span<const PagePart> parts)
{
  for (std::size_t begin = page.find("{{"); begin != std::string_view::npos; begin = page.find("{{")) {
    const std::size_t end = page.find("}}", begin);
    const std::string_view name = page.substr(begin + 2, end - begin - 2);
    const auto part = std::ranges::find(parts, name, &PagePart::name);
    if (end == std::string_view::npos || part == parts.end()) {
      throw std::logic_error(fmt::format("nothing to put in place of \"{}\" in a page", name.substr(0, 40)));
    }
    out << page.substr(0, begin) << part->text;
    page.remove_prefix(end + 2);
  }
  out << page;
}

std::string json_for_script(std::string json)
{
  constexpr std::string_view escape = "\\u003c";
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
    json.replace(at, 1, escape);
  }
  return json;
}

} // namespace wormcast
