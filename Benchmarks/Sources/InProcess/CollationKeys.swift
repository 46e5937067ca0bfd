import Dispatch
import _FoundationICU

/// ICU keys with the settings of `localizedStandard`, built and sorted on two threads: the lower limit
/// for an order by keys.
enum CollationKeys {
  private struct Entry {
    /// The first bytes of the key, the first one most significant.
    var prefix: UInt64
    var start: UInt32
    var length: UInt32
  }

  private struct Half: @unchecked Sendable {
    var bytes: UnsafeMutablePointer<UInt8>
    var entries: [Entry]

    func isBefore(_ left: Entry, _ right: Entry, of other: Half) -> Bool {
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      let mine = UnsafeBufferPointer(start: bytes + Int(left.start), count: Int(left.length))
      let others = UnsafeBufferPointer(
        start: other.bytes + Int(right.start), count: Int(right.length))
      return mine.lexicographicallyPrecedes(others)
    }
  }

  /// Builds and sorts the keys of `names`.
  /// - Returns: the duration of building.
  static func sortNames(_ names: [String]) -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    nonisolated(unsafe) let halves = UnsafeMutablePointer<Half?>.allocate(capacity: 2)
    halves.initialize(repeating: nil, count: 2)
    defer {
      for half in 0..<2 { halves[half]?.bytes.deallocate() }
      halves.deallocate()
    }
    let middle = names.count / 2
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      halves[half] = keys(of: half == 0 ? names[..<middle] : names[middle...])
    }
    let built = start.duration(to: clock.now)
    DispatchQueue.concurrentPerform(iterations: 2) { place in
      guard var half = halves[place] else { return }
      halves[place] = nil
      let own = half
      half.entries.sort { own.isBefore($0, $1, of: own) }
      halves[place] = half
    }
    if let first = halves[0], let second = halves[1] { merge(first, second) }
    return built
  }

  private static func keys(of names: ArraySlice<String>) -> Half {
    var status = U_ZERO_ERROR
    let collator = swift_ucol_open("", &status)
    defer { swift_ucol_close(collator) }
    swift_ucol_setAttribute(collator, UCOL_STRENGTH, UCOL_SECONDARY, &status)
    swift_ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
    swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
    // Names are short: a key has fewer than 128 bytes.
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: names.count * 64 + 128)
    var entries: [Entry] = []
    entries.reserveCapacity(names.count)
    var end = 0
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 256) { units in
      for name in names {
        var length = 0
        for unit in name.utf16 {
          units[length] = unit
          length += 1
        }
        let size = Int(
          swift_ucol_getSortKey(collator, units.baseAddress, Int32(length), bytes + end, 128))
        var prefix: UInt64 = 0
        for index in 0..<8 {
          prefix = prefix << 8 | UInt64(index < size ? bytes[end + index] : 0)
        }
        entries.append(Entry(prefix: prefix, start: UInt32(end), length: UInt32(size)))
        end += size
      }
    }
    precondition(end <= names.count * 64 + 128)
    return Half(bytes: bytes, entries: entries)
  }

  private static func merge(_ first: Half, _ second: Half) {
    var merged: [Entry] = []
    merged.reserveCapacity(first.entries.count + second.entries.count)
    var (left, right) = (0, 0)
    while left < first.entries.count, right < second.entries.count {
      if second.isBefore(second.entries[right], first.entries[left], of: first) {
        merged.append(second.entries[right])
        right += 1
      } else {
        merged.append(first.entries[left])
        left += 1
      }
    }
    merged += first.entries[left...]
    merged += second.entries[right...]
  }
}
