// A target that owns a precompiled header needs something to compile.
