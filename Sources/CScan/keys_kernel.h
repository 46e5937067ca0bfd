// Compares keys with intervals. Included by the levels without an instruction that compares words of
// 64 bits side by side.

DS_TARGET static uint64_t keys_in(
    const uint64_t *keys, size_t count, const ds_interval *intervals, size_t intervalCount) {
  uint64_t found = 0;
  for (size_t k = 0; k < intervalCount; k++) {
    const ds_interval interval = intervals[k];
    for (size_t i = 0; i < count; i++) {
      // A key below the first one wraps around to a greater distance.
      found |= (uint64_t)(keys[i] - interval.first <= interval.distance) << i;
    }
  }
  return found;
}
