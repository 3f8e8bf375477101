# `cpack` makes the packages of Debian: the program, what is needed to build against the libraries, and the documentation.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_VENDOR "The Wormcast authors")
set(CPACK_PACKAGE_CONTACT "The Wormcast authors <wormcast@example.org>")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development documentation)
if(WORMCAST_HAVE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# The libraries that the program is linked with are found by dpkg-shlibdeps; what it starts is named here.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME wormcast)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gnuplot-nox, fonts-dejavu-core")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "libsimgrid-dev, scotch, wormcast-doc")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "discrete-event simulator of wormhole-switched networks
Broadcast and other collective operations on meshes, tori, hypercubes and
any other network, exact to the flit; schedules are verified without
simulating. This package has the program, its manual pages and the
completion of shells. MPI programs are run by SMPI, of libsimgrid-dev.")

# The libraries are static.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwormcast-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
string(CONCAT CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
       "libsimgrid-dev (>= 3.32), libboost-dev (>= 1.74), libboost-graph-dev (>= 1.74), libfmt-dev, libexpat1-dev, libbz2-dev, zlib1g-dev, "
       "libspdlog-dev, nlohmann-json3-dev (>= 3.11), libsqlite3-dev, libtomlplusplus-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "wormcast, wormcast-doc, cmake, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "libraries of the wormhole network simulator wormcast
Static libraries, headers, and what CMake and pkg-config need to find them:
topologies, broadcast and collective algorithms, the verifier of schedules,
and the simulator.")

set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME wormcast-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SUGGESTS wormcast)
set(CPACK_COMPONENT_DOCUMENTATION_DESCRIPTION "documentation and examples of wormcast
The network model, file formats, every key of a configuration, the pages of
reproduced papers, and example configurations.")

# Made for one version of Python.
if(WORMCAST_HAVE_PYTHON)
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-wormcast)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
string(CONCAT CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
       "python3 (>= 3.${Python_VERSION_MINOR}~), python3 (<< 3.${next_python}), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, wormcast, wormcast-doc")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "module of Python for the wormhole network simulator wormcast
Configurations, topologies, schedules, the verifier, runs, sweeps and loads as
objects of Python; records as NumPy arrays, sweeps as pandas frames.")

foreach(part IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${part} upper)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} RENAME copyright
          COMPONENT ${part})
endforeach()
include(CPack)
