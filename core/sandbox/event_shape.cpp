#include "sandbox/event_shape.h"

#include <algorithm>

namespace omni::sandbox {

namespace {

constexpr std::string_view kData = "data: ";

/// Applies `change` to each line of an event, its line feed taken off, and joins the results by line feeds again.
template <typename Change>
std::string mapLines(std::string_view event, Change change)
{
    std::string out;
    while (!event.empty()) {
        const std::string_view line = event.substr(0, event.find('\n'));
        event.remove_prefix(std::min(line.size() + 1, event.size()));
        out.append(change(line)).append("\n");
    }
    return out;
}

bool isData(std::string_view line)
{
    return line.substr(0, kData.size()) == kData;
}

std::string withoutSpace(std::string_view line)
{
    std::string out(line);
    const std::size_t colon = out.find(": ");
    // A comment's text is no field.
    if (colon != std::string::npos && colon > 0)
        out.erase(colon + 1, 1);
    return out;
}

std::string onTwoLines(std::string_view line)
{
    // Our events' first comma before a quote stands between two members, never inside a string: the first member is an id or a type.
    const std::size_t comma = line.find(",\"");
    if (!isData(line) || comma == std::string_view::npos)
        return std::string(line);
    return std::string(line.substr(0, comma + 1)).append("\n").append(kData).append(line.substr(comma + 1));
}

std::string withCrLf(std::string_view event, bool first, bool second)
{
    std::string out;
    for (std::size_t i = 0; i < event.size(); ++i) {
        const bool blankLine = i > 0 && event[i] == '\n' && event[i - 1] == '\n';
        if (event[i] == '\n' && (blankLine ? second : first))
            out += '\r';
        out += event[i];
    }
    return out;
}

}  // namespace

std::string shapedEvent(std::string_view event, EventShape shape, LineEnds lineEnds, std::size_t index)
{
    std::string out = shape == EventShape::NoSpace            ? mapLines(event, withoutSpace)
                      : shape == EventShape::SeveralDataLines ? mapLines(event, onTwoLines)
                                                              : std::string(event);
    if (lineEnds == LineEnds::CrLf)
        return withCrLf(out, true, true);
    // LF LF, then CR LF CR LF, then LF CR LF.
    if (lineEnds == LineEnds::Mixed && index % 3 != 0)
        return withCrLf(out, index % 3 == 1, true);
    return out;
}

std::string gluedEvents(std::string_view first, std::string_view second)
{
    const std::size_t data = second.find(kData);
    if (data == std::string_view::npos)
        return std::string(first).append(second);
    const std::string_view json = second.substr(data + kData.size());
    return std::string(first.substr(0, first.find_last_not_of('\n') + 1)).append(json);
}

std::string brokenEvent(std::string_view event)
{
    const std::size_t data = event.find(kData);
    const std::size_t json = data == std::string_view::npos ? 0 : data + kData.size();
    const std::size_t end = event.find_last_not_of('\n') + 1;
    return std::string(event.substr(0, json + (end - json) / 2)).append("\n\n");
}

}  // namespace omni::sandbox
