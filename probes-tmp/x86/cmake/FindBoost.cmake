if(NOT TARGET Boost::headers)
add_library(Boost::headers INTERFACE IMPORTED GLOBAL)
endif()
set(Boost_FOUND TRUE)
