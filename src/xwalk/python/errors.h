#pragma once

namespace xwalk::python {

/// Has every Error of the library arrive in Python as the class of `xwalk._errors` that its code
/// names, with its place as attributes.
void register_errors();

}  // namespace xwalk::python
