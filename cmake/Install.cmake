# `cmake --install`: the program, its data, and a library that find_package(Rattleback) finds.

include(CMakePackageConfigHelpers)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/Rattleback)

install(TARGETS rattleback EXPORT RattlebackTargets)
if(TARGET rattleback_app)
  install(TARGETS rattleback_app)
endif()
install(DIRECTORY rattleback DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.hpp PATTERN *.def)
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/rattleback OPTIONAL
  FILES_MATCHING PATTERN *.toml)
install(DIRECTORY docs/reference DESTINATION ${CMAKE_INSTALL_DATADIR}/rattleback/docs OPTIONAL)

install(EXPORT RattlebackTargets NAMESPACE Rattleback:: DESTINATION ${config})
configure_package_config_file(cmake/RattlebackConfig.cmake.in RattlebackConfig.cmake INSTALL_DESTINATION ${config})
write_basic_package_version_file(RattlebackConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/RattlebackConfig.cmake ${PROJECT_BINARY_DIR}/RattlebackConfigVersion.cmake
  cmake/FindFlint.cmake  # FLINT has no config file of its own
  DESTINATION ${config})
