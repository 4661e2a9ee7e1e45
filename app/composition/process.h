#pragma once

namespace omni {

/// What a process must do once, in `main`, before it makes any thread: gives the application its name and version, ignores SIGPIPE
/// (a peer that closes is an error to handle, not a reason to die), initialises libcurl, and has threads run on Qt's plain UNIX loop
/// in place of GLib's, which costs a good part of the time of every proxied request.
void prepareProcess();

/// Has Qt's log written to stderr, one line a message with time, level and category, and without secrets.
void installLogOutput();

}  // namespace omni
