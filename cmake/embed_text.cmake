# cmake -D NAME=view_html -D INPUT=view.html -D OUTPUT=web_view_html.cpp -P embed_text.cmake
file(READ ${INPUT} text)
string(FIND "${text}" ")wormcast_text\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${INPUT} holds the characters that end a raw string here: )wormcast_text\"")
endif()
file(WRITE ${OUTPUT} "#include <string_view>

namespace wormcast::web {

namespace {

constexpr char text[] = R\"wormcast_text(")
file(APPEND ${OUTPUT} "${text}")
file(APPEND ${OUTPUT} ")wormcast_text\";

} // namespace

extern const std::string_view ${NAME};
const std::string_view ${NAME}(text, sizeof text - 1);

} // namespace wormcast::web
")
