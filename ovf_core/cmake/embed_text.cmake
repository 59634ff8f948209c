# Embeds a text file into a target as `extern const std::string_view ovf::embedded::<name>`:
#
#   ovf_embed_text(<target> <name> <file>)
#
# The generated source lies in the build directory and follows changes of the file. The same script,
# run with cmake -P and NAME, INPUT, OUTPUT, generates it.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" hex HEX)
  string(LENGTH "${hex}" hex_length)
  math(EXPR size "${hex_length} / 2")
  # Escaped bytes: no raw-string delimiter or encoding to mind. One literal per 64 bytes keeps lines short.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${hex}")
  string(REPEAT "[^x]x[0-9a-f][0-9a-f]" 64 line)
  string(REGEX REPLACE "(${line})" "\\1\"\n    \"" bytes "${bytes}")
  file(WRITE "${OUTPUT}" "// Generated from ${INPUT}.
#include <string_view>

namespace ovf::embedded {

extern const std::string_view ${NAME};
constinit const std::string_view ${NAME}{
    \"${bytes}\",
    ${size}};

}  // namespace ovf::embedded
")
  return()
endif()

set(OVF_EMBED_TEXT_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(ovf_embed_text target name file)
  get_filename_component(input "${file}" ABSOLUTE)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -DNAME=${name} "-DINPUT=${input}" "-DOUTPUT=${output}"
            -P "${OVF_EMBED_TEXT_SCRIPT}"
    DEPENDS "${input}" "${OVF_EMBED_TEXT_SCRIPT}"
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
