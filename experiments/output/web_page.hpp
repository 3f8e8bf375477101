#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// The value of a placeholder of a page: `{{name}}`.
struct PagePart {
  std::string_view name;
  std::string_view text;
};

/// Writes an HTML page with all placeholders filled in. Throws std::logic_error on a placeholder without a part.
void write_page(std::ostream& out, std::string_view page, std::span<const PagePart> parts);

/// Returns JSON text that is safe in a script element: "<" is written as an escape, which in JSON can only be within
/// strings.
std::string json_for_script(std::string json);

/// Texts from experiments/view/web, which cmake/WormcastEmbedTexts.cmake puts into the program.
namespace web {
extern const std::string_view palette_css;
extern const std::string_view view_css;
extern const std::string_view view_html;
extern const std::string_view view_js;
extern const std::string_view view_picture_js;
extern const std::string_view view_run_js;
extern const std::string_view view_timeline_js;
} // namespace web

} // namespace wormcast
