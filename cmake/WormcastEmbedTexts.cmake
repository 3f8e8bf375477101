# Texts that the program carries within it: pages, style sheets, scripts.

# wormcast_embed_texts(VARIABLE FILE...): a C++ source for each file, made when the file changes, their names in VARIABLE.
# A file "view.html" becomes `extern const std::string_view view_html` in namespace wormcast::web, "NAME=FILE" is called NAME.
function(wormcast_embed_texts variable)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake)
  set(sources)
  foreach(file IN LISTS ARGN)
    set(name)
    if(file MATCHES "^([a-z0-9_]+)=(.+)$")
      set(name ${CMAKE_MATCH_1})
      set(file ${CMAKE_MATCH_2})
    endif()
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    if(NOT name)
      cmake_path(GET file FILENAME name)
      string(MAKE_C_IDENTIFIER ${name} name)
    endif()
    set(source ${CMAKE_CURRENT_BINARY_DIR}/web_${name}.cpp)
    add_custom_command(
      OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D INPUT=${file} -D OUTPUT=${source} -P ${script}
      DEPENDS ${file} ${script}
      COMMENT "Embedding ${file}"
      VERBATIM)
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
    list(APPEND sources ${source})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
