# One interface target carries the language level, warnings and strictness for all of our code.
add_library(omniroute_flags INTERFACE)
target_compile_features(omniroute_flags INTERFACE cxx_std_20)
target_compile_definitions(omniroute_flags INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING QT_NO_KEYWORDS
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_STRICT_ITERATORS
    OMNIROUTE_VERSION="${PROJECT_VERSION}")
target_compile_options(omniroute_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
    -Wimplicit-fallthrough -Wformat=2 -fno-common
    # In optimised code it warns of every std::get_if whose outcome was just asserted.
    $<$<CONFIG:Debug>:-Wnull-dereference> $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>)
if(OMNIROUTE_WERROR)
    target_compile_options(omniroute_flags INTERFACE -Werror)
endif()
if(OMNIROUTE_SANITIZE)
    target_compile_options(omniroute_flags INTERFACE -fsanitize=${OMNIROUTE_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(omniroute_flags INTERFACE -fsanitize=${OMNIROUTE_SANITIZE})
    # GCC's null-dereference analysis reports false positives in instrumented code.
    target_compile_options(omniroute_flags INTERFACE -Wno-null-dereference $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
else()
    target_compile_options(omniroute_flags INTERFACE
        -fstack-protector-strong $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
    target_link_options(omniroute_flags INTERFACE -Wl,-z,relro,-z,now)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)
