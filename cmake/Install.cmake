# `cmake --install`: the program, its data, and a library that find_package(Rattleback) finds.

include(CMakePackageConfigHelpers)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/Rattleback)

install(TARGETS rattleback EXPORT RattlebackTargets)
if(RATTLEBACK_SHARED)
  install(TARGETS rattleback_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
# For pkg-config: paths relative to the file, so that an installation can be moved; Debian calls Arb `flint-arb`.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
list(TRANSFORM Flint_LIBRARIES REPLACE "^.*/lib([^/]+)\\.(so|a)$" "-l\\1" OUTPUT_VARIABLE flint_options)
list(JOIN flint_options " " flint_options)
configure_file(cmake/rattleback.pc.in rattleback.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rattleback.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET rattleback_app)
  install(TARGETS rattleback_app)
  # The manual page and the completions are printed by the program itself, from its table of verbs.
  set(written ${PROJECT_BINARY_DIR}/written)
  file(MAKE_DIRECTORY ${written})
  add_custom_command(TARGET rattleback_app POST_BUILD
    COMMAND rattleback_app --man-page > ${written}/rattleback.1
    COMMAND rattleback_app --completions bash > ${written}/rattleback.bash
    COMMAND rattleback_app --completions zsh > ${written}/_rattleback
    COMMAND rattleback_app --completions fish > ${written}/rattleback.fish)
  install(FILES ${written}/rattleback.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${written}/rattleback.bash RENAME rattleback
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${written}/_rattleback DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${written}/rattleback.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(DIRECTORY rattleback DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.hpp PATTERN *.def)
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/rattleback OPTIONAL
  FILES_MATCHING PATTERN *.toml)
install(DIRECTORY docs/reference docs/theory DESTINATION ${CMAKE_INSTALL_DATADIR}/rattleback/docs OPTIONAL)

install(EXPORT RattlebackTargets NAMESPACE Rattleback:: DESTINATION ${config})
configure_package_config_file(cmake/RattlebackConfig.cmake.in RattlebackConfig.cmake INSTALL_DESTINATION ${config})
write_basic_package_version_file(RattlebackConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/RattlebackConfig.cmake ${PROJECT_BINARY_DIR}/RattlebackConfigVersion.cmake
  cmake/FindFlint.cmake  # FLINT has no config file of its own
  DESTINATION ${config})

# `cpack` in the build folder: a package for Debian.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rattleback)
set(CPACK_PACKAGE_CONTACT "The Rattleback authors")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Rattleback authors")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
include(CPack)
