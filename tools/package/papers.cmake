# What every Debian package has beside its files: copyright, changelogs, lintian's overrides; and what
# it has not. Run as a step of the installation of NAME-debian, with name, version, contact and
# source_dir set.
set(usr $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})
# A bundle, a build and a prefix of one's own have their libraries beside the program, Debian where the
# loader looks by itself.
file(GLOB search_paths ${usr}/bin/* ${usr}/lib/python3/dist-packages/mezzotint/*.so)
foreach(file IN LISTS search_paths)
  file(RPATH_REMOVE FILE ${file})
endforeach()
file(GLOB_RECURSE settings ${usr}/lib/mezzotint.pc)
foreach(file IN LISTS settings)
  file(READ ${file} text)
  string(REGEX REPLACE " -Wl,-rpath,[^ \n]*" "" text "${text}")
  file(WRITE ${file} "${text}")
endforeach()
set(doc ${usr}/share/doc/${name})
file(INSTALL ${source_dir}/tools/package/copyright DESTINATION ${CMAKE_INSTALL_PREFIX}/share/doc/${name})

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(
  WRITE ${doc}/changelog
  "mezzotint (${version}) unstable; urgency=medium\n\n"
  "  * CHANGELOG.md of the package mezzotint tells what is new.\n\n"
  " -- ${contact}  ${date}\n")
file(GLOB pages ${usr}/share/man/man*/*)
list(FILTER pages EXCLUDE REGEX "\\.gz$")
execute_process(COMMAND gzip -9nf ${doc}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)

set(overrides ${source_dir}/tools/package/overrides/${name})
if(EXISTS ${overrides})
  file(INSTALL ${overrides} DESTINATION ${CMAKE_INSTALL_PREFIX}/share/lintian/overrides)
endif()

# Whatever the umask. Of it depends one thing more, which cannot be set here: the rights that the archive
# notes of its own three parts.
execute_process(COMMAND chmod -R u=rwX,go=rX $ENV{DESTDIR} COMMAND_ERROR_IS_FATAL ANY)
