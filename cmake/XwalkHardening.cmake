# What a release is protected by: checked stacks and calls of the C library, addresses of functions that are resolved at the
# start and cannot be written later. Sanitizers have checks of their own, and are not built as a release.
foreach(language IN ITEMS C CXX)
  string(APPEND CMAKE_${language}_FLAGS_RELEASE " -fstack-protector-strong -D_FORTIFY_SOURCE=2")
  # GCC reports a result that is cast to void on purpose.
  string(APPEND CMAKE_${language}_FLAGS_RELEASE " -Wno-unused-result")
endforeach()
add_link_options($<$<CONFIG:Release>:LINKER:-z,relro> $<$<CONFIG:Release>:LINKER:-z,now>)
