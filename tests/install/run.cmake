# Installs the build in BUILD below WORK, and uses what is there as another project would.
include(${CMAKE_CURRENT_LIST_DIR}/consume.cmake)

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
consume(${WORK}/prefix -DWITH_PROGRAMS_AND_HEADERS=ON)
consume_by_pkg_config(${WORK}/prefix)
run(${WORK}/prefix/bin/wormcast --version)
if(REPRODUCTIONS)
  run(${WORK}/prefix/bin/wormcast reproduce kim_2014.lemma_3_sla)
endif()
file(REMOVE_RECURSE ${WORK})
