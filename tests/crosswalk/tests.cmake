# Random tables of Skiff come with a writer of rows.
target_link_libraries(xwalk_crosswalk_tests PRIVATE xwalk_skiff_oracle)
# A made-up system, in a program of its own: it brings another list of modules.
file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/crosswalk/seventh/*.cc")
add_executable(xwalk_seventh_tests ${sources})
target_link_libraries(xwalk_seventh_tests PRIVATE
  xwalk::core xwalk_project_options nanoarrow ${XWALK_PRIVATE_LIBRARIES} GTest::gtest GTest::gmock GTest::gtest_main)
target_include_directories(xwalk_seventh_tests PRIVATE "${PROJECT_SOURCE_DIR}")
gtest_discover_tests(xwalk_seventh_tests DISCOVERY_MODE PRE_TEST TEST_PREFIX crosswalk.)
