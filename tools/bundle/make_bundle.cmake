# Makes BINARY_DIR/NAME.tar.gz of PROGRAMS, the shared libraries that they need and the files that
# users and tests want; run by the target bundle with cmake -P.
#
#   bin/        the programs, which look for libraries in ../lib
#   lib/        every library but glibc's own and the driver's; glibc must be at least the one that
#               the build had
#   licences/   of those libraries, as their Debian packages have them
#   run-tests   runs every test program
# and manifests, tests, demo and what installs services under the names that they have in the source tree.
cmake_minimum_required(VERSION 3.25)

set(stage ${BINARY_DIR}/bundle/${NAME})
file(REMOVE_RECURSE ${BINARY_DIR}/bundle)
file(COPY ${PROGRAMS} DESTINATION ${stage}/bin)

# glibc goes with the system's loader and kernel, libcuda with its driver.
set(of_the_system "^ld-linux" "^lib(c|m|mvec|dl|rt|pthread|resolv|util|cuda)\\.so")
file(
  GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${PROGRAMS}
  RESOLVED_DEPENDENCIES_VAR libraries
  UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES ${of_the_system})
if(missing)
  message(FATAL_ERROR "bundle: libraries that are needed and not found: ${missing}")
endif()
file(MAKE_DIRECTORY ${stage}/licences)
foreach(library IN LISTS libraries)
  # Under the name that programs ask for; the file itself, not the link.
  get_filename_component(soname ${library} NAME)
  file(REAL_PATH ${library} real)
  configure_file(${real} ${stage}/lib/${soname} COPYONLY)
  # dpkg knows a file of a merged /usr under the path that its package gave it.
  set(package)
  string(REGEX REPLACE "^/usr/" "/" unmerged ${real})
  foreach(path IN ITEMS ${real} ${unmerged})
    execute_process(COMMAND dpkg-query -S ${path} OUTPUT_VARIABLE owner ERROR_QUIET
                    RESULT_VARIABLE failed)
    if(NOT failed AND owner MATCHES "^([^:]+):")
      set(package ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(package AND EXISTS /usr/share/doc/${package}/copyright)
    configure_file(/usr/share/doc/${package}/copyright ${stage}/licences/${soname}.txt COPYONLY)
  else()
    message(WARNING "bundle: no licence text found for ${library}")
  endif()
endforeach()

file(GLOB binaries ${stage}/bin/* ${stage}/lib/*)
execute_process(COMMAND ${STRIP} --strip-unneeded ${binaries} COMMAND_ERROR_IS_FATAL ANY)

file(COPY ${SOURCE_DIR}/README.md ${SOURCE_DIR}/LICENSE ${SOURCE_DIR}/CHANGELOG.md
          ${SOURCE_DIR}/tools/bundle/run-tests DESTINATION ${stage})
foreach(page kernels/README.md manifests/README.md manifests/keys.md pipeline/cluster/README.md
             pipeline/run/README.md pipeline/watch/README.md tools/cli/README.md
             tools/compare/README.md)
  configure_file(${SOURCE_DIR}/${page} ${stage}/${page} COPYONLY)
endforeach()
file(COPY ${SOURCE_DIR}/manifests/examples ${SOURCE_DIR}/manifests/schema
     DESTINATION ${stage}/manifests)
file(COPY ${SOURCE_DIR}/tools/demo ${SOURCE_DIR}/tools/install ${SOURCE_DIR}/tools/service
          ${SOURCE_DIR}/tools/cluster ${SOURCE_DIR}/tools/monitoring
     DESTINATION ${stage}/tools)
file(COPY ${SOURCE_DIR}/tests/manifests/valid ${SOURCE_DIR}/tests/manifests/invalid
          ${SOURCE_DIR}/tests/manifests/folder
     DESTINATION ${stage}/tests/manifests)

# The same files give the same bytes: in order, of nobody, and of the time of their commit.
include(${SOURCE_DIR}/tools/package/same_time.cmake)
set(time)
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(time --mtime=@$ENV{SOURCE_DATE_EPOCH})
endif()
execute_process(
  COMMAND tar --create --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go-w,a+rX ${time}
          ${NAME}
  COMMAND gzip -9n
  WORKING_DIRECTORY ${BINARY_DIR}/bundle
  OUTPUT_FILE ${BINARY_DIR}/${NAME}.tar.gz COMMAND_ERROR_IS_FATAL ANY)
file(SIZE ${BINARY_DIR}/${NAME}.tar.gz bytes)
math(EXPR mib "(${bytes} + 1048575) / 1048576")
list(LENGTH PROGRAMS program_count)
list(LENGTH libraries library_count)
message("bundle: ${BINARY_DIR}/${NAME}.tar.gz, ${mib} MiB: ${program_count} programs, "
        "${library_count} libraries")
message("bundle: GPU architectures: ${ARCHITECTURES}")
