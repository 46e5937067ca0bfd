#pragma once
#include <stddef.h>
#include <stdint.h>

/// The offset of the first byte that is not part of well-formed UTF-8, or `length` when all is.
/// A sequence that is cut by the end counts as ill-formed, at its first byte.
size_t ds_utf8_valid_prefix(const uint8_t *bytes, size_t length);
