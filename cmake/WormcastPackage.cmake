# How a package of Wormcast (values, formats, topologies, algorithms, simulator, experiments) becomes a library, and what is installed.

# Warnings for the project's own targets.
function(wormcast_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                           -Wconversion -Wno-sign-conversion
                                           $<$<BOOL:${WORMCAST_WARNINGS_AS_ERRORS}>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # warn of std::string itself in optimised builds (GCC bugs 105329 and 105651)
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  else() # Clang warns of the buffer that libstdc++ 12 itself uses in std::stable_sort
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
endfunction()

# Lets a build with CMAKE_UNITY_BUILD compile the sources of each folder as one: most of the time to compile goes into
# headers and templates that they share. Generated sources stay on their own.
function(wormcast_unite_folders target)
  get_target_property(sources ${target} SOURCES)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    if(NOT IS_ABSOLUTE ${source})
      cmake_path(GET source PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER "${target}_${folder}" group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()

# wormcast_add_package(NAME [INSTALLED] SOURCES ... HEADERS ... LINKS ... PRIVATE_LINKS ... PRECOMPILE ... | PRECOMPILED_BY ...):
# library wormcast::NAME from the sources of the current folder. Headers are included as <wormcast/NAME/header.hpp>, from
# the source tree and when installed. HEADERS are those that are promised to users of the library, and installed. A
# package without them is installed only with INSTALLED, for the libraries that need it.
# PRECOMPILE names large headers of other projects that most sources include, PRECOMPILED_BY a package whose precompiled
# headers serve this one, too.
function(wormcast_add_package name)
  cmake_parse_arguments(PARSE_ARGV 1 package "INSTALLED" "PRECOMPILED_BY" "SOURCES;HEADERS;LINKS;PRIVATE_LINKS;PRECOMPILE")
  set(target wormcast_${name})
  add_library(${target} STATIC ${package_SOURCES})
  add_library(wormcast::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # As if installed: folders called "algorithms" or "topologies" of a user's own cannot get in the way.
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/wormcast)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/wormcast/${name} SYMBOLIC)
  target_link_libraries(${target} PUBLIC ${package_LINKS} PRIVATE ${package_PRIVATE_LINKS})
  if(package_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${package_PRECOMPILE})
  elseif(package_PRECOMPILED_BY)
    target_precompile_headers(${target} REUSE_FROM wormcast_${package_PRECOMPILED_BY})
  endif()
  wormcast_set_warnings(${target})
  wormcast_unite_folders(${target})
  if(package_HEADERS OR package_INSTALLED)
    set_property(GLOBAL APPEND PROPERTY WORMCAST_PACKAGES ${name})
    list(TRANSFORM package_HEADERS PREPEND ${name}/)
    set_property(GLOBAL APPEND PROPERTY WORMCAST_HEADERS ${package_HEADERS})
  endif()
endfunction()

# wormcast::plugin: what a plug-in is compiled with. It finds the libraries in the program that loads it. Both have a
# number made of the text of all headers that are promised, so that no class that crosses the border can differ.
function(wormcast_add_plugin_target)
  get_property(headers GLOBAL PROPERTY WORMCAST_HEADERS)
  list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(digests)
  foreach(header IN LISTS headers)
    file(SHA256 ${header} digest)
    string(APPEND digests ${digest})
  endforeach()
  string(SHA256 digest "${digests}")
  string(SUBSTRING ${digest} 0 16 digest)
  set_source_files_properties(
    experiments/plugins/plugins.cpp TARGET_DIRECTORY wormcast_experiments
    PROPERTIES COMPILE_DEFINITIONS "WORMCAST_PLUGIN_HEADERS=0x${digest};WORMCAST_PLUGIN_VERSION=\"${PROJECT_VERSION}\""
               SKIP_PRECOMPILE_HEADERS ON)
  add_library(wormcast_plugin INTERFACE)
  add_library(wormcast::plugin ALIAS wormcast_plugin)
  set_target_properties(wormcast_plugin PROPERTIES EXPORT_NAME plugin)
  target_compile_features(wormcast_plugin INTERFACE cxx_std_20)
  target_compile_definitions(wormcast_plugin INTERFACE WORMCAST_PLUGIN_VERSION="${PROJECT_VERSION}"
                             WORMCAST_PLUGIN_HEADERS=0x${digest})
  target_include_directories(wormcast_plugin INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(wormcast_plugin INTERFACE Boost::headers)
  install(TARGETS wormcast_plugin EXPORT wormcastTargets COMPONENT development)
endfunction()

# Installs libraries, headers, program and the configuration that find_package(wormcast) reads.
function(wormcast_install_packages)
  include(CMakePackageConfigHelpers)
  get_property(packages GLOBAL PROPERTY WORMCAST_PACKAGES)
  set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wormcast)
  foreach(package IN LISTS packages)
    install(TARGETS wormcast_${package} EXPORT wormcastTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
            COMPONENT development)
  endforeach()
  get_property(headers GLOBAL PROPERTY WORMCAST_HEADERS)
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wormcast/${folder} COMPONENT development)
  endforeach()
  wormcast_install_shell_files()
  install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
          COMPONENT documentation)
  install(DIRECTORY docs configs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
  wormcast_install_pages()
  install(EXPORT wormcastTargets NAMESPACE wormcast:: DESTINATION ${config_dir} COMPONENT development)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/wormcastConfig.cmake.in
                                ${PROJECT_BINARY_DIR}/wormcastConfig.cmake INSTALL_DESTINATION ${config_dir})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/wormcastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/wormcastConfig.cmake ${PROJECT_BINARY_DIR}/wormcastConfigVersion.cmake
                ${PROJECT_SOURCE_DIR}/cmake/FindSimGrid.cmake DESTINATION ${config_dir} COMPONENT development)
  file(RELATIVE_PATH wormcast_pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix) # wherever it is moved to
  configure_file(${PROJECT_SOURCE_DIR}/cmake/wormcast.pc.in ${PROJECT_BINARY_DIR}/wormcast.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/wormcast.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()

# What Doxygen makes of the headers.
function(wormcast_install_pages)
  find_program(WORMCAST_DOXYGEN doxygen)
  if(NOT WORMCAST_BUILD_PAGES OR NOT WORMCAST_DOXYGEN)
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/pages)
  add_custom_target(wormcast_pages ALL COMMAND ${PROJECT_SOURCE_DIR}/docs/doxygen/make.sh ${folder}
                    COMMENT "Making the pages of the headers" VERBATIM)
  install(DIRECTORY ${folder}/html DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
endfunction()

# Manual pages and the completion of shells, which the program writes.
function(wormcast_install_shell_files)
  set(folder ${PROJECT_BINARY_DIR}/shell)
  set(scripts ${folder}/wormcast ${folder}/_wormcast ${folder}/wormcast.fish)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${scripts} ${folder}/manual
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}/man1
    COMMAND wormcast reference --man ${folder}/man1 > ${folder}/manual
    COMMAND wormcast completion bash --out ${folder}/wormcast
    COMMAND wormcast completion zsh --out ${folder}/_wormcast
    COMMAND wormcast completion fish --out ${folder}/wormcast.fish
    DEPENDS wormcast
    COMMENT "Writing manual pages and completion")
  add_custom_target(wormcast_shell_files ALL DEPENDS ${scripts} ${folder}/manual)
  install(DIRECTORY ${folder}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
  install(FILES ${folder}/wormcast DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  install(FILES ${folder}/wormcast.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT program)
  foreach(place site-functions vendor-completions) # /usr/local; Debian's packages
    install(FILES ${folder}/_wormcast DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${place} COMPONENT program)
  endforeach()
endfunction()
