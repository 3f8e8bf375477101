# WebAssembly by Clang 19, with the C and C++ libraries of Debian: packages clang-19, lld-19, libc++-19-dev-wasm32 and
# libclang-rt-19-dev-wasm32. The libraries have no files, no threads and no exceptions; the playground provides the last.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
