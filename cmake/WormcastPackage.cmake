# How a package of Wormcast (topologies, algorithms, simulator, experiments) becomes a library, and how all are installed.

# Warnings for the project's own targets.
function(wormcast_set_warnings target)
  # The last three warn of std::string itself in optimised builds (GCC bugs 105329 and 105651).
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                           -Wconversion -Wno-sign-conversion -Wno-array-bounds -Wno-restrict
                                           -Wno-stringop-overflow $<$<BOOL:${WORMCAST_WARNINGS_AS_ERRORS}>:-Werror>)
endfunction()

# wormcast_add_package(NAME SOURCES ... LINKS ... PRIVATE_LINKS ... PRECOMPILE ...): library wormcast::NAME from the sources
# of the current folder. Headers are included as "NAME/header.hpp", from the source tree and when installed. PRECOMPILE
# names large headers of other projects that most sources include.
function(wormcast_add_package name)
  cmake_parse_arguments(PARSE_ARGV 1 package "" "" "SOURCES;LINKS;PRIVATE_LINKS;PRECOMPILE")
  set(target wormcast_${name})
  add_library(${target} STATIC ${package_SOURCES})
  add_library(wormcast::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/wormcast>)
  target_link_libraries(${target} PUBLIC ${package_LINKS} PRIVATE ${package_PRIVATE_LINKS})
  if(package_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${package_PRECOMPILE})
  endif()
  wormcast_set_warnings(${target})
  set_property(GLOBAL APPEND PROPERTY WORMCAST_PACKAGES ${name})
endfunction()

# Installs libraries, headers, program and the configuration that find_package(wormcast) reads.
function(wormcast_install_packages)
  include(CMakePackageConfigHelpers)
  get_property(packages GLOBAL PROPERTY WORMCAST_PACKAGES)
  set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wormcast)
  foreach(package IN LISTS packages)
    install(TARGETS wormcast_${package} EXPORT wormcastTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${package} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wormcast
            FILES_MATCHING PATTERN "*.hpp")
  endforeach()
  if(TARGET wormcast)
    install(TARGETS wormcast RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  install(EXPORT wormcastTargets NAMESPACE wormcast:: DESTINATION ${config_dir})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/wormcastConfig.cmake.in
                                ${PROJECT_BINARY_DIR}/wormcastConfig.cmake INSTALL_DESTINATION ${config_dir})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/wormcastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/wormcastConfig.cmake ${PROJECT_BINARY_DIR}/wormcastConfigVersion.cmake
                ${PROJECT_SOURCE_DIR}/cmake/FindSimGrid.cmake DESTINATION ${config_dir})
endfunction()
