# Headers that many files include, read once for all of them. A target that owns a precompiled header needs something to compile.
#   omniroute_precompiled_headers(NAME HEADER LIBRARY…)   makes the target NAME; LIBRARY… as those of its users, whose flags must fit
#   omniroute_precompile(TARGET NAME)                     TARGET uses it
function(omniroute_precompiled_headers name header)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// ${header}\n")
    add_library(${name} OBJECT ${source})
    target_link_libraries(${name} PRIVATE omniroute_flags ${ARGN})
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR})
    set_target_properties(${name} PROPERTIES AUTOMOC OFF)
    target_precompile_headers(${name} PRIVATE ${header})
endfunction()

function(omniroute_precompile target name)
    target_precompile_headers(${target} REUSE_FROM ${name})
    # What moc makes apart is next to nothing; reading the headers for it would cost more than it.
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/mocs_compilation.cpp
        PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
