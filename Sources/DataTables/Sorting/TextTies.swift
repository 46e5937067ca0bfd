internal import Glibc

/// Orders texts with equal packed prefixes by all of their bytes.
struct TextTies {
  let texts: TextPlaces
  /// The length of the prefix that all texts share, in bytes.
  let skipped: Int
  /// The positions whose text equals the previous text, ascending.
  private(set) var repeats: [Int] = []

  init(_ texts: TextPlaces, skipped: Int) {
    self.texts = texts
    self.skipped = skipped
  }

  /// Writes the text numbers of sorted entries.
  /// - Parameter range: the positions of the entries, which are also the positions in `numbers` to
  ///   write.
  mutating func write(
    _ entries: UnsafeMutablePointer<UInt64>, _ range: Range<Int>, numberBits: Int,
    into numbers: UnsafeMutableBufferPointer<UInt32>
  ) {
    let mask = (UInt64(1) << UInt64(numberBits)) &- 1
    guard Self.write(entries, range, mask, into: numbers) else { return }
    var start = 0
    while start < range.count {
      var end = start + 1
      let key = entries[start] & ~mask
      while end < range.count, entries[end] & ~mask == key { end += 1 }
      if end - start > 1 {
        sort(numbers, range.lowerBound + start..<range.lowerBound + end, depth: skipped)
      }
      start = end
    }
  }

  /// Writes the text numbers of sorted entries.
  /// - Returns: whether two neighboring entries have the same bits above their text numbers.
  private static func write(
    _ entries: UnsafeMutablePointer<UInt64>, _ range: Range<Int>, _ mask: UInt64,
    into numbers: UnsafeMutableBufferPointer<UInt32>
  ) -> Bool {
    guard let start = numbers.baseAddress, !range.isEmpty else { return false }
    let numbers = start + range.lowerBound
    var hasTies = false
    var last = ~entries[0]
    // Without a branch: most entries differ from their neighbors.
    for index in 0..<range.count {
      let entry = entries[index]
      numbers[index] = UInt32(truncatingIfNeeded: entry & mask)
      hasTies = (entry ^ last <= mask) || hasTies
      last = entry
    }
    return hasTies
  }

  /// - Parameter depth: the number of leading bytes known to be equal.
  private mutating func sort(
    _ numbers: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>, depth: Int
  ) {
    if range.count > 64 { return sortByNextBytes(numbers, range, depth: depth) }
    for position in range.dropFirst() {
      let number = numbers[position]
      var hole = position
      while hole > range.lowerBound, isBefore(number, numbers[hole - 1], depth) {
        numbers[hole] = numbers[hole - 1]
        hole -= 1
      }
      numbers[hole] = number
    }
    appendRepeats(numbers, range, depth)
  }

  /// Sorts by the eight bytes after the common prefix of these texts, then sorts texts in which
  /// these bytes are equal.
  private mutating func sortByNextBytes(
    _ numbers: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>, depth: Int
  ) {
    let depth = commonPrefix(numbers, range, depth: depth)
    var entries = range.map { position in
      KeyedIndex(key: nextBytes(numbers[position], depth), index: numbers[position])
    }
    KeyedIndex.sort(&entries)
    for (position, entry) in zip(range, entries) { numbers[position] = entry.index }
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].key == entries[start].key { end += 1 }
      let same = range.lowerBound + start..<range.lowerBound + end
      if same.count == range.count {
        // The next bytes are equal although the common prefix ends here: a text ends here, and the
        // next bytes of longer texts are zeros. So all remaining bytes and the lengths are
        // compared.
        sortWhole(numbers, same, depth)
      } else if same.count > 1 {
        sort(numbers, same, depth: depth)
      }
      start = end
    }
  }

  private mutating func sortWhole(
    _ numbers: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>, _ depth: Int
  ) {
    var sorted = Array(numbers[range])
    sorted.sort { isBefore($0, $1, depth) }
    for (position, number) in zip(range, sorted) { numbers[position] = number }
    appendRepeats(numbers, range, depth)
  }

  private mutating func appendRepeats(
    _ numbers: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>, _ depth: Int
  ) {
    for position in range.dropFirst()
    where compare(numbers[position - 1], numbers[position], depth) == 0 {
      repeats.append(position)
    }
  }

  private func commonPrefix(
    _ numbers: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>, depth: Int
  ) -> Int {
    let first = texts.text(numbers[range.lowerBound])
    var common = first.count
    for position in range.dropFirst() {
      let text = texts.text(numbers[position])
      common = TextPlaces.commonPrefix(
        first.start, text.start, from: depth, upTo: min(common, text.count))
      // The common prefix cannot be shorter.
      if common == depth { break }
    }
    return common
  }

  @inline(__always)
  private func nextBytes(_ number: UInt32, _ depth: Int) -> UInt64 {
    let text = texts.text(number)
    return Self.word(text.start + depth, length: text.count - depth)
  }

  /// Eight bytes as a big-endian number; bytes after the end of the text are zeros.
  @inline(__always)
  private static func word(_ text: UnsafePointer<UInt8>, length: Int) -> UInt64 {
    let word = UInt64(bigEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self))
    let shift = UInt64(truncatingIfNeeded: 8 * max(0, 8 - length))
    // `>>` and `<<` are smart shifts: a shift by 64 returns 0.
    return (word >> shift) << shift
  }

  private func isBefore(_ left: UInt32, _ right: UInt32, _ depth: Int) -> Bool {
    let order = compare(left, right, depth)
    return order < 0 || order == 0 && left < right
  }

  private func compare(_ left: UInt32, _ right: UInt32, _ depth: Int) -> Int {
    let left = texts.text(left)
    let right = texts.text(right)
    let common = min(left.count, right.count)
    if common > depth {
      let order = memcmp(left.start + depth, right.start + depth, common - depth)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }
}
