# Where Debian's libsimde-dev puts the headers that QuickJS's WebAssembly engine would download otherwise.
set(FETCHCONTENT_SOURCE_DIR_SIMDE /usr/include)
