# The services' files and the pages of the manual of `mezzotint`, by tools/install, which has the one
# list of them. A step of the installation of mezzotint-debian, with source_dir set.
set(stage $ENV{DESTDIR})
if(NOT stage OR NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  message(FATAL_ERROR "mezzotint-debian is for packages; sudo tools/install installs the services")
endif()
execute_process(
  COMMAND ${source_dir}/tools/install --destdir ${stage} --prefix /usr
          --program ${stage}/usr/bin/mezzotint
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
# Its place in a package is the file copyright.
file(REMOVE ${stage}/usr/share/doc/mezzotint/LICENSE)
