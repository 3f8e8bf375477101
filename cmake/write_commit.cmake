# cmake -D SOURCE=folder -D OUTPUT=wormcast_commit.hpp -P write_commit.cmake: the commit that is checked out in SOURCE.
# The file is written only when that changed.
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE checkout ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
set(commit unknown)
file(REAL_PATH ${SOURCE} source)
if(checkout STREQUAL source) # and not a checkout around a copy of the sources
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=* OUTPUT_VARIABLE described
                  RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(commit ${described})
  endif()
endif()
set(text "#define WORMCAST_COMMIT \"${commit}\"\n")
set(before)
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
