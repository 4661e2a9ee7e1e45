# Translations: English is the source. Every translations/omniroute_<language>.ts is compiled into the library under ":/i18n".
# tests/check_translations.sh fails when one of them is behind the sources.
file(GLOB translation_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/translations/omniroute_*.ts)
if(translation_files)
    qt_add_lrelease(omniroute_ui TS_FILES ${translation_files} QM_FILES_OUTPUT_VARIABLE compiled_translations)
    foreach(file IN LISTS compiled_translations)
        get_filename_component(name ${file} NAME)
        set_source_files_properties(${file} PROPERTIES QT_RESOURCE_ALIAS ${name})
    endforeach()
    qt_add_resources(omniroute_ui "translations" PREFIX "/i18n" FILES ${compiled_translations})
endif()
