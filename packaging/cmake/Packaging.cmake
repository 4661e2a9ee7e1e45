# cmake --install and cpack -G DEB.
include(GNUInstallDirs)
install(TARGETS omniroute-headless RUNTIME COMPONENT app)
install(FILES packaging/linux/omniroute-headless.service DESTINATION lib/systemd/user COMPONENT app)
if(OMNIROUTE_DESKTOP)
    install(TARGETS omniroute-desktop RUNTIME COMPONENT app)
    install(FILES packaging/linux/omniroute-desktop.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT app)
    install(FILES packaging/linux/io.github.omniroute.desktop.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT app)
    install(FILES resources/icons/omniroute.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
        RENAME omniroute-desktop.svg COMPONENT app)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT app)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME omniroute-desktop)
set(CPACK_PACKAGE_CONTACT "The OmniRoute Desktop authors <maintainers@omniroute.invalid>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Plugins are loaded at run time, so the linker does not know of them.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libqt6sql6-sqlite")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-wayland, libqt6svg6, gnome-keyring | kwalletmanager")
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_STRIP_FILES ON)
include(CPack)
