#pragma once

#include <stddef.h>

/// Lets all threads allocate from one pool, so that one thread uses what another has freed.
void ds_share_freed_memory(void);

/// Sets address space aside for the first allocation that fails because the address space is limited
/// (`ulimit -v`): it then uses this reserve. Called again, it renews a reserve that was used.
///
/// @param size in bytes.
/// @param used called when the reserve is used, on the thread that allocates; it must not allocate.
void ds_reserve_memory(size_t size, void (*used)(void));
