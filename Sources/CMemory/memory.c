#define _GNU_SOURCE
#include "CMemory.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

void ds_share_freed_memory(void) { mallopt(M_ARENA_MAX, 1); }

static _Atomic(void *) reserve;
static size_t reserve_size;
static void (*_Atomic reserve_used)(void);

void ds_reserve_memory(size_t size, void (*used)(void)) {
  if (atomic_load(&reserve) != NULL) return;
  // Without access, it occupies no memory.
  void *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  reserve_size = size;
  atomic_store(&reserve_used, used);
  atomic_store(&reserve, memory);
}

#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) && \
    !__has_feature(thread_sanitizer)

/// Gives the reserve back to the system.
/// @return whether there was one.
static bool use_reserve(void) {
  void *memory = atomic_exchange(&reserve, NULL);
  if (memory == NULL) return false;
  munmap(memory, reserve_size);
  atomic_load(&reserve_used)();
  return true;
}

// These take the place of the functions of the C library for the whole program: Swift ends a process
// whose allocation fails.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  void *memory = __libc_malloc(size);
  return memory == NULL && use_reserve() ? __libc_malloc(size) : memory;
}

void *calloc(size_t count, size_t size) {
  void *memory = __libc_calloc(count, size);
  return memory == NULL && use_reserve() ? __libc_calloc(count, size) : memory;
}

void *realloc(void *old, size_t size) {
  void *memory = __libc_realloc(old, size);
  // A size of 0 frees the old memory.
  return memory == NULL && size != 0 && use_reserve() ? __libc_realloc(old, size) : memory;
}

void *aligned_alloc(size_t alignment, size_t size) {
  void *memory = __libc_memalign(alignment, size);
  return memory == NULL && use_reserve() ? __libc_memalign(alignment, size) : memory;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
    return EINVAL;
  }
  void *memory = aligned_alloc(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

#endif
