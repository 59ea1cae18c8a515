# The cast kernels are private: one file a family in cast/, the door is cast.h.
file(GLOB hub_casts CONFIGURE_DEPENDS "${dir}/cast/*.cc")
target_sources(xwalk_core PRIVATE ${hub_casts})
