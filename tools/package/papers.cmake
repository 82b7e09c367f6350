# What every Debian package has beside its files: copyright, changelogs, lintian's overrides; and what
# it has not. Run as a step of the installation of NAME-debian, with name, version, contact and
# source_dir set.
set(usr $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})
# A bundle has its libraries beside the program, Debian where the loader looks by itself.
file(GLOB programs ${usr}/bin/*)
foreach(program IN LISTS programs)
  file(RPATH_REMOVE FILE ${program})
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
