// The MPI functions that a program calls, recorded: part of libwormcast_platform.so, and called where that is loaded
// before SMPI's library (LD_PRELOAD). SMPI's MPI_Send calls its PMPI_Send, which is the one below.

#include "wormcast/experiments/mpi/call_recorder.hpp"
#include "wormcast/experiments/mpi/smpi_interface.hpp"

#include <cstddef>
#include <dlfcn.h>
#include <smpi/smpi.h>
#include <tuple>
#include <type_traits>

namespace wormcast {

namespace {

template <typename Function> struct ParametersOf;
template <typename... Parameters> struct ParametersOf<int(Parameters...)> {
  using Types = std::tuple<Parameters...>;
};
template <typename Function, std::size_t place>
using Parameter_of = std::tuple_element_t<place, typename ParametersOf<Function>::Types>;

template <typename Function> Function* next_function(const char* name)
{
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

MPI_Comm communicator_in()
{
  return nullptr;
}

/// The first communicator among the parameters of a call.
template <typename First, typename... Rest> MPI_Comm communicator_in(First first, Rest... rest)
{
  if constexpr (std::is_same_v<First, MPI_Comm>) {
    return first;
  } else {
    return communicator_in(rest...);
  }
}

template <MpiCall call, typename Function, typename... Parameters>
int recorded(const char* name, const void* frame, Parameters... parameters)
{
  static Function* const next = next_function<Function>(name);
  const CallRecorder::Scope scope(call, communicator_in(parameters...), frame);
  return next(parameters...);
}

} // namespace

} // namespace wormcast

#define WORMCAST_TYPE(NAME, PLACE) wormcast::Parameter_of<decltype(PMPI_##NAME), PLACE>
#define WORMCAST_BODY(NAME, ...)                                                                                       \
  {                                                                                                                    \
    return wormcast::recorded<wormcast::MpiCall::NAME, decltype(PMPI_##NAME)>(                                         \
        "PMPI_" #NAME, __builtin_frame_address(0) __VA_OPT__(, ) __VA_ARGS__);                                         \
  }
// Functions with so many parameters.
#define WORMCAST_FUNCTION_0(NAME) extern "C" int PMPI_##NAME() WORMCAST_BODY(NAME)
#define WORMCAST_FUNCTION_1(NAME) extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a) WORMCAST_BODY(NAME, a)
#define WORMCAST_FUNCTION_2(NAME)                                                                                      \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b) WORMCAST_BODY(NAME, a, b)
#define WORMCAST_FUNCTION_3(NAME)                                                                                      \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c)             \
      WORMCAST_BODY(NAME, a, b, c)
#define WORMCAST_FUNCTION_4(NAME)                                                                                      \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c,             \
                             WORMCAST_TYPE(NAME, 3) d) WORMCAST_BODY(NAME, a, b, c, d)
#define WORMCAST_FUNCTION_5(NAME)                                                                                      \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c,             \
                             WORMCAST_TYPE(NAME, 3) d, WORMCAST_TYPE(NAME, 4) e) WORMCAST_BODY(NAME, a, b, c, d, e)
#define WORMCAST_FUNCTION_6(NAME)                                                                                      \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c,             \
                             WORMCAST_TYPE(NAME, 3) d, WORMCAST_TYPE(NAME, 4) e, WORMCAST_TYPE(NAME, 5) f)             \
      WORMCAST_BODY(NAME, a, b, c, d, e, f)
#define WORMCAST_FUNCTION_7(NAME)                                                                                      \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c,             \
                             WORMCAST_TYPE(NAME, 3) d, WORMCAST_TYPE(NAME, 4) e, WORMCAST_TYPE(NAME, 5) f,             \
                             WORMCAST_TYPE(NAME, 6) g) WORMCAST_BODY(NAME, a, b, c, d, e, f, g)
#define WORMCAST_FUNCTION_8(NAME)                                                                                      \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c,             \
                             WORMCAST_TYPE(NAME, 3) d, WORMCAST_TYPE(NAME, 4) e, WORMCAST_TYPE(NAME, 5) f,             \
                             WORMCAST_TYPE(NAME, 6) g, WORMCAST_TYPE(NAME, 7) h)                                       \
      WORMCAST_BODY(NAME, a, b, c, d, e, f, g, h)
#define WORMCAST_FUNCTION_9(NAME)                                                                                      \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c,             \
                             WORMCAST_TYPE(NAME, 3) d, WORMCAST_TYPE(NAME, 4) e, WORMCAST_TYPE(NAME, 5) f,             \
                             WORMCAST_TYPE(NAME, 6) g, WORMCAST_TYPE(NAME, 7) h, WORMCAST_TYPE(NAME, 8) i)             \
      WORMCAST_BODY(NAME, a, b, c, d, e, f, g, h, i)
#define WORMCAST_FUNCTION_10(NAME)                                                                                     \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c,             \
                             WORMCAST_TYPE(NAME, 3) d, WORMCAST_TYPE(NAME, 4) e, WORMCAST_TYPE(NAME, 5) f,             \
                             WORMCAST_TYPE(NAME, 6) g, WORMCAST_TYPE(NAME, 7) h, WORMCAST_TYPE(NAME, 8) i,             \
                             WORMCAST_TYPE(NAME, 9) j) WORMCAST_BODY(NAME, a, b, c, d, e, f, g, h, i, j)
#define WORMCAST_FUNCTION_12(NAME)                                                                                     \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c,             \
                             WORMCAST_TYPE(NAME, 3) d, WORMCAST_TYPE(NAME, 4) e, WORMCAST_TYPE(NAME, 5) f,             \
                             WORMCAST_TYPE(NAME, 6) g, WORMCAST_TYPE(NAME, 7) h, WORMCAST_TYPE(NAME, 8) i,             \
                             WORMCAST_TYPE(NAME, 9) j, WORMCAST_TYPE(NAME, 10) k, WORMCAST_TYPE(NAME, 11) l)           \
      WORMCAST_BODY(NAME, a, b, c, d, e, f, g, h, i, j, k, l)
#define WORMCAST_FUNCTION_13(NAME)                                                                                     \
  extern "C" int PMPI_##NAME(WORMCAST_TYPE(NAME, 0) a, WORMCAST_TYPE(NAME, 1) b, WORMCAST_TYPE(NAME, 2) c,             \
                             WORMCAST_TYPE(NAME, 3) d, WORMCAST_TYPE(NAME, 4) e, WORMCAST_TYPE(NAME, 5) f,             \
                             WORMCAST_TYPE(NAME, 6) g, WORMCAST_TYPE(NAME, 7) h, WORMCAST_TYPE(NAME, 8) i,             \
                             WORMCAST_TYPE(NAME, 9) j, WORMCAST_TYPE(NAME, 10) k, WORMCAST_TYPE(NAME, 11) l,           \
                             WORMCAST_TYPE(NAME, 12) m) WORMCAST_BODY(NAME, a, b, c, d, e, f, g, h, i, j, k, l, m)
#define WORMCAST_CALL(NAME, PARAMETERS, KIND) WORMCAST_FUNCTION_##PARAMETERS(NAME)

WORMCAST_MPI_CALLS(WORMCAST_CALL)
#undef WORMCAST_CALL
