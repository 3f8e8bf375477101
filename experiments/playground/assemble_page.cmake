# cmake -D WEB=web -D PALETTE=palette.css -D MODULE=wormcast.wasm -D OUTPUT=index.html -P assemble_page.cmake: one file,
# so that the page needs no web server: the module is compressed and written in base 64.
execute_process(COMMAND gzip -9 -n -c ${MODULE} COMMAND base64 -w 0
                OUTPUT_VARIABLE module RESULTS_VARIABLE results COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WEB}/playground.html page)
foreach(part style=playground.css engine=engine.js script=playground.js)
  string(REGEX MATCH "^([a-z]+)=(.+)$" matched ${part})
  file(READ ${WEB}/${CMAKE_MATCH_2} text)
  string(REPLACE "{{${CMAKE_MATCH_1}}}" "${text}" page "${page}")
endforeach()
file(READ ${PALETTE} palette)
string(REPLACE "{{palette}}" "${palette}" page "${page}")
string(REPLACE "{{module}}" "${module}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
