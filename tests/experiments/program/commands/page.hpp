#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace wormcast::testing {

/// What stands between `begin` and the next `end`.
std::string between(const std::string& text, const std::string& begin, const std::string& end);

/// The data of a page of `wormcast view`.
nlohmann::ordered_json page_data(const std::string& page);

/// view.html in `folder` after its scripts have run in a browser, at an address that ends in `fragment`.
std::string page_in_browser(const std::filesystem::path& folder, const std::string& fragment,
                            const std::string& window = "1280,720");

/// What such a page says of itself.
nlohmann::ordered_json page_state(const std::string& page);

} // namespace wormcast::testing
