extension TextHeap {
  /// For each text, the number of the first equal text. Canonically equivalent texts are equal, and so
  /// are nulls.
  ///
  /// - Returns: nil if most of many texts differ: then a sort finds equal ones sooner.
  /// - Complexity: O(bytes) expected, on all processors.
  /// - Throws: ``TableError/io(_:)`` if memory runs out, ``TableError/cancelled``.
  func firstEqualTexts(cancellation: Cancellation) throws -> [UInt32]? {
    let texts = try canonical(cancellation: cancellation)
    let parts = texts.blockRanges(Parallel.parts(of: count))
    let found = WorkerSlots<FirstTexts>(parts.count)
    let first = NumberMemory(count: count)
    try Parallel.forEach(parts.count) { part, _ in
      found[part] = try FirstTexts(
        texts, blocks: parts[part], writingTo: first, cancellation: cancellation)
    }
    // The first texts point to the memory of the heap.
    defer { withExtendedLifetime(texts) {} }
    guard var all = found[0] else { return nil }
    for part in parts.indices.dropFirst() {
      guard let other = found[part] else { return nil }
      all.add(other, writingTo: first)
      // Every text of the part has the first one of the part until now.
      let numbers = texts.starts[parts[part].lowerBound]..<texts.starts[parts[part].upperBound]
      for number in numbers {
        first.numbers[number] = first.numbers[Int(first.numbers[number])]
      }
    }
    return Array(first.numbers)
  }
}

/// Memory for one number per text.
///
/// Unchecked `Sendable` is safe: while several threads fill the memory, each writes the numbers of its
/// own texts, and numbers are read only after all threads are joined.
private final class NumberMemory: @unchecked Sendable {
  let numbers: UnsafeMutableBufferPointer<UInt32>

  init(count: Int) {
    numbers = LargePages.allocate(UInt32.self, capacity: count)
    numbers.initialize(repeating: 0)
  }

  deinit { numbers.deallocate() }
}

/// The different texts of some blocks, each with the number of its first occurrence.
private struct FirstTexts {
  private var texts: [UnsafeRawBufferPointer] = []
  private var numbers: [UInt32] = []
  private var firstNull: UInt32?
  /// The upper half of the hash of a text, and its position in `texts` plus one; 0 for a free slot.
  private var slots = [UInt64](repeating: 0, count: 1 << 10)

  private static let upperHalf: UInt64 = 0xFFFF_FFFF_0000_0000
  /// After as many texts of a large heap it is estimated whether most of them differ.
  private static let sample = 1 << 16
  /// Fewer texts are always hashed.
  private static let large = 1 << 18

  /// - Parameters:
  ///   - heap: outlives the value.
  ///   - first: receives, for each text of the blocks, the number of the first equal text in them.
  /// - Returns: nil if most of many texts differ.
  init?(
    _ heap: TextHeap, blocks: Range<Int>, writingTo first: NumberMemory,
    cancellation: Cancellation
  ) throws {
    var seen = 0
    for place in blocks {
      try cancellation.check()
      let (block, start) = (heap.blocks[place], heap.starts[place])
      for index in 0..<block.count {
        let number = UInt32(truncatingIfNeeded: start + index)
        if block.isNull(index) {
          if firstNull == nil { firstNull = number }
          first.numbers[start + index] = firstNull ?? number
        } else {
          first.numbers[start + index] = self.number(of: block.text(index), number)
        }
        seen += block.isNull(index) ? 0 : 1
        if seen == Self.sample, heap.count > Self.large, texts.count > seen / 8 * 7 { return nil }
      }
    }
  }

  /// The number of the first occurrence of a text.
  /// - Parameter number: of the text, which is added if it is the first one.
  private mutating func number(of text: UnsafeRawBufferPointer, _ number: UInt32) -> UInt32 {
    let hash = Hash.bytes(text)
    let tag = hash & Self.upperHalf
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0 {
      if slots[place] & Self.upperHalf == tag {
        let position = Int(truncatingIfNeeded: slots[place] & ~Self.upperHalf) &- 1
        if texts[position].count == text.count, texts[position].byteOrder(text) == .same {
          return numbers[position]
        }
      }
      place = (place &+ 1) & mask
    }
    texts.append(text)
    numbers.append(number)
    slots[place] = tag | UInt64(texts.count)
    if texts.count * 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    slots = [UInt64](repeating: 0, count: slots.count * 4)
    let mask = slots.count &- 1
    for (position, text) in texts.enumerated() {
      let hash = Hash.bytes(text)
      var place = Int(truncatingIfNeeded: hash) & mask
      while slots[place] != 0 { place = (place &+ 1) & mask }
      slots[place] = hash & Self.upperHalf | UInt64(position + 1)
    }
  }

  /// Adds the texts of blocks that follow.
  /// - Parameter first: receives, for each added text, the number of the first equal one.
  mutating func add(_ other: FirstTexts, writingTo first: NumberMemory) {
    for (text, number) in zip(other.texts, other.numbers) {
      first.numbers[Int(number)] = self.number(of: text, number)
    }
    guard let null = other.firstNull else { return }
    if firstNull == nil { firstNull = null }
    first.numbers[Int(null)] = firstNull ?? null
  }
}
