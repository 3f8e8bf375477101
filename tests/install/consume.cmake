# For run.cmake and packages.cmake.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Builds the consumer against what is installed in PREFIX, as another project would, with the COMPILER and FLAGS of the
# build (sanitizers want to be linked, too), and runs it. More arguments are for CMake.
function(consume prefix)
  cmake_path(SET tree NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../..)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/consumer -B ${WORK}/build -G Ninja
      -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}"
      -DDOCUMENTATION=${tree}/docs -DEXAMPLES=${tree}/examples ${ARGN})
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  run(${WORK}/build/consumer)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure)
  foreach(brought "topologies;plugin;chordal_ring" "network;router;ideal.speed_up")
    list(GET brought 0 list)
    list(GET brought 1 plugin)
    list(GET brought 2 name)
    run(${prefix}/bin/wormcast list ${list} --plugin ${WORK}/build/liboutside_${plugin}.so)
    if(NOT output MATCHES "${name}")
      message(FATAL_ERROR "the installed program does not know what the plug-in brings:\n${output}")
    endif()
  endforeach()
endfunction()

# The same with what pkg-config says.
function(consume_by_pkg_config prefix)
  file(GLOB_RECURSE description ${prefix}/lib/wormcast.pc)
  cmake_path(GET description PARENT_PATH folder)
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${folder} pkg-config --cflags --libs wormcast)
  separate_arguments(words UNIX_COMMAND "${FLAGS} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/consumer/main.cpp ${output}")
  run(${COMPILER} -std=c++20 -o ${WORK}/by_pkg_config ${words})
  run(${WORK}/by_pkg_config)
endfunction()
