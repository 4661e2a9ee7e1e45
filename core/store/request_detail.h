#pragma once

#include "model/request_record.h"

#include <string>
#include <string_view>

namespace omni {

/// Appends the part of a record that only its detail pane shows (attempts, exclusions, headers) as one JSON object. Written by
/// hand, in one pass: a document tree costs more than the whole insertion of the row.
void appendDetail(const RequestRecord& record, std::string& out);

/// Fills attempts, exclusions and headers from that text; what cannot be read stays empty.
void readDetail(std::string_view text, RequestRecord& record);

}  // namespace omni
