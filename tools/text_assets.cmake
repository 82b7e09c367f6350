# mezzotint_text_assets(<template> <source> <file>...): makes <source> of <template>, in which
# @page_html@ stands for the text of page.html, and @run_README_md@ for that of run/README.md. Files are
# from the folder in hand; one that changes has the build configured again.
function(mezzotint_text_assets template source)
  foreach(file IN LISTS ARGN)
    string(REGEX MATCH "([^/]+/README[.]md|[^/]+)$" name ${file})
    string(MAKE_C_IDENTIFIER ${name} name)
    file(READ ${file} ${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                                           ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  configure_file(${template} ${source} @ONLY)
endfunction()
