// The precompiled headers of all tests belong to this file's target; it needs a source.
